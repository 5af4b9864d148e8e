/** `/review`: everything that waits for a person, over all campaigns. */

import { mayDo } from '../../../app/access/roles.ts';
import { canLook, lookIntoRecords } from '../../../app/campaigns/publishing-records.ts';
import { listReview, type ReviewPage, unknownKinds } from '../../../app/decisions/list-review.ts';
import { describeReview, type ReviewItem } from '../../../app/decisions/review-rows.ts';
import { isNotFound } from '../../../app/decisions/unproven.ts';
import { decisionOperations } from '../../../app/operations/decisions.ts';
import { plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html } from '../../html.ts';
import { allCampaigns, empty, liveStream } from '../../parts/blocks.ts';
import { done, form, hiddenFields } from '../../parts/form.ts';
import { filterChips, staleNote } from '../../parts/list.ts';
import { inCommonZone } from '../../parts/numbers.ts';
import { picturesOfAll } from '../../parts/picture.ts';
import { icon } from '../../parts/state.ts';
import type { Page, PageRequest, Redirect, Route, Stream } from '../../request.ts';
import { asked, inbox, mostChosen, placeOf } from './inbox.ts';
import { askDecide, choiceField, decide, homeOf, mostChoices } from './second-look.ts';
import { decidedLately, undo } from './undo.ts';

/** Two for each decision, and the rows that were selected. */
const mostFields = 2 * mostChoices + mostChosen + 20;

export const reviewRoutes: readonly Route[] = [
  { method: 'get', path: '/review', right: 'see', handle: showReview },
  { method: 'get', path: '/review/events', right: 'see', handle: streamReview },
  { method: 'post', path: '/review', right: 'run', mostNames: mostFields, handle: askDecide },
  { method: 'post', path: '/review/decide', right: 'run', mostNames: mostFields, handle: decide },
  { method: 'post', path: '/review/look', right: 'run', handle: look },
  { method: 'post', path: '/review/undo', right: 'run', handle: undo },
];

const kinds: Readonly<Record<(typeof unknownKinds)[number], string>> = {
  records: 'Post, with similar records',
  'no-record': 'Post, without a record',
  generation: 'AI generation',
};

/** Rows of a page: as many as its list shows without much scrolling. */
const rowsOfPage = 50;

async function showReview(given: PageRequest): Promise<Page> {
  const { filter, from } = asked(given);
  const page = await listReview(given.runtime, { filter, from, limit: rowsOfPage });
  const { items, campaigns } = page;
  const request = inCommonZone(given, campaigns);
  const open = await openCase(request, page);
  const all = open === undefined || items.includes(open) ? items : [...items, open];
  const shown = { page, open, pictures: await picturesOfAll(request, campaigns, all, placeOf) };
  const { total } = page;
  return {
    kind: 'page',
    title: titleOf(total),
    zone: request.zone,
    stream: `/review/events?rows=${total}`,
    scripts: ['review.js'],
    main: html`
      ${head(request, page)}
      ${await decidedLately(request, decidedPlaces(request))}
      ${total === 0 ? nothing(request) : html`${filters(request, page)}${inbox(request, shown)}`}`,
  };
}

