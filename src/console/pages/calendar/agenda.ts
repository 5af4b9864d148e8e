/** The days of the calendar: its address, the posts by day and creator, and those of one day along the hours. */

import type {
  Calendar,
  CalendarQuery,
  Collision,
  CreatorPlan,
} from '../../../app/campaigns/calendar/calendar.ts';
import type { PlannedPost } from '../../../app/campaigns/calendar/posts.ts';
import { addDays } from '../../../app/campaigns/calendar/schedule.ts';
import { printable } from '../../../manifest/printable.ts';
import { describeDuration, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { section, table } from '../../parts/blocks.ts';
import { changedAddress, indexPager, rowPath, textIn } from '../../parts/list.ts';
import { aheadInRegion, clock, isoDay, offset } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';

/** How the calendar is shown, and how many days of it. */
const views = { week: 7, month: 42, creators: 14, day: 1 } as const;
export type View = keyof typeof views;
/** In place of a zone in the address: each row's own. */
export const ownZones = 'row';
export const closeMinutes = [5, 15, 30, 60, 120] as const;
const minuteMs = 60_000;

export interface CalendarPageQuery extends CalendarQuery {
  readonly ownZones: boolean;
  readonly today: string;
  readonly view: View;
  /** The month that is shown, as `2027-03`. */
  readonly month: string;
  /** Whether to show only posts that are too close together. */
  readonly collisions: boolean;
  readonly day: string;
  /** Whether to list all creators of that day, and all collisions. */
  readonly all: boolean;
}

/** @throws {UseCaseError} `date_invalid`. */
export function readQuery({ query, now, zone, runtime }: PageRequest): CalendarPageQuery {
  const today = isoDay(now, zone);
  const view = (Object.keys(views) as View[]).find((each) => each === query.get('view')) ?? 'week';
  const wanted = textIn(query, 'from') ?? textIn(query, 'day') ?? today;
  const month = addDays(wanted, 0).toString().slice(0, 7);
  const from = firstDay(view, wanted, query.has('from'));
  const near = Number(query.get('near'));
  const tooCloseMs =
    Number.isFinite(near) && near > 0
      ? Math.min(near, 24 * 60) * minuteMs
      : runtime.settings.calendar.collision;
  const last = addDays(from, views[view] - 1).toString();
  const isShown = (day: string) => day >= from && day <= last;
  const day = textIn(query, 'day') ?? (isShown(today) ? today : from);
  return {
    from,
    days: views[view],
    view,
    month,
    collisions: query.get('collisions') === '1',
    zone,
    ownZones: query.get('zone') === ownZones,
    tooCloseMs,
    campaign: textIn(query, 'campaign'),
    creator: textIn(query, 'creator'),
    today,
    day: isShown(day) ? day : from,
    all: query.get('all') === '1',
  };
}

/** @param isNamed whether the address names the day: the list of creators begins with it. */
function firstDay(view: View, day: string, isNamed: boolean): string {
  if (view === 'month') return monday(`${addDays(day, 0).toString().slice(0, 7)}-01`);
  return view === 'day' || (view === 'creators' && isNamed) ? addDays(day, 0).toString() : monday(day);
}

export function monday(day: string): string {
  const { dayOfWeek } = addDays(day, 0);
  return addDays(day, 1 - dayOfWeek).toString();
}

/** The address of the calendar with some fields changed; an empty value removes a field. */
export function addressOf(
  request: PageRequest,
  changes: Readonly<Record<string, string>>,
  place = '',
): string {
  return changedAddress(request, '/calendar', changes, place);
}

const creatorsShown = 8;
/** Most creators of the list, also after "Show all". */
const mostCreators = 200;
const mostTimes = 12;
const hours = [0, 4, 8, 12, 16, 20, 24] as const;

interface DayOfCreator {
  readonly creator: CreatorPlan;
  readonly posts: readonly PlannedPost[];
  readonly close: ReadonlySet<PlannedPost>;
}

export function agenda(request: PageRequest, asked: CalendarPageQuery, { days, creators }: Calendar): Html {
  const index = days.indexOf(asked.day);
  const date = addDays(asked.day, 0);
  const planned = creators
    .map((creator): DayOfCreator => {
      const posts = creator.posts.filter(({ day }) => day === index);
      const close = new Set(creator.collisions.flatMap(({ first, second }) => [first, second]));
      return { creator, posts, close: new Set(posts.filter((post) => close.has(post))) };
    })
    .filter(({ posts }) => posts.length > 0)
    // Creators with collisions come first.
    .sort((one, other) => other.close.size - one.close.size);
  const shown = planned.slice(0, asked.all ? mostCreators : creatorsShown);
  const posts = planned.reduce((sum, each) => sum + each.posts.length, 0);
  const collisions = creators
    .flatMap((creator) => creator.collisions)
    .filter(({ second }) => second.day === index);
  const beside = (days: number) => {
    const day = date.add({ days });
    return html`<a href="${addressOf(request, { day: day.toString(), all: '' }, '#day')}">${day.toLocaleString('en', { weekday: 'long' })}</a>`;
  };
  const named = date.toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
  const note = html`${plural(posts, 'post')}${collisions.length > 0 && `, ${thousands(closePosts(collisions))} too close together`}. ${index > 0 && beside(-1)} ${index < days.length - 1 && beside(1)}`;
  const scale = hours.map((hour) => html`<span>${String(hour).padStart(2, '0')}:00</span>`);
  const list = table({
    of: 'day',
    isPinned: true,
    className: 'middle agenda',
    heads: ['Creator', html`<th scope="col"><span class="hours">${scale}</span></th>`, 'Posts'],
    lines: shown.map((each) => line(request, asked, each)),
  });
  return section(
    { id: 'day', title: named.replace(',', ''), note },
    html`${planned.length === 0 ? html`<p class="note">Nothing is planned on this day.</p>` : list}
    ${planned.length > shown.length ? html`<p class="pager"><a href="${addressOf(request, { all: '1' }, '#day')}">Show ${asked.all ? `the first ${thousands(mostCreators)} of ` : 'all '}${plural(planned.length, 'creator')}</a></p>` : ''}`,
  );
}

function line(request: PageRequest, asked: CalendarPageQuery, { creator, posts, close }: DayOfCreator): Html {
  const times = posts.slice(0, mostTimes);
  const zones = [...new Set(posts.map(({ zone }) => zone))];
  const beside = asked.ownZones ? namesOf(zones, posts) : region(posts);
  const list = addressOf(request, { view: 'day', from: '', day: asked.day, creator: creator.name, all: '' });
  const more =
    posts.length > mostTimes && html`<a href="${list}">and ${thousands(posts.length - mostTimes)} more</a>`;
  return html`<tr><th scope="row"><a href="${addressOf(request, { creator: creator.name, all: '' })}">${words(creator.name)}</a>${beside}</th><td class="strip">${strip(posts, close)}</td><td class="times">${times.map((post) => time(request, post, close.has(post), zones.length > 1))}${more}</td></tr>`;
}

/** The zones that the times of a creator are in. */
function namesOf([zone = '', ...others]: readonly string[], [first]: readonly PlannedPost[]): Html | string {
  if (first === undefined) return '';
  if (others.length > 0) return html`<br><small>${others.length + 1} time zones</small>`;
  const [area = '', ...place] = zone.split('/');
  return html`<br><small>${area}${place.map((part) => html`/<wbr>${part}`)} (${offset(first.at, zone)})</small>`;
}

/** How the creator's clocks differ from the times of the page. */
function region([first]: readonly PlannedPost[]): Html | string {
  const told = first && aheadInRegion(first.at, first.region, first.zone);
  return told === undefined ? '' : html`<br><small>${told}</small>`;
}

function strip(posts: readonly PlannedPost[], close: ReadonlySet<PlannedPost>): Html {
  const rules = hours.map((hour) => html`<path class="rule" d="M${((hour / 24) * 100).toFixed(3)} 0V20"/>`);
  const marks = posts.map((post) => {
    const x = Math.min(99.3, shareOfDay(post) * 100).toFixed(2);
    return close.has(post)
      ? html`<rect x="${x}" width=".7" y="1" height="18" class="hit"/>`
      : html`<rect x="${x}" width=".7" y="3" height="14" class="tick"/>`;
  });
  return html`<svg height="20" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">${rules}${marks}</svg>`;
}

/** Position within the day, from 0 to 1, by the clock: days with a clock change look like any other. */
function shareOfDay({ at, zone }: PlannedPost): number {
  const [hour = 0, minute = 0] = clock(at, zone).split(':').map(Number);
  return (hour * 60 + minute) / (24 * 60);
}

/** @param withZone where the times beside it are in other zones. */
function time(request: PageRequest, post: PlannedPost, isClose: boolean, withZone: boolean): Html {
  const mark = isClose ? icon('warning', 'too close') : '';
  return html`${rowLink(request, post, html`${mark}${clock(post.at, post.zone)}${withZone ? ` ${offset(post.at, post.zone)}` : ''}`, isClose)} `;
}

/** How many posts are too close to another. */
export function closePosts(collisions: readonly Collision[]): number {
  return new Set(collisions.flatMap(({ first, second }) => [first, second])).size;
}

/** `12 min apart`. */
export function apartText({ apartMs }: Pick<Collision, 'apartMs'>): string {
  return apartMs < minuteMs ? 'same minute' : `${describeDuration(apartMs)} apart`;
}

export function rowLink(request: PageRequest, post: PlannedPost, label: Html, isClose = false): Html {
  const { campaign, key, place = key, product } = post;
  const state = isClose ? html` data-state="warning"` : '';
  const title = [place, campaign.name, product].filter((part) => part !== '').join(', ');
  return html`<a href="${postAddress(request, post)}" title="${printable(title)}"${state}>${label}</a>`;
}

/** Of its row: a draft's is where it is edited. */
export function postAddress({ link }: PageRequest, { campaign, key, state, position }: PlannedPost): string {
  return link(
    state === 'draft' ? `/campaigns/new/${campaign.id}/rows/${position + 1}` : rowPath(campaign.id, key),
  );
}

const creatorsAPage = 100;

export function grid(request: PageRequest, { today }: CalendarPageQuery, { days, creators }: Calendar): Html {
  const all = days.map((_day, day) => creators.reduce((sum, creator) => sum + postsOn(creator, day), 0));
  // A page beyond the end shows the first creators.
  const asked = Math.max(0, Math.trunc(Number(request.query.get('creators')) || 0));
  const start = asked < creators.length ? asked : 0;
  const shown = creators.slice(start, start + creatorsAPage);
  const to = (from: number) => addressOf(request, { creators: from > 0 ? String(from) : '' }, '#grid');
  const stretch = { from: start, each: creatorsAPage, total: creators.length };
  const sums = html`<tr class="all"><th scope="row">All ${thousands(creators.length)}</th>${all.map((posts) => html`<td>${posts > 0 && thousands(posts)}</td>`)}</tr>`;
  const rows = table({
    of: 'grid',
    isPinned: true,
    className: 'calendar',
    heads: ['Creator', ...days.map((day) => dayHead(request, day, today))],
    lines: [sums, ...shown.map((creator) => gridLine(request, creator, days))],
  });
  return html`<section aria-labelledby="grid"><h2 class="hidden" id="grid">Posts by day and creator</h2>
    ${rows}${indexPager('Creators', stretch, ['Previous', 'Next'], to)}</section>`;
}

function dayHead(request: PageRequest, day: string, today: string): Html {
  const date = addDays(day, 0);
  const name = date.toLocaleString('en', { weekday: 'short' });
  const current = day === today ? html` aria-current="date"` : '';
  return html`<th scope="col"${current}><a href="${addressOf(request, { day, all: '' }, '#day')}">${name}<br><b>${date.day}</b></a></th>`;
}

function postsOn({ posts }: CreatorPlan, day: number): number {
  return posts.reduce((sum, post) => sum + (post.day === day ? 1 : 0), 0);
}

/** From so many posts on, more of them look the same. Steps of their own length, so that a day looks alike on every page. */
const darkestFrom = 3;

function gridLine(request: PageRequest, creator: CreatorPlan, days: readonly string[]): Html {
  const { name, collisions } = creator;
  const cells = days.map((day, index) => {
    const posts = postsOn(creator, index);
    if (posts === 0) return html`<td></td>`;
    const colliding = collisions.filter(({ second }) => second.day === index).length;
    const mark = colliding === 0 ? '' : icon('warning', 'too close together');
    const state = colliding === 0 ? '' : html` data-state="warning"`;
    return html`<td data-posts="${Math.min(posts, darkestFrom)}"${state}><a href="${addressOf(request, { day, creator: name, all: '' }, '#day')}">${thousands(posts)}${mark}</a></td>`;
  });
  return html`<tr><th scope="row"><a href="${addressOf(request, { creator: name, all: '' })}">${words(name)}</a></th>${cells}</tr>`;
}
