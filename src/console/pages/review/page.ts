/** `/review`: everything that waits for a person, over all campaigns. */
import { listReview, type ReviewPage, unknownKinds } from '../../../campaigns/decisions/list-review.ts';
import { describeReview, type ReviewItem } from '../../../campaigns/decisions/review-item.ts';
import { canLook, lookIntoRecords } from '../../../campaigns/records.ts';
import { describeAge } from '../../../runtime/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { beforeNext, changedAddress, pager as pagerOf, readBefore } from '../../parts/address.ts';
import { empty } from '../../parts/blocks.ts';
import { done, form, hiddenFields, mayChange, select } from '../../parts/form.ts';
import { count, number } from '../../parts/numbers.ts';
import { rowPictures, type ShownPicture, thumbnail } from '../../parts/picture.ts';
import { icon } from '../../parts/state.ts';
import type { Page, PageRequest, Redirect, Route, Stream } from '../../request.ts';
import { reviewCase } from './case.ts';
import { askDecide, decide, homeOf, mostChoices } from './second-look.ts';
import { allAtOnce, decisionSheetRoutes, sheetLink } from './sheet.ts';
import { decidedLately, undo } from './undo.ts';

const mostChosen = 500;
/** Two for each decision, and the rows that were selected. */
const mostFields = 2 * mostChoices + mostChosen + 20;

export const reviewRoutes: readonly Route[] = [
  { method: 'get', path: '/review', role: 'viewer', handle: showReview },
  { method: 'get', path: '/review/events', role: 'viewer', handle: streamReview },
  { method: 'post', path: '/review', role: 'operator', mostNames: mostFields, handle: askDecide },
  { method: 'post', path: '/review/decide', role: 'operator', mostNames: mostFields, handle: decide },
  { method: 'post', path: '/review/look', role: 'operator', handle: look },
  { method: 'post', path: '/review/undo', role: 'operator', handle: undo },
  ...decisionSheetRoutes,
];

const kinds: Readonly<Record<(typeof unknownKinds)[number], string>> = {
  records: 'Post, with similar records',
  'no-record': 'Post, without a record',
  generation: 'AI generation',
};

/** Rows of a page: as many as its list shows without much scrolling. */
const rowsOfPage = 50;

/** Filter and place in the list. `row`: rows selected on the page of their campaign. */
function keptParams({ query }: Pick<PageRequest, 'query'>): URLSearchParams {
  const kept = new URLSearchParams();
  for (const name of ['campaign', 'what', 'creator', 'row', 'from', 'before']) {
    const values = query.getAll(name).slice(0, mostChosen);
    for (const value of values) if (value !== '') kept.append(name, value);
  }
  return kept;
}

function asked(request: Pick<PageRequest, 'query'>) {
  const kept = keptParams(request);
  const value = (name: string) => kept.get(name) ?? undefined;
  const kind = unknownKinds.find((each) => each === value('what'));
  const keys = kept.has('row') ? new Set(kept.getAll('row')) : undefined;
  const from = value('from');
  return {
    kept,
    filter: { campaign: value('campaign'), kind, creator: value('creator'), keys },
    from,
    before: readBefore(kept, from === undefined),
  };
}

/** A part of the list, and the row whose case is open. */
interface Shown {
  readonly page: ReviewPage;
  readonly open: ReviewItem | undefined;
  /** By campaign and position. */
  readonly pictures: ReadonlyMap<string, ShownPicture>;
}

type Place = Pick<ReviewItem, 'campaign' | 'position'>;

function placeOf({ campaign, position }: Place): string {
  return `${campaign}.${position}`;
}