function titleOf(rows: number): string {
  return rows === 0 ? 'Review' : `Review, ${plural(rows, 'row')}`;
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

function streamReview(request: PageRequest): Stream {
  const loaded = Number(request.query.get('rows'));
  return liveStream(request, { key: `review ${loaded}` }, async ({ runtime }) => {
    const campaigns = await runtime.ledger.campaigns.list();
    const rows = campaigns.reduce((sum, { counts }) => sum + counts.review, 0);
    return { 'review-count': total(rows), 'review-stale': staleNote('review-stale', 'row', rows, loaded) };
  });
}

function total(rows: number): Html {
  const text =
    rows === 0
      ? ''
      : rows === 1
        ? '1 row may or may not have gone through. It won’t be resent unless you say so.'
        : `${thousands(rows)} rows may or may not have gone through. They won’t be resent unless you say so.`;
  return html`<p class="about" id="review-count" data-title="${titleOf(rows)}">${text}</p>`;
}

function head(request: PageRequest, page: ReviewPage): Html {
  const isUseful = page.items.some(({ about }) => about === 'post');
  const can = canLook(request.runtime);
  const { kept } = asked(request);
  const again = html`<p class="note stale">${staleNote('review-stale', 'row', page.total, page.total)} <a href="${request.link(`/review?${kept}`)}">Show the current list</a></p>`;
  const buttons =
    mayDo(request, 'run') &&
    page.total > 0 &&
    html`<div class="actions">${allAtOnce(request, page.items, kept)}${isUseful && can && lookForm(request, page.items, kept)}</div>`;
  return html`<div class="head"><div><h1>Review</h1>${total(page.total)}${again}</div>${buttons}</div>`;
}

/** Decides all posts of a list that a search of the records did not find. Asks first. @param kept filter and place of the list. */
function allAtOnce(request: PageRequest, items: readonly ReviewItem[], kept: URLSearchParams): Html | string {
  const absent = items.filter((item) => isNotFound(item.about, item));
  if (absent.length === 0) return '';
  const choices = absent.map((item) => [choiceField(item), 'not-posted'] as const);
  const body = html`${hiddenFields([...choices, ['home', String(kept)]])}<button hx-post="${request.link('/review')}" hx-target="#question" hx-swap="innerHTML">Mark ${plural(absent.length, 'post')} as not posted…</button>`;
  return form(request, { path: '/review', body });
}

function lookForm(request: PageRequest, items: readonly ReviewItem[], kept: URLSearchParams): Html {
  const rows = items.map((item) => ['row', placeOf(item)] as const);
  const body = html`${hiddenFields([...rows, ['home', String(kept)]])}<button>${icon('again')}Search publishing records now</button>`;
  return form(request, { path: '/review/look', body });
}

function nothing({ link }: PageRequest): Html {
  return empty(
    html`<b>Nothing needs review</b>`,
    html`<p>Rows appear here when a request was sent but its result is unknown. You then check the creator’s profile, or the service’s dashboard, and decide.</p>${allCampaigns(link)}`,
  );
}

/** Only for a list that is long, or filtered already. */
function filters(request: PageRequest, { campaigns, total }: ReviewPage): Html | string {
  const { filter, kept } = asked(request);
  if (total <= fewRows && kept.size === 0) return '';
  return filterChips(request, { path: '/review' }, [
    {
      name: 'campaign',
      title: 'Campaign',
      value: filter.campaign,
      options: campaigns.map(({ id, name, counts }) => [id, `${name} (${thousands(counts.review)})`]),
    },
    {
      name: 'what',
      title: 'Kind',
      value: filter.kind,
      options: unknownKinds.map((kind) => [kind, kinds[kind]]),
    },
    { name: 'creator', title: 'Creator', value: filter.creator },
  ]);
}

const fewRows = 10;

/** The rows that were just decided, from the address. */
function decidedPlaces({ query }: PageRequest) {
  return (query.get('decided') ?? '').split(',').slice(0, 50).flatMap(readPlace);
}

function readPlace(text: string): readonly { readonly campaign: string; readonly position: number }[] {
  const [, campaign, position] = /^([^.]{1,64})\.(\d{1,9})$/.exec(text) ?? [];
  return campaign === undefined ? [] : [{ campaign, position: Number(position) }];
}

async function look({ runtime, form: fields, record }: PageRequest): Promise<Redirect> {
  const places = fields.getAll('row').slice(0, 200).flatMap(readPlace);
  const asked = new Map(
    [...Map.groupBy(places, ({ campaign }) => campaign)].map(([id, some]) => [
      id,
      some.map(({ position }) => position),
    ]),
  );
  const { rows, found, isSlow } = await lookIntoRecords(runtime, asked);
  await record(decisionOperations.lookIntoRecords, {}, { rows, found });
  const to = homeOf(fields);
  return isSlow
    ? done(to, 'The publishing records are still loading.', 'Load the page again in a moment.', 'running')
    : done(to, `Searched for ${plural(rows, 'row')}.`, `${plural(found, 'post')} found.`);
}
