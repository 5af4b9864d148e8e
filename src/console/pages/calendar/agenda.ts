/** The posts of one day, creator by creator, along the hours. */
import { html } from 'hono/html';
import type { Calendar, CreatorPlan, PlannedPost } from '../../../campaigns/calendar/calendar.ts';
import { addDays } from '../../../campaigns/calendar/schedule.ts';
import { presentable } from '../../../manifest/presentable.ts';
import type { Html } from '../../html.ts';
import { words } from '../../parts/language.ts';
import { clock, count, number, offset } from '../../parts/numbers/numbers.ts';
import { aheadInRegion } from '../../parts/numbers/region.ts';
import type { PageRequest } from '../../request.ts';
import { type Asked, addressOf } from './asked.ts';

const creatorsShown = 8;
/** Most creators of the list, also after "Show all". */
const mostCreators = 200;
const mostTimes = 60;
const hours = [0, 4, 8, 12, 16, 20, 24] as const;

interface DayOfCreator {
  readonly creator: CreatorPlan;
  readonly posts: readonly PlannedPost[];
  readonly close: ReadonlySet<PlannedPost>;
}

export function agenda(request: PageRequest, asked: Asked, { days, creators }: Calendar): Html {
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
  return html`<section aria-labelledby="day">
    <div class="section"><h2 id="day">${named.replace(',', '')}</h2><p>${count(posts, 'post')}, ${count(collisions.length, 'collision')}. ${index > 0 ? beside(-1) : ''} ${index < days.length - 1 ? beside(1) : ''}</p></div>
    ${
      planned.length === 0
        ? html`<p class="note">Nothing is planned on this day.</p>`
        : html`<div class="scroller pinned" role="group" aria-labelledby="day" tabindex="0">
    <table class="middle agenda">
      <thead><tr><th scope="col">Creator</th><th scope="col"><span class="hours">${hours.map((hour) => html`<span>${String(hour).padStart(2, '0')}:00</span>`)}</span></th><th scope="col">Posts</th></tr></thead>
      <tbody>${shown.map((each) => line(request, asked, each))}</tbody>
    </table></div>`
    }
    ${planned.length > shown.length ? html`<p class="pager"><a href="${addressOf(request, { all: '1' }, '#day')}">Show ${asked.all ? `the first ${number(mostCreators)} of ` : 'all '}${count(planned.length, 'creator')}</a></p>` : ''}
  </section>`;
}

function line(request: PageRequest, asked: Asked, { creator, posts, close }: DayOfCreator): Html {
  const times = posts.slice(0, mostTimes);
  const zones = [...new Set(posts.map(({ zone }) => zone))];
  const beside = asked.ownZones ? namesOf(zones, posts) : region(posts);
  return html`<tr><th scope="row"><a href="${addressOf(request, { creator: creator.name, all: '' })}">${words(creator.name)}</a>${beside}</th><td class="strip">${strip(posts, close)}</td><td class="times">${times.map((post) => time(request, post, close.has(post), zones.length > 1))}${posts.length > mostTimes ? `and ${number(posts.length - mostTimes)} more` : ''}</td></tr>`;
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
  const mark = isClose
    ? html`<svg class="icon" width="16" height="16" role="img" aria-label="too close"><use href="#i-warning"/></svg>`
    : '';
  return html`${rowLink(request, post, html`${mark}${clock(post.at, post.zone)}${withZone ? ` ${offset(post.at, post.zone)}` : ''}`, isClose)} `;
}

export function rowLink(
  { link }: PageRequest,
  { campaign, key, product }: PlannedPost,
  label: Html,
  isClose = false,
): Html {
  const state = isClose ? html` data-state="warning"` : '';
  const title = [key, campaign.name, product].filter((part) => part !== '').join(', ');
  return html`<a href="${link(`/campaigns/${campaign.id}/rows/${encodeURIComponent(key)}`)}" title="${presentable(title)}"${state}>${label}</a>`;
}