async function showReview(request: PageRequest): Promise<Page> {
  const { filter, from } = asked(request);
  const page = await listReview(request.runtime, { filter, from, limit: rowsOfPage });
  const open = await openCase(request, page);
  const shown = { page, open, pictures: await picturesOf(request, page, open) };
  const { total } = page;
  return {
    kind: 'page',
    title: titleOf(total),
    section: '/review',
    stream: `/review/events?rows=${total}`,
    main: html`
      ${head(request, page)}
      ${await decidedLately(request, decidedPlaces(request))}
      ${total === 0 ? nothing() : html`${filters(request, page)}${inbox(request, shown)}`}`,
  };
}

function titleOf(rows: number): string {
  return rows === 0 ? 'Review' : `Review, ${count(rows, 'row')}`;
}

/** The row that the address names, else the first one. */
async function openCase({ runtime, query }: PageRequest, page: ReviewPage): Promise<ReviewItem | undefined> {
  const { items, campaigns } = page;
  const [place] = readPlace(query.get('open') ?? '');
  if (place === undefined) return items[0];
  const listed = items.find((item) => placeOf(item) === placeOf(place));
  const campaign = campaigns.find(({ id }) => id === place.campaign);
  if (listed !== undefined || campaign === undefined) return listed ?? items[0];
  const [item] = await describeReview(runtime, campaign, [place.position]);
  return item ?? items[0];
}

async function picturesOf(
  request: PageRequest,
  { items, campaigns }: ReviewPage,
  open: ReviewItem | undefined,
): Promise<Shown['pictures']> {
  const all = open === undefined || items.includes(open) ? items : [...items, open];
  const found = campaigns.map(async (campaign) => {
    const rows = all.filter((item) => item.campaign === campaign.id);
    const pictures = rows.length === 0 ? [] : await rowPictures(request, campaign, rows);
    return [...pictures].map(
      ([position, picture]) => [placeOf({ campaign: campaign.id, position }), picture] as const,
    );
  });
  return new Map((await Promise.all(found)).flat());
}

function streamReview({ runtime, zone, query }: PageRequest): Stream {
  const loaded = Number(query.get('rows'));
  const read = async () => {
    const campaigns = await runtime.ledger.campaigns.list();
    const rows = campaigns.reduce((sum, { counts }) => sum + counts.review, 0);
    return { 'review-count': total(rows), 'review-stale': stale(rows, loaded) };
  };
  return { kind: 'stream', view: { key: `review ${loaded} ${zone}`, read } };
}

/** The note that the list is out of date. @param loaded rows in review when the page was loaded. */
function stale(rows: number, loaded: number): Html {
  const text =
    rows > loaded
      ? `${count(rows - loaded, 'row')} arrived since this page was loaded.`
      : `${count(loaded - rows, 'row')} left since this page was loaded.`;
  return html`<span id="review-stale">${rows === loaded ? '' : text}</span>`;
}

function total(rows: number): Html {
  const text =
    rows === 0
      ? ''
      : rows === 1
        ? '1 row. Outcome unknown: it may already exist. It is never resent automatically.'
        : `${number(rows)} rows. Outcome unknown: they may already exist. They are never resent automatically.`;
  return html`<p class="about" id="review-count" data-title="${titleOf(rows)}">${text}</p>`;
}

function head(request: PageRequest, page: ReviewPage): Html {
  const isUseful = page.items.some(({ about }) => about === 'post');
  const can = canLook(request.runtime);
  const cannot = html`<p class="note">The publishing records cannot be read here. An operator can set this up.</p>`;
  const { kept, filter } = asked(request);
  const again = html`<p class="note stale">${stale(page.total, page.total)} <a href="${request.link(`/review?${kept}`)}">Show the list as it is now</a></p>`;
  const buttons =
    mayChange(request) &&
    page.total > 0 &&
    html`<div class="actions">${allAtOnce(request, page.items, kept)}${sheetLink(request, filter.campaign)}${isUseful && can && lookForm(request, page.items, kept)}</div>`;
  return html`<div class="head"><div><h1>Review</h1>${total(page.total)}${isUseful && !can && cannot}${again}</div>${buttons}</div>`;
}

