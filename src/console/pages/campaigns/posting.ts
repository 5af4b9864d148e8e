/** The campaigns that post now, each with its last posts, and the queue behind them; and the next posts of all campaigns. */
import { LRUCache } from 'lru-cache';
import { type PlannedPost, readPosts } from '../../../app/campaigns/calendar/posts.ts';
import type { CampaignOverview } from '../../../app/campaigns/list.ts';
import { unlessLate } from '../../../app/runtime/patience.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { capitalized, describeDuration, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { section } from '../../parts/blocks.ts';
import { clock, day, isoDay, timesIn } from '../../parts/numbers.ts';
import { thumbnail } from '../../parts/picture.ts';
import { film, filmOfRows } from '../../parts/post-pictures.ts';
import { icon, iconOf, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { postAddress } from '../calendar/agenda.ts';
import { type CardContent, shownPosts, stateOfPost } from '../calendar/cards.ts';
import { coversSection, readCovers } from '../campaign/covers.ts';
import { card } from './entry.ts';

/** @param next the queue behind them, as one sentence. */
export async function postingGroup(
  request: PageRequest,
  shown: readonly CampaignOverview[],
  next: Html | string,
): Promise<Html | string> {
  if (shown.length === 0) return '';
  const cards = await Promise.all(
    shown.map(async (one) => card(request, one, await filmOfLast(request, one.campaign))),
  );
  const isPosting = shown.some(({ summary }) => summary?.workers.some(({ isAlive }) => isAlive));
  const title = html`${isPosting ? 'Posting now' : 'Running'} <span>${thousands(shown.length)}</span>`;
  return section({ id: 'running', title, note: next }, html`<ul class="running">${cards}</ul>`);
}

/** `Next: Always-on catalogue in about 25 min, then 7 more`. @param ms until its next post. */
export function queueText(
  { link }: PageRequest,
  next: Campaign | undefined,
  ms: number,
  others: number,
): Html | string {
  if (next === undefined) return '';
  const more = others > 0 ? `, then ${thousands(others)} more` : '';
  // Nobody knows it to the second.
  const about = `in about ${describeDuration(Math.max(1, Math.round(ms / minuteMs)) * minuteMs)}`;
  return html`Next: <a href="${link(`/campaigns/${next.id}`)}">${words(next.name)}</a> ${about}${more}`;
}

const minuteMs = 60_000;
const mostOfLast = 7;
const mostOfFirst = 3;
const mostKept = 200;

/** Films of campaigns while a page is open: each is read again only when what it shows has changed. */
export class Films {
  readonly #kept = new LRUCache<string, Html | string>({ max: mostKept });

  async of(request: PageRequest, campaign: Campaign, which: 'first' | 'last'): Promise<Html | string> {
    const { id, counts, sheetVersion } = campaign;
    const key = which === 'last' ? `${id} posted ${counts.posted}` : `${id} sheet ${sheetVersion}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const read = which === 'last' ? filmOfLast : filmOfFirst;
    const shown = await read(request, campaign);
    this.#kept.set(key, shown);
    return shown;
  }
}

async function filmOfLast(request: PageRequest, campaign: Campaign): Promise<Html | string> {
  const posts = await readCovers(request, campaign);
  const pictures = posts.slice(0, mostOfLast).map(({ picture }) => picture);
  return film(request, pictures);
}

/** What was posted last, by the newest campaign that has posts. Empty if none of it is out yet: the next posts are shown as such. */
export async function lastPosts(
  request: PageRequest,
  campaigns: readonly Campaign[],
): Promise<Html | string> {
  const last = campaigns.find(({ counts }) => counts.posted > 0);
  if (last === undefined) return '';
  const posts = await readCovers(request, last);
  if (posts.every(({ isAhead }) => isAhead)) return '';
  const name = html`in <a href="${request.link(`/campaigns/${last.id}`)}">${words(last.name)}</a>`;
  return coversSection(request, last, posts, name);
}

export function filmOfFirst(request: PageRequest, campaign: Campaign): Promise<Html | string> {
  const positions = Array.from({ length: Math.min(mostOfFirst, campaign.rows) }, (_, row) => row);
  return filmOfRows(request, campaign, positions);
}

/** From today on. */
const daysLookedAt = 7;

/** A large sheet is read once, which takes seconds: nobody waits for it here. */
const patienceMs = 1000;

/** Days and posts of a day where there is room for columns. */
const mostDays = 5;
const mostOfDay = 3;

/** Empty if nothing is due within these days, or while large sheets are being read. @param most posts to show; undefined where days are columns. */
export async function nextPosts(request: PageRequest, most: number | undefined): Promise<Html | string> {
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
  if (ahead.length === 0) return '';
  const byDay = Map.groupBy(ahead, (post) => post.day);
  const shown =
    most === undefined
      ? [...byDay.values()].slice(0, mostDays).flatMap((posts) => posts.slice(0, mostOfDay))
      : ahead.slice(0, most);
  const contents = await shownPosts(request, shown, true);
  const days = Map.groupBy(shown, (post) => post.day);
  return html`<aside class="card next" aria-labelledby="next">
    <div class="section"><h2 id="next">Next posts</h2><p>${capitalized(timesIn(request))} · <a href="${link('/calendar')}">Calendar</a></p></div>
    <ol>${[...days].map(([day, some]) => html`<li><p class="hour">${dayLine(request, byDay.get(day) ?? [])}</p><ol>${some.map((post) => postLine(request, post, contents.get(post)))}</ol></li>`)}</ol>
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
    ? html`<span data-state="review">${icon('ready', 'for approval')}</span>`
    : html`<span data-state="${shown}">${icon(iconOf(shown), wordOf(shown))}</span>`;
  return html`<li><a href="${postAddress(request, post)}">${thumbnail(request, content?.picture)}<span><b>${clock(at, zone)}</b> ${words(name)}<small>${words(content?.caption ?? '')}</small></span>${state}</a></li>`;
}
