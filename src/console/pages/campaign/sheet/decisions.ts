/** Carries out an uploaded sheet of decisions: shows its plan, then one button. */
import { html } from 'hono/html';
import {
  decideAsPlanned,
  decideSheet,
  type SheetDecided,
  sendsAgain,
} from '../../../../campaigns/decisions/decide-sheet.ts';
import type { DecisionFile } from '../../../../campaigns/decisions/read-sheet.ts';
import { rowState } from '../../../../campaigns/documents/campaign.ts';
import { findCampaign } from '../../../../campaigns/find.ts';
import { dropKeptSheet, openKeptSheet } from '../../../../campaigns/import/kept-sheet.ts';
import type { Campaign } from '../../../../ledger/campaigns/campaigns.ts';
import type { RowState } from '../../../../ledger/states.ts';
import type { Html } from '../../../html.ts';
import { chosenEncoding } from '../../../parts/encoding.ts';
import { form } from '../../../parts/form.ts';
import { words } from '../../../parts/language.ts';
import { clockWithSeconds, count, number } from '../../../parts/numbers/numbers.ts';
import { notice, type Point, point } from '../../../parts/points.ts';
import { wayBack } from '../../../parts/question.ts';
import { wordOf } from '../../../parts/state.ts';
import type { Answer, Page, PageRequest } from '../../../request.ts';
import { problems } from './into.ts';
import { crumbs, planName, readAgain, readingFields, readingPage, sheetName } from './reading.ts';

export async function showDecisions(request: PageRequest): Promise<Page> {
  const { runtime, params, plans } = request;
  const campaign = await findCampaign(runtime, params.id ?? '');
  const sheet = await openDecisions(request);
  const make = (onRead: (rows: readonly unknown[]) => void) =>
    decideSheet(runtime, campaign, sheet, { dryRun: true, onRead });
  const found = await plans.decisions.look(planName(request), make, request.person.name);
  if (found.kind === 'planned') return planPage(request, campaign, sheet.file, found.plan);
  const title = `${sheet.file}: decisions for ${campaign.name}`;
  return readingPage(request, 'decisions', { campaign, title, crumb: 'decisions', rows: found.rows });
}

async function openDecisions(request: PageRequest): Promise<DecisionFile> {
  const { file, path } = await openKeptSheet(request.runtime, request.params.token ?? '', sheetName(request));
  return { file, path, reading: { encoding: chosenEncoding(request) } };
}

function planPage(
  request: PageRequest,
  campaign: Campaign,
  file: string,
  planned: SheetDecided,
  hasChanged = false,
): Page {
  const { id } = campaign;
  const isRefused = planned.problems.total > 0;
  return {
    kind: 'page',
    title: `Decisions for ${campaign.name}`,
    section: '/campaigns',
    main: html`
      ${crumbs(request, campaign, 'decisions')}
      <div class="head"><div><h1>${words(file)}: decisions for ${words(campaign.name)}</h1><p class="about">${count(planned.rows, 'row')} in the sheet. Nothing has been decided.</p></div></div>
      ${hasChanged ? notice({ state: 'warning', text: 'Rows in review have changed since the plan was made.', more: 'This is the plan as it is now.' }) : ''}
      ${isRefused ? html`${problems({ problems: planned.problems, blocking: [] })}${readAgain(request, 'decisions', planned.problems.kept)}` : ''}
      ${plan(request, planned)}
      ${isRefused ? html`<p class="actions">${wayBack(request, `/campaigns/${id}`, 'Back to the campaign')}</p>` : decide(request, campaign, planned)}`,
  };
}

const outcomes: Partial<Readonly<Record<RowState, string>>> = {
  posted: 'posted from now on. Sends nothing',
  waiting: 'go on: what is not there is sent again',
  failed: 'failed, because their scheduled time has passed: give them a new one',
};

