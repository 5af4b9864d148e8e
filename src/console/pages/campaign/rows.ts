/** The rows of a campaign: filtered, paged, chosen. */
import { mayDo } from '../../../app/access/roles.ts';
import { type Cause, otherCodes, rowsOfCauses } from '../../../app/campaigns/causes.ts';
import { acceptedPosts, type ShownCounts } from '../../../app/campaigns/post-status.ts';
import { changesKept, type ListedRow, listRows, mostRows } from '../../../app/campaigns/rows/list.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { RowFilter } from '../../../ledger/rows/query.ts';
import type { Delivery } from '../../../ledger/rows/results.ts';
import { type Step, stepFacts, steps } from '../../../manifest/steps.ts';
import { capitalized, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html } from '../../html.ts';
import type { LiveParts } from '../../live.ts';
import { table } from '../../parts/blocks.ts';
import {
  changedAddress,
  cursorPager,
  describeFilter,
  filterChips,
  noMatch,
  readBefore,
  tabs,
  textIn,
} from '../../parts/list.ts';
import { clockWithSeconds } from '../../parts/numbers.ts';
import { rowPictures, type ShownPicture } from '../../parts/picture.ts';
import { icon, type ShownRowState, shownRowStates, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { optionOf } from './causes.ts';
import { heldSteps, rowHeads, rowsAPage, tableLine } from './row-lines.ts';

type RowTableQuery = ReturnType<typeof readFilter>;

function readFilter(query: URLSearchParams) {
  return {
    state: shownRowStates.find((state) => state === query.get('state')),
    step: steps.find((step) => step === query.get('step')),
    code: textIn(query, 'code'),
    creator: textIn(query, 'creator'),
    text: textIn(query, 'text'),
  };
}

/** Order of the rows: as in the sheet, reversed, or last changed first. */
type Order = 'line' | '-line' | 'changed';

interface RowsPage {
  readonly rows: readonly ListedRow[];
  /** Steps whose calls wait for a rate limit. */
  readonly held: ReadonlySet<Step>;
  /** By position. */
  readonly pictures: ReadonlyMap<number, ShownPicture>;
  readonly order: Order;
  readonly total: number | undefined;
  readonly next: string | undefined;
}

/** @param state as people see it, and as the tabs count it: `posted` are posts of which nothing more is known. */
export function rowFilterOf(
  runtime: PageRequest['runtime'],
  state: ShownRowState | undefined,
): Pick<RowFilter, 'state' | 'delivery'> {
  return isDelivery(state) ? acceptedPosts(runtime, state) : { state };
}

/** Unless something else is asked for, the rows that changed last; in the order of the sheet while none has changed. */
export async function readRows(request: PageRequest): Promise<RowsPage> {
  const { runtime, left, query, params } = request;
  const asked = query.get('sort');
  const { code: error, state, ...others } = readFilter(query);
  const isFiltered = [error, state, ...Object.values(others)].some((value) => value !== undefined);
  const limit = isForPrint(query) ? mostRows : rowsAPage;
  const filter = { ...others, ...rowFilterOf(runtime, state), error };
  const read = async (order: Order): Promise<RowsPage> => {
    const options = { order: orders[order], cursor: query.get('from') ?? undefined, limit, left };
    const page = await listRows(runtime, params.id ?? '', { ...options, filter });
    const [pictures, held] = await Promise.all([
      rowPictures(request, page.campaign, page.rows),
      heldSteps(request, page.campaign),
    ]);
    return { ...page, pictures, held, order };
  };
  if (asked === 'changed' || asked === '-line' || asked === 'line') return read(asked);
  const newest = isFiltered || query.has('from') ? undefined : await read('changed');
  return newest === undefined || newest.rows.length === 0 ? read('line') : newest;
}

/** As many rows as one page can have. They cannot be selected: that many do not fit into an address. */
function isForPrint(query: URLSearchParams): boolean {
  return query.get('rows') === 'all';
}

const orders = { line: 'ascending', '-line': 'descending', changed: 'changed' } as const;

interface Figures {
  readonly campaign: Campaign;
  readonly causes: readonly Cause[];
  readonly shown: ShownCounts;
}

export function rowsSection(request: PageRequest, figures: Figures, listed: RowsPage): Html {
  const { campaign, causes } = figures;
  const filter = readFilter(request.query);
  const shown = { ...listed, total: totalOf(filter, figures, listed) };
  const all = thousands(campaign.rows);
  const text =
    shown.order === 'changed'
      ? 'Recently changed'
      : shown.total === undefined
        ? `searched in ${all}`
        : `${thousands(shown.total)} of ${all}`;
  return html`<section aria-labelledby="rows">
    <div class="section"><h2 id="rows">Rows</h2> <p>${text}</p> ${tabs('Which rows', tabsOf(request, filter, figures, shown.order))}</div>
    ${filters(request, filter, causes)}
    <p class="note stale">${staleNote(request, 'campaign-stale')}</p>
    ${shown.rows.length === 0 ? nothing(request, campaign, filter, shown) : list(request, campaign, shown)}
  </section>`;
}

/** The newest, each state that has rows, and all in the order of the sheet. */
function tabsOf(
  { link }: PageRequest,
  filter: RowTableQuery,
  { campaign, shown: counts }: Figures,
  order: Order,
) {
  const { state, ...others } = filter;
  const isPlain = Object.values(others).every((value) => value === undefined);
  const path = `/campaigns/${campaign.id}`;
  const states = (
    ['failed', 'review', 'running', ...postedStates, 'ready', 'waiting', 'cancelled'] as const
  ).filter((each) => counts[each] > 0);
  const isNewest = isPlain && state === undefined && order === 'changed';
  return [
    ['Newest', link(`${path}?sort=changed#rows`), isNewest],
    ...states.map(
      (each) =>
        [
          html`${capitalized(wordOf(each))} ${tabCount(each, counts)}`,
          link(`${path}?state=${each}#rows`),
          isPlain && state === each,
        ] as const,
    ),
    [
      `All ${thousands(campaign.rows)}`,
      link(`${path}?sort=line#rows`),
      isPlain && state === undefined && !isNewest,
    ],
  ] as const;
}

function tabCount(state: ShownRowState, counts: ShownCounts): Html {
  return html`<span id="tab-${state}">${thousands(counts[state])}</span>`;
}

/** The counts in the tabs, which follow while the list stands still. */
export function tabCounts(counts: ShownCounts): LiveParts {
  return Object.fromEntries(shownRowStates.map((state) => [`tab-${state}`, tabCount(state, counts)]));
}

const postedStates = ['posted', 'live', 'scheduled', 'unconfirmed'] as const satisfies readonly Delivery[];

function isDelivery(state: ShownRowState | undefined): state is Delivery {
  return postedStates.some((each) => each === state);
}

/** As the figures of the page count them. @returns undefined if counting would mean reading all rows. */
function totalOf(
  { code: error, state, ...others }: RowTableQuery,
  { causes, shown: counts }: Figures,
  listed: RowsPage,
): number | undefined {
  if (listed.order === 'changed') return listed.total;
  const isByState = error === undefined && Object.values(others).every((value) => value === undefined);
  if (isByState && state !== undefined) return counts[state];
  if (listed.total !== undefined || isDelivery(state)) return listed.total;
  return rowsOfCauses(causes, { ...others, state, error });
}

/** The address differs from that of the page: else the browser would go to its place, and load nothing. */
function staleNote(request: PageRequest, id: string): Html {
  const address = addressOf(request, { loaded: String(request.now) });
  return html`<span id="${id}"></span> <a href="${address}">Show them</a>`;
}

/** How many rows have changed since the page was loaded. @param since the last change then. @param loadedAt when that was. */
export async function changedParts(
  { runtime, params, zone }: PageRequest,
  since: number,
  loadedAt: number,
): Promise<LiveParts> {
  const rows = await runtime.ledger.changed.since(params.id ?? '', since);
  const have = rows === 1 ? 'row has' : 'rows have';
  const text = `${rows >= changesKept ? 'More than ' : ''}${thousands(rows)} ${have} changed since ${clockWithSeconds(loadedAt, zone)}.`;
  const said = rows === 0 ? '' : text;
  return {
    'campaign-stale': html`<span id="campaign-stale">${said}</span>`,
    'campaign-changed': html`<span id="campaign-changed">${said}</span>`,
  };
}

function filters(request: PageRequest, filter: RowTableQuery, causes: readonly Cause[]): Html {
  const known = causes.map(({ code }) => code).filter((code) => code !== otherCodes);
  const codes = [...new Set([...known, ...(filter.code ? [filter.code] : [])])];
  const search = { name: 'text', text: filter.text, says: 'Key, caption or product' };
  return filterChips(request, { path: `/campaigns/${request.params.id}`, hash: '#rows', search }, [
    { name: 'creator', title: 'Creator', value: filter.creator },
    {
      name: 'step',
      title: 'Step',
      value: filter.step,
      options: steps.map((step) => [step, stepFacts[step].title]),
    },
    {
      name: 'code',
      title: 'Cause',
      value: filter.code,
      options: codes.map((code) => [code, optionOf(code, causes)]),
    },
  ]);
}

function addressOf(request: PageRequest, changes: Readonly<Record<string, string>>): string {
  return changedAddress(request, `/campaigns/${request.params.id}`, changes, '#rows');
}

function nothing(request: PageRequest, campaign: Campaign, filter: RowTableQuery, { next }: RowsPage): Html {
  if (next !== undefined) return nextPage(request, next);
  const all = request.link(`/campaigns/${campaign.id}#rows`);
  return noMatch('No row matches.', describeFilter(filter), [
    all,
    `Show all ${plural(campaign.rows, 'row')}`,
  ]);
}

/** Continues a search, which reads one part of the sheet at a time. */
function nextPage(request: PageRequest, next: string): Html {
  return html`<p class="note">Nothing found in this part of the sheet. <a class="button" href="${addressOf(request, { from: next })}">Continue from row ${thousands(Number(next) + 1)}</a></p>`;
}

function list(
  request: PageRequest,
  campaign: Campaign,
  { rows, pictures, held, order, total, next }: RowsPage,
): Html {
  const choose = mayDo(request, 'run') && !isForPrint(request.query);
  const sort = (to: string, name: string) =>
    html`<a href="${addressOf(request, { ...firstPage, sort: to })}">${name}</a>`;
  const isFirst = !request.query.has('from');
  const stretch = { before: readBefore(request.query, isFirst), many: rows.length, total };
  const pageAt = (place: Readonly<Record<'from' | 'before', string>>) =>
    addressOf(request, place.from === '' ? place : { ...place, sort: order });
  const stale = html`<span class="stale">${staleNote(request, 'campaign-changed')}</span>`;
  const headings = {
    line: html`<th scope="col" aria-sort="ascending">${sort('-line', 'Post')} ↑</th>`,
    '-line': html`<th scope="col" aria-sort="descending">${sort('line', 'Post')} ↓</th>`,
    changed: html`<th scope="col">${sort('line', 'Post')}</th>`,
  };
  const box = html`<th scope="col"><label><input type="checkbox" name="page" aria-label="Select ${rows.length === 1 ? 'the row' : `the ${rows.length} rows`} of this page"></label></th>`;
  const body = html`${table({
    of: 'rows',
    className: 'rows',
    heads: [...(choose ? [box] : []), ...rowHeads(headings[order])],
    lines: rows.map((row) =>
      tableLine(request, campaign, row, { picture: pictures.get(row.position), held, choose }),
    ),
  })}
  ${cursorPager(stretch, { isFirst, next }, pageAt, stale)}
  ${choose ? dock(request, campaign) : ''}`;
  return choose
    ? html`<form method="get" action="${request.link(`/campaigns/${campaign.id}/retry`)}" class="choose rowform">${body}</form>`
    : body;
}

const firstPage = { from: '', before: '' };

/** Buttons for the selected rows. Each leads to a question, so the form changes nothing and needs no CSRF token. */
function dock({ link }: PageRequest, { id, counts }: Campaign): Html {
  const review =
    counts.review === 0
      ? ''
      : html`<button formaction="${link('/review')}" name="campaign" value="${id}">Decide…</button>`;
  return html`<div class="dock"><p><b>Selected: <span class="howmany"></span></b> <span>You can retry failed rows and decide rows in review. Other rows stay unchanged.</span></p> <div class="actions">${review} <button formaction="${link(`/campaigns/${id}/results.xlsx`)}">${icon('down')}Download</button> <button>Retry…</button></div></div>`;
}