function lookForm(request: PageRequest, items: readonly ReviewItem[], kept: URLSearchParams): Html {
  const rows = items.map((item) => ['row', placeOf(item)] as const);
  const body = html`${hiddenFields([...rows, ['home', String(kept)]])}<button>${icon('again')}Search publishing records now</button>`;
  return form(request, { path: '/review/look', body });
}

function nothing(): Html {
  return empty(
    html`<b>Nothing needs review</b>`,
    html`<p>Rows appear here when a request was sent but its result is unknown. You then check the creator’s profile, or the service’s dashboard, and decide.</p>`,
  );
}

/** Only for a list that is long, or filtered already. */
function filters(request: PageRequest, { campaigns, total }: ReviewPage): Html | string {
  const { filter, kept } = asked(request);
  if (total <= fewRows && kept.size === 0) return '';
  const all = ['', 'All'] as const;
  const named = campaigns.map(({ id, name, counts }) => [id, `${name} (${number(counts.review)})`] as const);
  const outcomes = unknownKinds.map((kind) => [kind, kinds[kind]] as const);
  return html`<form class="filters" action="${request.link('/review')}">
    ${select('Campaign', 'campaign', [all, ...named], filter.campaign)}
    ${select('Kind', 'what', [all, ...outcomes], filter.kind)}
    <label>Creator<input name="creator" value="${filter.creator ?? ''}"></label>
    <button>Filter</button>
  </form>`;
}

const fewRows = 10;

function inbox(request: PageRequest, shown: Shown): Html {
  const { page, open } = shown;
  const pages = pager(request, page);
  if (open === undefined) {
    return html`${empty(
      html`<b>No rows in review match.</b>`,
      html`<p class="actions"><a class="button" href="${request.link('/review')}">Show all rows in review</a></p>`,
    )}${pages}`;
  }
  return html`<div class="inbox"><div>${list(request, shown, open)}${pages}</div>${openedCase(request, shown, open)}</div>`;
}

/** The rows, by campaign. */
function list(request: PageRequest, { page, pictures }: Shown, open: ReviewItem): Html {
  const { items, campaigns } = page;
  const line = (item: ReviewItem) => {
    const place = placeOf(item);
    const current = place === placeOf(open) ? html` aria-current="true"` : '';
    const age = describeAge(Math.max(0, request.now - item.inReviewSince));
    return html`<a href="${caseAddress(request, place)}"${current}>${thumbnail(request, pictures.get(place))}<span><b>${words(item.creator)}</b><small><code>${words(item.key)}</code></small></span><small>${age}</small></a>`;
  };
  const groups = campaigns.flatMap(({ id, name, counts }) => {
    const some = items.filter(({ campaign }) => campaign === id);
    const many = isCounted(request) ? counts.review : some.length;
    return some.length === 0 ? [] : [html`<h2>${words(name)}, ${number(many)}</h2>${some.map(line)}`];
  });
  return html`<nav aria-label="Rows in review">${groups}</nav>`;
}

/** Whether the list has all rows in review, or all of one campaign. */
function isCounted(request: PageRequest): boolean {
  const { campaign: _campaign, ...others } = asked(request).filter;
  return Object.values(others).every((value) => value === undefined);
}

/** Address of the list with another case open. */
function caseAddress({ link, query }: PageRequest, open: string): string {
  return changedAddress({ link, query: keptParams({ query }) }, '/review', { open });
}