function plan(
  { zone }: PageRequest,
  { matched, states, empty, ended, changed, keys, early, ...planned }: SheetDecided,
): Html {
  // The keys are those of all rows, whatever becomes of each.
  const isOne = Object.values(states).filter((rows) => rows > 0).length === 1;
  const shown = isOne ? firstOf(keys, matched) : undefined;
  const points: Point[] = [];
  for (const state of rowState.options) {
    const rows = states[state] ?? 0;
    if (rows > 0)
      points.push({
        state,
        what: html`<b>${count(rows, 'row')}: ${outcomes[state] ?? wordOf(state)}</b>`,
        more: shown,
      });
  }
  const { notLookedUp, notLookedUpKeys } = planned;
  if (notLookedUp > 0)
    points.push({
      state: 'warning',
      what: html`<b>${count(notLookedUp, 'post id')} ${notLookedUp === 1 ? 'is' : 'are'} taken as written: the publishing records cannot be read here</b>`,
      more: `Check in the service that the post of each row has the id that the sheet says: ${firstOf(notLookedUpKeys, notLookedUp)}`,
    });
  for (const state of rowState.options) {
    const rows = ended[state] ?? 0;
    if (rows > 0)
      points.push({
        state,
        what: html`<b>${count(rows, 'row')} no longer in review (${wordOf(state)}): left alone</b>`,
      });
  }
  if (early)
    points.push({
      state: 'review',
      what: html`<b>${count(early.rows, 'row')} kept for later: the calls may still be under way</b>`,
      more: `Check in the service after ${clockWithSeconds(Date.parse(early.from), zone)}, then drop the sheet again: ${firstOf(early.keys, early.rows)}`,
    });
  if (changed > 0)
    points.push({
      state: 'warning',
      what: html`<b>${count(changed, 'row')} decided meanwhile: left alone</b>`,
    });
  if (empty > 0)
    points.push({
      state: 'review',
      what: html`<b>${count(empty, 'row')} without a decision: left alone</b>`,
    });
  return html`<section aria-labelledby="plan"><div class="section"><h2 id="plan">What becomes of the rows</h2></div><ul class="points">${points.map(point)}</ul></section>`;
}

function firstOf(keys: readonly string[], rows: number): string {
  return `${keys.join(', ')}${keys.length < rows ? ', …' : ''}`;
}

function decide(request: PageRequest, { id }: Campaign, planned: SheetDecided): Html {
  const { matched } = planned;
  if (matched === 0) {
    return html`<p>The sheet has no decision about a row in review.</p><p class="actions">${wayBack(request, `/campaigns/${id}`, 'Back to the campaign')}</p>`;
  }
  return form(request, {
    path: `/campaigns/${id}/decisions/${request.params.token}`,
    body: html`${readingFields(request)}<input type="hidden" name="rows" value="${matched}">
      ${sendsAgain(planned) ? html`<p><label><input type="checkbox" name="sure" value="yes" required> I have checked in the service: the posts and outputs that the sheet calls not there do not exist</label></p>` : ''}
      <p class="actions">${wayBack(request, `/campaigns/${id}`, 'Leave it')} <button class="primary">Decide about ${count(matched, 'row')}</button></p>`,
  });
}

export async function carryOut(request: PageRequest): Promise<Answer> {
  const { runtime, params, form: fields } = request;
  const id = params.id ?? '';
  const token = params.token ?? '';
  const campaign = await findCampaign(runtime, id);
  const sheet = await openDecisions(request);
  const agreed = { rows: Number(fields.get('rows') ?? Number.NaN), isSure: fields.get('sure') === 'yes' };
  const { kind, plan: done } = await decideAsPlanned(runtime, campaign, sheet, agreed);
  if (kind !== 'decided') return planPage(request, campaign, sheet.file, done, kind === 'changed');
  await dropKeptSheet(runtime, token);
  const { early, changed } = done;
  const text = `Decided about ${count(done.matched - (early?.rows ?? 0), 'row')}.`;
  const more =
    [
      changed === 0
        ? ''
        : `${number(changed)} ${changed === 1 ? 'was' : 'were'} decided meanwhile, and left alone.`,
      early
        ? `${count(early.rows, 'row')} kept for later, because the calls may still be under way: ${firstOf(early.keys, early.rows)}.`
        : '',
    ]
      .join(' ')
      .trim() || undefined;
  return { kind: 'redirect', to: `/campaigns/${id}`, notice: { state: 'done', text, more } };
}
