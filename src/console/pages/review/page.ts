/** `/review`: everything that waits for a person, over all campaigns. */
import { listReview, type ReviewPage, unknownKinds } from '../../../campaigns/decisions/list-review.ts';
import type { ReviewItem } from '../../../campaigns/decisions/review-item.ts';
import { isNotFound } from '../../../campaigns/decisions/unproven.ts';
import { canLook, lookIntoRecords } from '../../../campaigns/records.ts';
import { type Html, html } from '../../html.ts';
import { beforeNext, changedAddress, pager, readBefore, rowPath } from '../../parts/address.ts';
import { empty } from '../../parts/blocks.ts';
import { done, form, hiddenFields, mayChange, select } from '../../parts/form.ts';
import { count, number } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { Page, PageRequest, Redirect, Route, Stream } from '../../request.ts';
import { card } from './card.ts';
import { askDecide, choiceField, decide, mostChoices } from './second-look.ts';
import { allAtOnce, decisionSheetRoutes, sheetLink } from './sheet.ts';
import { decidedLately, undo } from './undo.ts';

const mostChosen = 500;
/** Two for each decision, and the rows that were selected. */
const mostFields = 2 * mostChoices + mostChosen + 20;

export const reviewRoutes: readonly Route[] = [
  { method: 'get', path: '/review', role: 'viewer', handle: showReview },
  { method: 'get', path: '/review/events', role: 'viewer', handle: streamReview },
  { method: 'post', path: '/review/all', role: 'operator', mostNames: mostFields, handle: showReview },
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

/** Filter and place, from the address or from a form of that page. `row`: rows selected on the page of their campaign. */
function keptParams({ query, form: fields }: PageRequest): URLSearchParams {
  const kept = new URLSearchParams();
  for (const name of ['campaign', 'what', 'creator', 'row', 'from', 'before']) {
    const values = (query.has(name) ? query : fields).getAll(name).slice(0, mostChosen);
    for (const value of values) if (value !== '') kept.append(name, value);
  }
  return kept;
}

function asked(request: PageRequest) {
  const kept = keptParams(request);
  const value = (name: string) => kept.get(name) ?? undefined;
  const kind = unknownKinds.find((each) => each === value('what'));
  const keys = kept.has('row') ? new Set(kept.getAll('row')) : undefined;
  const from = value('from');
  return {
    filter: { campaign: value('campaign'), kind, creator: value('creator'), keys },
    from,
    before: readBefore(kept, from === undefined),
  };
}

async function showReview(request: PageRequest): Promise<Page> {
  const { filter, from } = asked(request);
  const page = await listReview(request.runtime, { filter, from });
  return {
    kind: 'page',
    title: page.total === 0 ? 'Review' : `Review, ${count(page.total, 'row')}`,
    section: '/review',
    stream: `/review/events?rows=${page.total}`,
    main: html`
      ${head(request, page)}
      ${await decidedLately(request, decidedPlaces(request))}
      ${page.total === 0 ? nothing() : html`${warning(request)}${filters(request, page)}${list(request, page)}`}`,
  };
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
  return html`<p class="about" id="review-count">${text}</p>`;
}

function head(request: PageRequest, page: ReviewPage): Html {
  const operator = mayChange(request);
  const isUseful = page.items.some(({ about }) => about === 'post');
  const can = canLook(request.runtime);
  const places = page.items.map(({ campaign, position }) => ['row', `${campaign}.${position}`] as const);
  const lookNow = isUseful && operator && can && lookForm(request, places);
  const cannot = html`<p class="note">The publishing records cannot be read here. An operator can set this up.</p>`;
  return html`<div class="head"><div><h1>Review</h1>${total(page.total)}${isUseful && !can && cannot}<p class="note stale">${stale(page.total, page.total)} <a href="${request.link(`/review?${keptParams(request)}`)}">Show the list as it is now</a></p></div><div class="actions">${operator && page.total > 0 && sheetLink(request, asked(request).filter.campaign)}${lookNow}</div></div>`;
}

/** @param fields `row` for each row to look for. */
export function lookForm(request: PageRequest, fields: readonly (readonly [string, string])[]): Html {
  const body = html`${hiddenFields(fields)}<button>${icon('again')}Search publishing records now</button>`;
  return form(request, { path: '/review/look', body });
}

function warning(request: PageRequest): Html | string {
  if (!mayChange(request)) return '';
  return html`<div class="notice" data-state="review"><p>${icon('warning')}<span><b>Check the creator’s profile, or the service’s dashboard.</b>
    <small>“Not posted” resends the row. If the post exists after all, this creates a duplicate, and the creator’s followers see both.</small></span></p></div>`;
}

function nothing(): Html {
  return empty(
    html`<b>Nothing needs review</b>`,
    html`<p>Rows appear here when a request was sent but its result is unknown. You then check the creator’s profile, or the service’s dashboard, and decide.</p>`,
  );
}

function filters(request: PageRequest, { campaigns }: ReviewPage): Html {
  const { filter } = asked(request);
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

function list(request: PageRequest, page: ReviewPage): Html {
  const { items } = page;
  const forward = pages(request, page);
  if (items.length === 0) {
    return html`${empty(
      html`<b>No rows in review match.</b>`,
      html`<p class="actions"><a class="button" href="${request.link('/review')}">Show all rows in review</a></p>`,
    )}${forward}`;
  }
  const chosen = choose(request, items);
  const cards = html`<ul class="doubts">${items.map((item) => card(request, item, { chosen }))}</ul>`;
  if (!mayChange(request)) return html`${cards}${forward}`;
  const body = html`${hiddenFields(keptParams(request))}${allAtOnce(request, items)}${cards}
    <div class="dock">
      <p><b><span class="howmany"></span> of ${items.length} decided</b> <small>Nothing is sent before you confirm.</small></p>
      <button class="primary" hx-post="${request.link('/review')}" hx-target="#question" hx-swap="innerHTML">Preview decisions…</button>
    </div>`;
  return html`${form(request, { path: '/review', className: 'choose review', body })}${forward}`;
}

function pages(request: PageRequest, { items, total, campaigns, next }: ReviewPage): Html | string {
  const { from, before, filter } = asked(request);
  if (next === undefined && from === undefined) return '';
  const { campaign, ...others } = filter;
  const isCounted = Object.values(others).every((value) => value === undefined);
  const ofCampaign = campaigns.find(({ id }) => id === campaign)?.counts.review;
  const stretch = {
    before,
    many: items.length,
    total: isCounted ? (campaign === undefined ? total : ofCampaign) : undefined,
  };
  const address = (place: Readonly<Record<'from' | 'before', string>>) =>
    changedAddress({ link: request.link, query: keptParams(request) }, '/review', place);
  return pager('Pages', stretch, [
    ['First page', from === undefined ? undefined : address({ from: '', before: '' })],
    ['Next rows', next && address({ from: next, before: beforeNext(stretch) })],
  ]);
}

/** The choices so far, with those that a button for all rows has added. */
function choose({ form: fields }: PageRequest, items: readonly ReviewItem[]): URLSearchParams {
  const all = fields.get('all');
  if (all === 'later') return new URLSearchParams();
  const chosen = new URLSearchParams(fields);
  if (all !== 'no-record') return chosen;
  for (const item of items) {
    if (isNotFound(item.about, item)) chosen.set(choiceField(item), 'not-posted');
  }
  return chosen;
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
  const [campaign, key] = [fields.get('row-campaign'), fields.get('row-key')];
  const to = campaign !== null && key !== null ? rowPath(campaign, key) : '/review';
  return isSlow
    ? done(to, 'The publishing records are still loading.', 'Load the page again in a moment.', 'running')
    : done(to, `Searched for ${count(rows, 'row')}.`, `${count(found, 'post')} found.`);
}
