/** The next posts of all campaigns, beside what runs: a few with their pictures, and how many each day has. */
import { type PlannedPost, readPosts } from '../../../app/campaigns/calendar/posts.ts';
import { unlessLate } from '../../../app/runtime/patience.ts';
import { plural } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { clock, day, isoDay, timesIn } from '../../parts/numbers.ts';
import { thumbnail } from '../../parts/picture.ts';
import { icon, iconOf, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { postAddress } from '../calendar/agenda.ts';
import { type CardContent, shownPosts, stateOfPost } from '../calendar/cards.ts';

/** From today on. */
const daysLookedAt = 7;

/** A large sheet is read once, which takes seconds: nobody waits for it here. */
const patienceMs = 1000;

/** Empty if nothing is due within these days, or while large sheets are being read. @param most posts to show. */
export async function nextPosts(request: PageRequest, most: number): Promise<Html | string> {
  const { runtime, progress, zone, now, link } = request;
  const query = { from: isoDay(now, zone), days: daysLookedAt, zone, mostUntimed: 0 };
  const reading = readPosts(runtime, progress.schedules, query, 'of the days');
  const read = await unlessLate(reading, patienceMs);
  if (read === undefined) {
    // It goes on, and the next page has them.
    reading.catch(() => undefined);
    return '';
  }
  const ahead = read.posts
    .filter((post) => post.at > now && isToCome(post))
    .sort((one, other) => one.at - other.at);
  const shown = ahead.slice(0, most);
  if (shown.length === 0) return '';
  const contents = await shownPosts(request, shown, true);
  const byDay = Map.groupBy(ahead, (post) => post.day);
  const days = Map.groupBy(shown, (post) => post.day);
  return html`<aside class="card next" aria-labelledby="next">
    <div class="section"><h2 id="next">Next posts</h2><p>${timesIn(request)} · <a href="${link('/calendar')}">Calendar</a></p></div>
    <ol>${[...days].map(([day, some]) => html`<li class="hour">${dayLine(request, byDay.get(day) ?? [])}</li>${some.map((post) => postLine(request, post, contents.get(post)))}`)}</ol>
  </aside>`;
}

function isToCome({ state, delivery }: PlannedPost): boolean {
  return ['waiting', 'running', 'ready'].includes(state) || delivery === 'scheduled';
}

/** `Tomorrow, Sun 29 Nov · 12 posts`. */
function dayLine({ zone, now }: PageRequest, posts: readonly PlannedPost[]): string {
  const at = posts[0]?.at ?? now;
  const isToday = isoDay(at, zone) === isoDay(now, zone);
  return `${isToday ? 'Today' : day(at, zone, now)} · ${plural(posts.length, 'post')}`;
}

function postLine(request: PageRequest, post: PlannedPost, content: CardContent | undefined): Html {
  const { at, name, zone } = post;
  const shown = stateOfPost(post);
  const state = content?.isUnapproved
    ? html`<span data-state="review">${icon('warning', 'for approval')}</span>`
    : html`<span data-state="${shown}">${icon(iconOf(shown), wordOf(shown))}</span>`;
  return html`<li><a href="${postAddress(request, post)}">${thumbnail(request, content?.picture)}<span><b>${clock(at, zone)}</b> ${words(name)}<small>${words(content?.caption ?? '')}</small></span>${state}</a></li>`;
}
