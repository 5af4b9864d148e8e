/** The calendar as cards: a week of posts in order of time, and a month of days. */
import type { Calendar, Collision } from '../../../app/campaigns/calendar/calendar.ts';
import type { CampaignPost, DraftPost, PlannedPost } from '../../../app/campaigns/calendar/posts.ts';
import { addDays } from '../../../app/campaigns/calendar/schedule.ts';
import { whyNotEditable } from '../../../app/campaigns/rows/edit.ts';
import { presentable } from '../../../manifest/presentable.ts';
import { type Html, html, words } from '../../html.ts';
import { rowPath } from '../../parts/address.ts';
import { form, hidden, mayChange } from '../../parts/form.ts';
import { clock, count, isoDay, number } from '../../parts/numbers.ts';
import { plannedPictures, rowPictures, type ShownPicture, thumbnail } from '../../parts/picture.ts';
import { icon, iconOf, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { addressOf, apartText, type CalendarPageQuery, postAddress } from './agenda.ts';

/** Cards of one day; the others are behind a link. */
const cardsADay = 6;
const mostCards = 200;
const marksShown = 12;
/** Pictures of one day of a month. */
const picturesADay = 4;
/** Times of one day of a month. */
const timesADay = 6;
const longestCaption = 120;

export interface CardContent {
  readonly picture: ShownPicture | undefined;
  readonly caption: string;
}

interface Day {
  readonly date: string;
  readonly posts: readonly PlannedPost[];
  readonly collisions: number;
}

/** By post, the other one and how far apart they are. */
type Clashes = ReadonlyMap<PlannedPost, { readonly other: PlannedPost; readonly apartMs: number }>;

function daysOf(
  { days, creators, failed }: Calendar,
  asked: CalendarPageQuery,
  clashes: Clashes,
): readonly Day[] {
  const all = [...creators.flatMap(({ posts }) => posts), ...failed];
  const wanted = asked.collisions ? all.filter((post) => clashes.has(post)) : all;
  const byDay = Map.groupBy(wanted, ({ day }) => day);
  const late = creators.flatMap(({ collisions }) => collisions.map(({ second }) => second.day));
  return days.map((date, index) => ({
    date,
    posts: (byDay.get(index) ?? []).sort((one, other) => one.at - other.at),
    collisions: late.filter((day) => day === index).length,
  }));
}

function clashesOf(collisions: readonly Collision[]): Clashes {
  return new Map(
    collisions.flatMap(({ first, second, apartMs }) => [
      [first, { other: second, apartMs }] as const,
      [second, { other: first, apartMs }] as const,
    ]),
  );
}

type Named = Pick<PlannedPost['campaign'], 'name'>;

/** Two letters for a campaign or a draft: of its first two words, or the first two. */
function markOf(name: string): string {
  const [first = '', second = ''] = presentable(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = second === '' ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join('').toUpperCase();
}

function mark({ name }: Named): Html {
  return html`<abbr class="mark" title="${presentable(name)}">${markOf(name)}</abbr>`;
}

/** The campaigns and drafts of these days with their marks, and the filter for collisions. */
export function marks(
  request: PageRequest,
  asked: CalendarPageQuery,
  { campaigns, drafts, creators }: Calendar,
): Html {
  const posts = creators.flatMap(({ posts: of }) => of);
  const collisions = creators.reduce((sum, creator) => sum + creator.collisions.length, 0);
  const shown = [...campaigns, ...drafts].slice(0, marksShown).map((campaign) => {
    const many = posts.filter((post) => post.campaign.id === campaign.id).length;
    const isDraft = drafts.some(({ id }) => id === campaign.id);
    return html`<a href="${addressOf(request, { campaign: campaign.id })}">${mark(campaign)} ${words(campaign.name)}${isDraft ? ' (draft)' : ''} ${number(many)}</a> `;
  });
  const only = asked.collisions
    ? html`<a class="apart" href="${addressOf(request, { collisions: '' })}">Show all posts</a>`
    : html`<a class="apart" href="${addressOf(request, { collisions: '1' })}" data-state="warning">${icon('warning')} ${count(collisions, 'collision')}: show only ${collisions === 1 ? 'this' : 'these'}</a>`;
  return html`<p class="marks">${shown}${collisions > 0 || asked.collisions ? only : ''}</p>`;
}

export async function shownPosts(request: PageRequest, posts: readonly PlannedPost[], withTexts: boolean) {
  const found = new Map<PlannedPost, CardContent>();
  const drafted = posts.filter((post): post is DraftPost => post.state === 'draft');
  for (const [{ id }, of] of Map.groupBy(drafted, ({ campaign }) => campaign)) {
    const numbers = new Set(of.map(({ position }) => position + 1));
    const pictures = await plannedPictures(request, id, numbers);
    for (const post of of)
      found.set(post, { picture: pictures.get(post.position + 1), caption: post.caption });
  }
  const sent = posts.filter((post): post is CampaignPost => post.state !== 'draft');
  for (const [campaign, of] of Map.groupBy(sent, ({ campaign }) => campaign)) {
    const pictures = await rowPictures(request, campaign, of);
    const view = withTexts ? await request.runtime.views.open(campaign.id, campaign.sheetVersion) : undefined;
    for (const post of of) {
      const row = await view?.uncachedRow(post.position);
      found.set(post, { picture: pictures.get(post.position), caption: row?.caption ?? '' });
    }
  }
  return found;
}

export async function week(
  request: PageRequest,
  asked: CalendarPageQuery,
  calendar: Calendar,
): Promise<Html> {
  const clashes = clashesOf(calendar.creators.flatMap(({ collisions }) => collisions));
  const days = daysOf(calendar, asked, clashes);
  const cards = days.map(({ date, posts }) =>
    posts.slice(0, asked.all && date === asked.day ? mostCards : cardsADay),
  );
  const shown = await shownPosts(request, cards.flat(), true);
  const strip = days.map(
    ({ date, posts, collisions }) =>
      html`<a href="${addressOf(request, { day: date, all: '' })}"${date === asked.day ? html` aria-current="date"` : ''}>${dayName(date)}<span data-state="warning">${number(posts.length)}${collisions > 0 ? icon('warning', count(collisions, 'collision')) : ''}</span></a>`,
  );
  const columns = days.map((each, index) => {
    const { date, posts } = each;
    const some = cards[index] ?? [];
    const isToday = date === asked.today ? ' today' : '';
    const isChosen = date === asked.day ? ' chosen' : '';
    return html`<section class="day${isToday}${isChosen}" data-date="${date}" aria-labelledby="day-${date}">
      <header><h2 id="day-${date}"><a href="${addressOf(request, { day: date, all: '1' })}">${dayName(date)}</a></h2> <span>${posts.length > 0 ? number(posts.length) : ''}</span></header>
      ${posts.length === 0 ? html`<p>Nothing planned</p>` : some.map((post) => card(request, post, shown.get(post), clashes))}
      ${more(request, asked, each, some.length, clashes)}
    </section>`;
  });
  return html`<nav class="strip" aria-label="Day">${strip}</nav>
    <div class="week">${columns}</div>
    <p class="note after">In order of time, not to scale. A collision stops nothing. Posts without a time stand where they were posted.</p>`;
}

/** `Mon <b>23</b>`. */
function dayName(date: string): Html {
  const day = addDays(date, 0);
  return html`<span>${day.toLocaleString('en', { weekday: 'short' })}</span> <b>${day.day}</b>`;
}

/** Leads to the posts that have no card, and says which of them have a problem. */
function more(
  request: PageRequest,
  asked: CalendarPageQuery,
  day: Day,
  shown: number,
  clashes: Clashes,
): Html | string {
  const rest = day.posts.slice(shown);
  if (rest.length === 0) return '';
  const failed = rest.filter(({ state }) => state === 'failed').length;
  const colliding = rest.filter((post) => clashes.has(post)).length;
  const facts = [
    ...(colliding > 0 ? [`${number(colliding)} in collisions`] : []),
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
  ].join(' · ');
  if (asked.all && day.date === asked.day)
    return html`<p>${number(rest.length)} more: filter by campaign or creator.</p>`;
  return html`<a class="more" href="${addressOf(request, { day: day.date, all: '1' })}">+ ${number(rest.length)} more${facts === '' ? '' : html` <small>${facts}</small>`}</a>`;
}

function card(
  request: PageRequest,
  post: PlannedPost,
  shown: CardContent | undefined,
  clashes: Clashes,
): Html {
  const { campaign, key, at, zone, name } = post;
  const state = post.delivery ?? post.state;
  const clash = clashes.get(post);
  return html`<div class="slot"${clash === undefined ? '' : html` data-clash`}>
    <a href="${postAddress(request, post)}" title="${presentable(`${key}, ${campaign.name}`)}">
      ${thumbnail(request, shown?.picture, 'week')}
      <span class="when" data-state="${state}"><b>${clock(at, zone)}</b> ${mark(campaign)} ${icon(iconOf(state), wordOf(state))}</span>
      <b>${words(name)}</b>
      <small>${words((shown?.caption ?? '').slice(0, longestCaption))}</small>
    </a>
    ${move(request, post)}
    ${clash === undefined ? '' : html`<span class="clash" data-state="warning">${icon('warning')} ${apartText(clash)}, ${clash.other.campaign.id === campaign.id ? words(clash.other.key) : mark(clash.other.campaign)}</span>`}
  </div>`;
}

/** Another time for a post that is not sent yet, or why it has none. A row of a campaign asks first and says what it takes. */
function move(request: PageRequest, post: PlannedPost): Html {
  const why = whyNotMoved(request, post);
  const { campaign, key, at, tz, position } = post;
  // Of a time written with an offset, in the zone of its day.
  const zone = tz ?? post.zone;
  const local = `${isoDay(at, zone)}T${clock(at, zone)}`;
  const fields = html`${hidden('home', request.path)}${tz === undefined && hidden('offset-of', zone)}<label>New time (${zone})<input type="datetime-local" name="c.scheduled_at" value="${local}" required></label>`;
  const body =
    why !== undefined
      ? html`<p>${why}</p>`
      : post.state === 'draft'
        ? form(request, {
            path: `/campaigns/new/${campaign.id}/move`,
            body: html`${hidden('row', position + 1)}${hidden('was', at)}${fields} <button>Move</button>`,
          })
        : form(request, {
            path: rowPath(post.campaign.id, key, '/edit'),
            body: html`${hidden('revision', post.revision)}${hidden('moved', 'yes')}${fields} <button>Move…</button>`,
          });
  return html`<details class="move"><summary>Move…</summary>${body}</details>`;
}

function whyNotMoved(request: PageRequest, post: PlannedPost): string | undefined {
  if (post.delivery === 'scheduled') return 'Accepted: change it in the service.';
  const why = post.state === 'draft' ? undefined : whyNotEditable(post.campaign, post.state);
  return why ?? (mayChange(request) ? undefined : 'An operator can move it.');
}

export async function month(
  request: PageRequest,
  asked: CalendarPageQuery,
  calendar: Calendar,
): Promise<Html> {
  const clashes = clashesOf(calendar.creators.flatMap(({ collisions }) => collisions));
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
  const first = posts.slice(0, timesADay).map(({ at, zone }) => clock(at, zone));
  const times =
    posts.length > 0 &&
    html`<span class="at">${first.join(' ')}${posts.length > timesADay && html` <span>+${number(posts.length - timesADay)}</span>`}</span>`;
  const stopped = posts.filter(({ state }) => state === 'failed').length;
  const review = posts.filter(({ state }) => state === 'review').length;
  const sign = (state: 'warning' | 'failed' | 'review', many: number, what: string) =>
    many === 0
      ? ''
      : html`<span data-state="${state}">${icon(iconOf(state), what)} <span>${number(many)}</span></span>`;
  return html`<td class="${className}"><a href="${addressOf(request, { view: '', from: '', day: date, all: '' })}">
    <span class="date"><b>${day}</b>${posts.length > 0 ? html` <span>${number(posts.length)}<span> ${posts.length === 1 ? 'post' : 'posts'}</span></span>` : ''}</span>
    ${times}${film.length > 0 ? html`<span class="film">${film}${rest > 0 ? html`<span>+${number(rest)}</span>` : ''}</span>` : ''}
    <span class="signs">${sign('warning', collisions, 'Collisions')}${sign('failed', stopped, 'Failed')}${sign('review', review, 'In review')}</span>
  </a></td>`;
}
