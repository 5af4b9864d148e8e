/** One row of a campaign in the list, and what changes of it while the page is open. */
import { findCampaign } from '../../../app/campaigns/find.ts';
import { describeRows, type ListedRow } from '../../../app/campaigns/rows/list.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { type Step, stepFacts } from '../../../manifest/steps.ts';
import { plural } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import type { LiveParts } from '../../live.ts';
import { n } from '../../parts/blocks.ts';
import { rowPath } from '../../parts/list.ts';
import { clockWithSeconds, isoDay, moment } from '../../parts/numbers.ts';
import { pictureColumn, type ShownPicture, thumbnail } from '../../parts/picture.ts';
import { queuedWord, stateBadge, stateOfRow, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { titleOf } from './causes.ts';
import { stepOf } from './stage.ts';

export const rowsAPage = 50;

export function tableLine(
  request: PageRequest,
  { id }: Campaign,
  row: ListedRow,
  {
    picture,
    held,
    choose = false,
    of,
  }: {
    readonly picture: ShownPicture | undefined;
    readonly held: ReadonlySet<Step>;
    readonly choose?: boolean;
    /** Its campaign, where the rows of several are listed. */
    readonly of?: Html;
  },
): Html {
  const { key, place, creator, caption, product } = row;
  const [state, when] = Object.values(liveCells(request, row, held));
  return html`<tr>
    ${choose ? html`<td><label><input type="checkbox" class="chosen" name="row" value="${key}" aria-label="Select ${place ?? key}"></label></td>` : ''}
    <td>${thumbnail(request, picture)}</td>
    <th scope="row" class="what"><a href="${request.link(rowPath(id, key))}">${caption === '' ? '' : html`<b>${words(caption)}</b>`}<small>${place ?? html`<code>${key}</code>`}<span> · ${words(creator)}</span>${of && html` · ${of}`}</small></a></th>
    <td class="opt">${words(product)}</td>
    <td class="opt">${words(creator)}</td>
    <td>${state}</td>
    <td class="n">${when}</td>
  </tr>`;
}

/** Its headings, behind that of the boxes. Where it is narrow, the creator stands beside the key. @param post heading of the posts, if it is more than the word. */
export function rowHeads(post: Html | string = 'Post'): readonly (Html | string)[] {
  const besides = ['Product', 'Creator'].map((name) => html`<th scope="col" class="opt">${name}</th>`);
  return [pictureColumn, post, ...besides, 'State', n('When')];
}

/** What changes of a row while its page is open: its state with what happened, and the time that matters. */
function liveCells({ zone, now }: PageRequest, row: ListedRow, held: ReadonlySet<Step>): LiveParts {
  const { position, step, error, scheduledAt } = row;
  const planned = scheduledAt === null ? '' : moment(Date.parse(scheduledAt), zone, now);
  const [state, usual] = stateOfRow(row, planned);
  const isShort = state === 'scheduled' || (state === 'ready' && !row.isUnapproved);
  // The head of the page says for which limit, and how long.
  const isQueued = state === 'running' && step !== undefined && held.has(step);
  const word = isQueued ? queuedWord : isShort ? wordOf(state) : usual;
  const text = error === null ? whatHappened(row) : titleOf(causeOf(row, error));
  const said = isQueued ? '' : [step && stepFacts[step].title, text].filter(Boolean).join(': ');
  const cells = {
    state: html`${stateBadge(state, word)}<small class="in">${words(said)}</small>`,
    when: timeOf({ zone, now }, row),
  };
  return Object.fromEntries(
    Object.entries(cells).map(([name, body]) => {
      const id = `row-${position}-${name}`;
      return [id, html`<span id="${id}" data-fact>${body}</span>`];
    }),
  );
}

/** Positions of the listed rows, for the address of the stream. */
export function positionsOf({ rows }: { readonly rows: readonly ListedRow[] }): string {
  return rows
    .slice(0, rowsAPage)
    .map(({ position }) => position)
    .join('.');
}

/** @param shown as `positionsOf` made it. @returns a function that reads what changes of the listed rows, as they are now. */
export function rowsReader(request: PageRequest, shown: string): () => Promise<LiveParts> {
  const { runtime, params } = request;
  const positions = /^\d{1,9}(?:\.\d{1,9})*$/.test(shown) ? shown.split('.').map(Number) : [];
  const listed = positions.slice(0, rowsAPage);
  let kept: { readonly of: string; readonly parts: LiveParts } | undefined;
  return async () => {
    if (listed.length === 0) return {};
    const id = params.id ?? '';
    const [campaign, times] = await Promise.all([
      findCampaign(runtime, id),
      runtime.ledger.changed.timesOf(id, listed),
    ]);
    // With time, scheduled posts become others.
    const of = `${campaign.state} ${Math.floor(runtime.now() / 60_000)} ${times.join()}`;
    if (kept?.of === of) return kept.parts;
    const there = listed.filter((position) => position < campaign.rows);
    const rows = await describeRows(runtime, campaign, there);
    const at = { ...request, now: runtime.now() };
    const held = await heldSteps(request, campaign);
    const parts = Object.assign({}, ...rows.map((row) => liveCells(at, row, held)));
    // The steps of a running row change without its state.
    kept = rows.some(({ state }) => state === 'running') ? undefined : { of, parts };
    return parts;
  };
}

function causeOf({ state, creator }: ListedRow, { code, message }: NonNullable<ListedRow['error']>) {
  return {
    state: state === 'review' ? state : 'failed',
    code,
    message,
    rows: 1,
    subjects: [creator],
  } as const;
}

function whatHappened({ state, postStatus, delivery, unusedOutputs }: ListedRow): string {
  if (unusedOutputs > 0) {
    const paid = `${plural(unusedOutputs, 'AI output')} paid for`;
    return state === 'cancelled' ? `${paid}, not used` : paid;
  }
  // `SCHEDULED` is what the service says of posts without a time, too: nothing is to be added.
  const says = ['', 'SCHEDULED'].includes(postStatus ?? '') ? '' : (postStatus ?? '').toLowerCase();
  return delivery === 'posted' ? says : '';
}

/** When it goes out, until it has gone out; then when that was known, or when it stopped. */
function timeOf(
  { zone, now }: Pick<PageRequest, 'zone' | 'now'>,
  { state, delivery, scheduledAt, changedAt }: ListedRow,
): string {
  const isToCome = state === 'waiting' || state === 'running' || state === 'ready';
  // What is under way or waits for an approval says so at its state.
  if (isToCome && scheduledAt === null) return state === 'waiting' ? 'right away' : '';
  const isPlanned = isToCome || delivery === 'scheduled' || delivery === 'unconfirmed';
  const at = isPlanned ? scheduledAt : changedAt;
  if (at === null) return '';
  // With seconds if it is today, because the order matters.
  const isToday = !isPlanned && isoDay(Date.parse(at), zone) === isoDay(now, zone);
  return isToday ? clockWithSeconds(Date.parse(at), zone) : moment(Date.parse(at), zone, now);
}

/** Steps whose calls wait for a rate limit. */
export async function heldSteps({ progress }: PageRequest, campaign: Campaign): Promise<ReadonlySet<Step>> {
  if (campaign.state !== 'running') return new Set();
  const { heldBackBy } = await progress.summary(campaign);
  return new Set(heldBackBy.flatMap(({ operation }) => stepOf(operation) ?? []));
}
