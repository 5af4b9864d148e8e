/** Undoing a decision about a row, or its retry: the control, how long it works, and what comes of it. */

import { mayDo } from '../../../app/access/roles.ts';
import { showRow } from '../../../app/campaigns/rows/show-row.ts';
import {
  type DecidedLately,
  listDecided,
  undoableMs,
  undoWindowMs,
} from '../../../app/decisions/carry-out.ts';
import { decisionOperations } from '../../../app/operations/decisions.ts';
import type { Undoable } from '../../../ledger/transitions/decisions.ts';
import { type Html, html } from '../../html.ts';
import { done, form, hidden } from '../../parts/form.ts';
import { rowName, rowPath } from '../../parts/list.ts';
import { icon, stateBadge } from '../../parts/state.ts';
import type { PageRequest, Redirect } from '../../request.ts';

const seconds = `${undoWindowMs / 1000} seconds`;
const minutes = `${undoableMs / 60_000} minutes`;

const laterDuplicates = 'After that, delete duplicates in the social app.';
export const undoResend = `You can undo this for ${seconds}. ${laterDuplicates}`;
/** The same in a paused campaign. */
export const undoWhilePaused = `You can undo this until the campaign resumes, for ${minutes} at most. ${laterDuplicates}`;

/** How long a change can be undone, counted from the change. */
export function undoTerm({ isHeld, isPaused, mayDuplicate, until }: Undoable, now: number): string {
  if (!isHeld) return `You can undo this for ${minutes}.`;
  if (isPaused) return mayDuplicate ? undoWhilePaused : undoWhilePaused.replace(` ${laterDuplicates}`, '');
  if (until <= now) return 'The row has not started yet. You can undo this until it starts.';
  return mayDuplicate ? undoResend : `You can undo this for ${seconds}.`;
}

/** A script counts down beside it, and takes it away when the time is up. @param back `row`: leads to the page of the row. */
export function undoForm(
  request: PageRequest,
  { campaign, key, place = key, undoable }: Pick<DecidedLately, 'campaign' | 'key' | 'place' | 'undoable'>,
  back?: 'row',
): Html {
  const left = undoable.until > request.now ? html` data-until="${undoable.until}"` : '';
  const body = html`${hidden('campaign', campaign)}${hidden('key', key)}${hidden('back', back)}<button>${icon('again')}Undo<span class="hidden"> ${place}</span></button> <small></small>`;
  return html`<div class="undo"${left}>${form(request, { path: '/review/undo', body })}</div>`;
}

/** Rows that were just decided, as far as their decisions can be undone. @param places of the rows. */
export async function decidedLately(
  request: PageRequest,
  places: Parameters<typeof listDecided>[1],
): Promise<Html | string> {
  const rows = places.length === 0 ? [] : await listDecided(request.runtime, places);
  if (rows.length === 0 || !mayDo(request, 'run')) return '';
  const lines = rows.map(({ campaign, key, place, state, undoable }) => {
    return html`<tr><th scope="row"><a href="${request.link(rowPath(campaign, key))}">${rowName({ key, place })}</a></th><td>${stateBadge(state)}</td><td>${undoTerm(undoable, request.now)}</td><td>${undoForm(request, { campaign, key, place, undoable })}</td></tr>`;
  });
  return html`<section class="card" aria-labelledby="lately"><div class="section"><h2 id="lately">Just decided</h2></div><div class="scroller"><table class="middle"><tbody>${lines}</tbody></table></div></section>`;
}

export async function undo({ carryOut, runtime, form: fields }: PageRequest): Promise<Redirect> {
  const [id, key] = [fields.get('campaign') ?? '', fields.get('key') ?? ''];
  const { state } = await carryOut(decisionOperations.undoDecision, { id, key });
  const { place = key } = await showRow(runtime, id, key);
  const isRetry = state === 'failed';
  return done(
    fields.get('back') === 'row' ? rowPath(id, key) : '/review',
    `Undone: the ${isRetry ? 'retry of' : 'decision about'} ${place}.`,
    isRetry ? 'The row has failed again.' : 'The row is in review again.',
  );
}
