/** A month of days, each with its posts as pictures. */
import type { Calendar } from '../../../app/campaigns/calendar/calendar.ts';
import type { PlannedPost } from '../../../app/campaigns/calendar/posts.ts';
import { addDays } from '../../../app/campaigns/calendar/schedule.ts';
import { thousands } from '../../../manifest/wording.ts';
import { type Html, html } from '../../html.ts';
import { clock } from '../../parts/numbers.ts';
import { thumbnail } from '../../parts/picture.ts';
import { icon, iconOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import type { CalendarPageQuery } from './agenda.ts';
import { type CardContent, clashesOf, type Day, dayAddress, daysOf, shownPosts } from './cards.ts';

/** Pictures of one day. */
const picturesADay = 4;

export async function month(
  request: PageRequest,
  asked: CalendarPageQuery,
  calendar: Calendar,
): Promise<Html> {
  const clashes = clashesOf(calendar);
  const days = daysOf(calendar, asked, clashes);
  const shown = await shownPosts(
    request,
    days.flatMap(({ posts }) => posts.slice(0, picturesADay)),
    false,
  );
  const heads = days
    .slice(0, 7)
    .map(
      ({ date }) => html`<th scope="col">${addDays(date, 0).toLocaleString('en', { weekday: 'short' })}</th>`,
    );
  const weeks = Array.from({ length: days.length / 7 }, (_, index) =>
    days.slice(index * 7, index * 7 + 7),
  ).filter((each) => each.some(({ date }) => date.startsWith(asked.month)));
  const lines = weeks.map(
    (each) => html`<tr>${each.map((day) => monthDay(request, asked, day, shown))}</tr>`,
  );
  return html`<table class="month"><caption class="hidden">Posts by day</caption><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>
    <p class="note after">Open a day to see its posts.</p>`;
}

function monthDay(
  request: PageRequest,
  asked: CalendarPageQuery,
  { date, posts, collisions }: Day,
  shown: ReadonlyMap<PlannedPost, CardContent>,
): Html {
  const { day } = addDays(date, 0);
  const isOut = date.slice(0, 7) !== asked.month;
  const className = date === asked.today ? 'today' : isOut ? 'out' : '';
  const film = posts
    .slice(0, picturesADay)
    .map((post) => thumbnail(request, shown.get(post)?.picture, 'month'));
  const rest = posts.length - film.length;
  const [from, until] = [posts[0], posts.at(-1)].map((post) => post && clock(post.at, post.zone));
  const times = html`<span class="at">${from}${until !== from && ` to ${until}`}</span>`;
  const stopped = posts.filter(({ state }) => state === 'failed').length;
  const review = posts.filter(({ state }) => state === 'review').length;
  const sign = (state: 'warning' | 'failed' | 'review', many: number, what: string) =>
    many === 0
      ? ''
      : html`<span data-state="${state}">${icon(iconOf(state), what)} <span>${thousands(many)}</span></span>`;
  return html`<td class="${className}"><a href="${dayAddress(request, date, posts.length)}">
    <span class="date"><b>${day}</b>${posts.length > 0 ? html` <span>${thousands(posts.length)}<span> ${posts.length === 1 ? 'post' : 'posts'}</span></span>` : ''}</span>
    ${times}${film.length > 0 ? html`<span class="film">${film}${rest > 0 ? html`<span>+${thousands(rest)}</span>` : ''}</span>` : ''}
    <span class="signs">${sign('warning', collisions, 'Too close together')}${sign('failed', stopped, 'Failed')}${sign('review', review, 'In review')}</span>
  </a></td>`;
}