function openedCase(request: PageRequest, { page, pictures }: Shown, open: ReviewItem): Html {
  const { items } = page;
  const { kept, before } = asked(request);
  const place = placeOf(open);
  const at = items.findIndex((item) => placeOf(item) === place);
  const [earlier, later] = [items[at - 1], at < 0 ? items[0] : items[at + 1]];
  const next =
    later === undefined
      ? page.next === undefined
        ? undefined
        : nextPage(request, page)
      : caseAddress(request, placeOf(later));
  const step = (key: string, address: string | undefined, label: string) =>
    address === undefined ? '' : html`<a class="button" href="${address}" data-key="${key}">${label}</a>`;
  const all = isCounted(request) ? ` of ${number(listed(request, page))}` : '';
  const turn = html`<p class="turn"><span>${at < 0 || before === undefined ? '' : `${number(before + at + 1)}${all} in review`}</span> ${step('', next, 'Next ›')}</p>`;
  const back =
    earlier === undefined
      ? ''
      : html`<a class="hidden" tabindex="-1" aria-hidden="true" href="${caseAddress(request, placeOf(earlier))}" data-key="k">Previous</a>`;
  const fields: readonly (readonly [string, string])[] = [
    ['home', String(new URLSearchParams([...kept, ['open', place]]))],
    ...(later === undefined ? [] : [['next', placeOf(later)] as const]),
  ];
  const records =
    open.candidates.length === 0
      ? ''
      : html`<kbd>1</kbd> <kbd>${Math.min(9, open.candidates.length)}</kbd> record · `;
  const absent = open.about === 'post' ? 'not posted' : 'not generated';
  return reviewCase(request, open, {
    picture: pictures.get(place),
    fields,
    turn,
    button: next === undefined ? 'Preview decision…' : 'Preview decision, then next…',
    more: html`${step('j', next, 'Not now')}${back}<span class="keys">${records}<kbd>N</kbd> ${absent} · <kbd>J</kbd> <kbd>K</kbd> next, previous</span>`,
  });
}

/** Rows of the whole list. */
function listed(request: PageRequest, { total, campaigns }: ReviewPage): number {
  const { campaign } = asked(request).filter;
  if (campaign === undefined) return total;
  return campaigns.find(({ id }) => id === campaign)?.counts.review ?? 0;
}

function stretchOf(request: PageRequest, page: ReviewPage) {
  const { before } = asked(request);
  return { before, many: page.items.length, total: isCounted(request) ? listed(request, page) : undefined };
}

function nextPage(request: PageRequest, page: ReviewPage): string | undefined {
  const { link, query } = request;
  if (page.next === undefined) return undefined;
  const place = { from: page.next, before: beforeNext(stretchOf(request, page)) };
  return changedAddress({ link, query: keptParams({ query }) }, '/review', place);
}

function pager(request: PageRequest, page: ReviewPage): Html | string {
  const { from } = asked(request);
  const { link, query } = request;
  if (page.next === undefined && from === undefined) return '';
  const first = changedAddress({ link, query: keptParams({ query }) }, '/review', { from: '', before: '' });
  return pagerOf('Pages', stretchOf(request, page), [
    ['First page', from === undefined ? undefined : first],
    ['Next rows', nextPage(request, page)],
  ]);
}

/** The rows that were just decided, from the address. */
function decidedPlaces({ query }: PageRequest) {
  return (query.get('decided') ?? '').split(',').slice(0, 50).flatMap(readPlace);
}

function readPlace(text: string): readonly { readonly campaign: string; readonly position: number }[] {
  const [, campaign, position] = /^([^.]{1,64})\.(\d{1,9})$/.exec(text) ?? [];
  return campaign === undefined ? [] : [{ campaign, position: Number(position) }];
}

async function look({ runtime, form: fields }: PageRequest): Promise<Redirect> {
  const places = fields.getAll('row').slice(0, 200).flatMap(readPlace);
  const asked = new Map(
    [...Map.groupBy(places, ({ campaign }) => campaign)].map(([id, some]) => [
      id,
      some.map(({ position }) => position),
    ]),
  );
  const { rows, found, isSlow } = await lookIntoRecords(runtime, asked);
  const to = homeOf(fields);
  return isSlow
    ? done(to, 'The publishing records are still loading.', 'Load the page again in a moment.', 'running')
    : done(to, `Searched for ${count(rows, 'row')}.`, `${count(found, 'post')} found.`);
}
