/** The rows in review as an inbox: the list at the left, one case at the right. */
import { type ReviewPage, unknownKinds } from '../../../app/decisions/list-review.ts';
import type { ReviewItem } from '../../../app/decisions/review-rows.ts';
import { describeAge, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { changedAddress, cursorPager, nextPlace, noMatch, readBefore, rowName } from '../../parts/list.ts';
import { preview, type ShownPicture, thumbnail } from '../../parts/picture.ts';
import type { PageRequest } from '../../request.ts';
import { fact } from '../row/media.ts';
import { reviewCase } from './case.ts';
import { scheduleOf, timeOf } from './record-cards.ts';

export const mostChosen = 500;

/** Filter and place in the list. `row`: rows selected on the page of their campaign. */
function keptParams({ query }: Pick<PageRequest, 'query'>): URLSearchParams {
  const kept = new URLSearchParams();
  for (const name of ['campaign', 'what', 'creator', 'row', 'from', 'before']) {
    const values = query.getAll(name).slice(0, mostChosen);
    for (const value of values) if (value !== '') kept.append(name, value);
  }
  return kept;
}

export function asked(request: Pick<PageRequest, 'query'>) {
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

export interface InboxView {
  readonly page: ReviewPage;
  readonly open: ReviewItem | undefined;
  /** By campaign and position. */
  readonly pictures: ReadonlyMap<string, ShownPicture>;
}

type ReviewRef = Pick<ReviewItem, 'campaign' | 'position'>;

export function placeOf({ campaign, position }: ReviewRef): string {
  return `${campaign}.${position}`;
}

export function inbox(request: PageRequest, shown: InboxView): Html {
  const { page, open } = shown;
  const pages = pager(request, page);
  if (open === undefined) {
    const all = [request.link('/review'), 'Show all rows in review'] as const;
    return html`${noMatch('No rows in review match.', '', all)}${pages}`;
  }
  return html`<div class="inbox"><div>${list(request, shown, open)}${pages}</div>${openedCase(request, shown, open)}</div>`;
}

function list(request: PageRequest, { page, pictures }: InboxView, open: ReviewItem): Html {
  const { items, campaigns } = page;
  const ageOf = (item: ReviewItem) => describeAge(Math.max(0, request.now - item.inReviewSince));
  // The same age beside each row says nothing.
  const isMixed = new Set(items.map(ageOf)).size > 1;
  const line = (item: ReviewItem) => {
    const place = placeOf(item);
    const current = place === placeOf(open) ? html` aria-current="true"` : '';
    return html`<a href="${caseAddress(request, place)}"${current}>${thumbnail(request, pictures.get(place))}<span><b>${words(item.creator)}</b><small>${item.caption === '' ? rowName(item) : words(item.caption)}</small></span><small>${isMixed ? ageOf(item) : ''}</small></a>`;
  };
  const groups = campaigns.flatMap(({ id, name, counts }) => {
    const some = items.filter(({ campaign }) => campaign === id);
    const many = isCounted(request) ? counts.review : some.length;
    return some.length === 0 ? [] : [html`<h2>${words(name)}, ${thousands(many)}</h2>${some.map(line)}`];
  });
  return html`<nav aria-label="Rows in review">${groups}</nav>`;
}

/** Whether the list has all rows in review, or all of one campaign. */
function isCounted(request: PageRequest): boolean {
  const { campaign: _campaign, ...others } = asked(request).filter;
  return Object.values(others).every((value) => value === undefined);
}

function caseAddress(request: PageRequest, open: string): string {
  return addressOf(request, { open });
}

function openedCase(request: PageRequest, { page, pictures }: InboxView, open: ReviewItem): Html {
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
    address === undefined
      ? ''
      : html`<a class="button bare" href="${address}" data-key="${key}">${label}</a>`;
  const all = isCounted(request) ? ` of ${thousands(listed(request, page))}` : '';
  const turn = html`<p class="turn"><span>${at < 0 || before === undefined ? '' : `${thousands(before + at + 1)}${all} in review`}</span> ${step('', next, 'Next ›')}</p>`;
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
  const done = open.about === 'post' ? 'posted' : 'generated';
  const picture = pictures.get(place);
  const opened = reviewCase(request, open, {
    picture,
    fields,
    button: next === undefined ? 'Decide' : 'Decide and go on',
    more: html`${back}<span class="keys">${records}<kbd>P</kbd> ${done} · <kbd>N</kbd> not ${done} · <kbd>J</kbd> <kbd>K</kbd> next, previous</span>${step('j', next, 'Not now')}`,
  });
  if (open.candidates.length > 0) return html`<div>${turn}${opened}</div>`;
  const { creator, caption, product, scheduledAt, scheduleId } = open;
  const post = { picture, creator, caption, product, when: timeOf(request, scheduledAt) };
  const facts = scheduleId !== null && html`<dl class="facts">${fact('Schedule', scheduleOf(open))}</dl>`;
  return html`<div>${turn}<div class="trio duo">${preview(request, post, facts)}${opened}</div></div>`;
}

function listed(request: PageRequest, { total, campaigns }: ReviewPage): number {
  const { campaign } = asked(request).filter;
  if (campaign === undefined) return total;
  return campaigns.find(({ id }) => id === campaign)?.counts.review ?? 0;
}

function stretchOf(request: PageRequest, page: ReviewPage) {
  const { before } = asked(request);
  return { before, many: page.items.length, total: isCounted(request) ? listed(request, page) : undefined };
}

function addressOf({ link, query }: PageRequest, changes: Readonly<Record<string, string>>): string {
  return changedAddress({ link, query: keptParams({ query }) }, '/review', changes);
}

function nextPage(request: PageRequest, page: ReviewPage): string | undefined {
  return page.next && addressOf(request, nextPlace(stretchOf(request, page), page.next));
}

function pager(request: PageRequest, page: ReviewPage): Html | string {
  const { from } = asked(request);
  const { next } = page;
  if (next === undefined && from === undefined) return '';
  const isFirst = from === undefined;
  return cursorPager(stretchOf(request, page), { isFirst, next }, (place) => addressOf(request, place));
}
