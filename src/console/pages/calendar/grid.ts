/** Posts by day and creator: darker cells have more posts, marked cells have posts that are too close together. */
import { html } from 'hono/html';
import type { Calendar, CreatorPlan } from '../../../campaigns/calendar/calendar.ts';
import { addDays } from '../../../campaigns/calendar/schedule.ts';
import type { Html } from '../../html.ts';
import { words } from '../../parts/language.ts';
import { count, number } from '../../parts/numbers/numbers.ts';
import { range } from '../../parts/paging.ts';
import type { PageRequest } from '../../request.ts';
import { type Asked, addressOf } from './asked.ts';

/** Creators of one page. */
const creatorsShown = 100;

export function grid(request: PageRequest, { today }: Asked, { days, creators }: Calendar): Html {
  const all = days.map((_day, day) => creators.reduce((sum, creator) => sum + postsOn(creator, day), 0));
  const busiest = Math.max(...creators.flatMap((creator) => days.map((_day, day) => postsOn(creator, day))));
  // A page beyond the end shows the last creators.
  const asked = Math.max(0, Math.trunc(Number(request.query.get('creators')) || 0));
  const start = asked < creators.length ? asked : 0;
  const shown = creators.slice(start, start + creatorsShown);
  const more = start + creatorsShown;
  return html`<section aria-labelledby="grid">
    <div class="section"><h2 id="grid">Posts by day and creator</h2></div>
    <div class="scroller pinned" role="group" aria-labelledby="grid" tabindex="0">
    <table class="calendar">
      <thead><tr><th scope="col">Creator</th>${days.map((day) => dayHead(request, day, today))}</tr></thead>
      <tbody>
        <tr class="all"><th scope="row">All ${number(creators.length)}</th>${all.map((posts) => html`<td>${number(posts)}</td>`)}</tr>
        ${shown.map((creator) => line(request, creator, days, busiest))}
      </tbody>
    </table>
    </div>
    ${creators.length <= creatorsShown ? '' : html`<nav class="pager" aria-label="Creators"><span>${range({ before: start, many: Math.min(more, creators.length) - start, total: creators.length })}</span><span>${start > 0 ? html`<a class="button" href="${addressOf(request, { creators: start > creatorsShown ? String(start - creatorsShown) : '' }, '#grid')}">Previous</a>` : ''} ${more < creators.length ? html`<a class="button" href="${addressOf(request, { creators: String(more) }, '#grid')}">Next</a>` : ''}</span></nav>`}
  </section>`;
}

function dayHead(request: PageRequest, day: string, today: string): Html {
  const date = addDays(day, 0);
  const name = date.toLocaleString('en', { weekday: 'short' });
  const weekend = date.dayOfWeek > 5 ? html` class="weekend"` : '';
  const current = day === today ? html` aria-current="date"` : '';
  return html`<th scope="col"${weekend}${current}><a href="${addressOf(request, { day, all: '' }, '#day')}">${name}<b>${date.day}</b></a></th>`;
}

function postsOn({ posts }: CreatorPlan, day: number): number {
  return posts.reduce((sum, post) => sum + (post.day === day ? 1 : 0), 0);
}

function line(request: PageRequest, creator: CreatorPlan, days: readonly string[], busiest: number): Html {
  const { name, collisions } = creator;
  const cells = days.map((day, index) => {
    const posts = postsOn(creator, index);
    if (posts === 0) return html`<td><span class="none">·</span></td>`;
    const colliding = collisions.filter(({ second }) => second.day === index).length;
    const share = posts / busiest;
    const weight = posts > 1 && share > 0.75 ? 'much' : posts > 1 && share > 0.4 ? 'some' : '';
    const mark =
      colliding === 0
        ? ''
        : html`<svg class="icon" width="16" height="16" role="img" aria-label="${count(colliding, 'collision')}"><use href="#i-warning"/></svg>`;
    const state = colliding === 0 ? '' : html` data-state="warning"`;
    return html`<td class="${weight}"${state}><a href="${addressOf(request, { day, creator: name, all: '' }, '#day')}">${number(posts)}${mark}</a></td>`;
  });
  return html`<tr><th scope="row"><a href="${addressOf(request, { creator: name, all: '' })}">${words(name)}</a></th>${cells}</tr>`;
}
