/** A week of posts: a column a day, with morning, afternoon and evening beside each other; one day as a list; and a month of days. */
import type { Calendar } from '../../../app/campaigns/calendar/calendar.ts';
import type { PlannedPost } from '../../../app/campaigns/calendar/posts.ts';
import { addDays } from '../../../app/campaigns/calendar/schedule.ts';
import { thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { clock } from '../../parts/numbers.ts';
import { thumbnail } from '../../parts/picture.ts';
import { film } from '../../parts/post-pictures.ts';
import { icon, iconOf, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import type { CalendarPageQuery } from './agenda.ts';
import {
  type CardContent,
  type Clashes,
  card,
  clashesOf,
  type Day,
  dayAddress,
  daysOf,
  marksOf,
  mostOfDay,
  shownPosts,
  stateOfPost,
} from './cards.ts';

/** Cards of one part of a day that has more than `mostOfDay`; its other posts are waves. */
const cardsAPart = 3;
const mostCards = 200;
const picturesOfWave = 12;
/** Of one part of a day; what further campaigns post is one. */
const mostWaves = 4;
const leastOfWave = 3;

const parts = [
  { title: 'Morning', until: 12 },
  { title: 'Afternoon', until: 18 },
  { title: 'Evening', until: 24 },
] as const;

/** Posts that share a card, as a wave; or a single post. */
type Entry = readonly [first: PlannedPost, ...others: PlannedPost[]];

interface Planned extends Day {
  /** Of each part of the day. Each post is in one entry, so that they add up to the posts of the day. */
  readonly parts: readonly (readonly Entry[])[];
}

function byParts(posts: readonly PlannedPost[]): readonly (readonly PlannedPost[])[] {
  const hourOf = ({ at, zone }: PlannedPost) => Number(clock(at, zone).slice(0, 2));
  const byPart = Map.groupBy(posts, (post) => parts.findIndex(({ until }) => hourOf(post) < until));
  return parts.map((_part, index) => byPart.get(index) ?? []);
}

function byTime(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted(([one], [other]) => one.at - other.at);
}

/** By campaign. @param least fewer posts have a card each. */
function waves(posts: readonly PlannedPost[], least: number): readonly Entry[] {
  return [...Map.groupBy(posts, ({ campaign }) => campaign.id).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return others.length + 1 < least
      ? [first, ...others].map((post): Entry => [post])
      : [[first, ...others] as const];
  });
}

/** What was sent without a time is a wave: none of it can be moved. Of a full day, so is all but the first cards. */
function planned(day: Day, clashes: Clashes): Planned {
  const isSent = (post: PlannedPost) => post.isAtOnce && !clashes.has(post);
  const all = byParts(day.posts).map((posts) => [
    ...waves(posts.filter(isSent), leastOfWave),
    ...posts.filter((post) => !isSent(post)).map((post): Entry => [post]),
  ]);
  const isFull = all.flat().length > mostOfDay;
  return { ...day, parts: all.map((entries) => byTime(isFull ? folded(entries, clashes) : entries)) };
}

/** Collisions keep their cards, because they are to be moved. */
function folded(entries: readonly Entry[], clashes: Clashes): readonly Entry[] {
  if (entries.length <= cardsAPart) return entries;
  const [single, sent] = [
    entries.filter((each) => each.length === 1),
    entries.filter((each) => each.length > 1),
  ];
  const rank = ([post]: Entry) => (clashes.has(post) ? 0 : 1);
  const cards = byTime(single).toSorted((one, other) => rank(one) - rank(other));
  const rest = byTime(cards.slice(cardsAPart)).flat();
  const found = [...sent, ...waves(rest, 1)].toSorted((one, other) => other.length - one.length);
  const [others, ...more] = found
    .splice(mostWaves - 1)
    .flat()
    .toSorted((one, other) => one.at - other.at);
  return [...cards.slice(0, cardsAPart), ...found, ...(others ? [[others, ...more] as const] : [])];
}

function postsToShow(days: readonly Planned[]): readonly PlannedPost[] {
  return days.flatMap((day) => day.parts.flat().flatMap((entry) => entry.slice(0, picturesOfWave)));
}

export async function week(
  request: PageRequest,
  asked: CalendarPageQuery,
  calendar: Calendar,
): Promise<Html> {
  const clashes = clashesOf(calendar);
  const marks = marksOf(calendar);
  const days = daysOf(calendar, asked, clashes).map((day) => planned(day, clashes));
  const shown = await shownPosts(request, postsToShow(days), true);
  const columns = days.map(({ date, posts, parts: ofDay }) => {
    const name = addDays(date, 0);
    const className = `day${posts.length === 0 ? ' quiet' : ''}${date === asked.today ? ' today' : ''}`;
    const cells = ofDay.map((entries, index) => {
      const place = `#${parts[index]?.title}`;
      const cards = entries.map((each) =>
        each.length > 1
          ? wave(request, { date, place, clashes }, each, shown)
          : card(request, each[0], shown, { clashes, marks }),
      );
      return html`<div>${cards}</div>`;
    });
    return html`<section class="${className}" data-date="${date}" aria-labelledby="day-${date}">
      <h2 id="day-${date}"><a href="${dayAddress(request, date, mostOfDay + 1)}">${name.toLocaleString('en', { weekday: 'short' })} <b>${name.day}</b></a> <small>${posts.length > 0 ? thousands(posts.length) : ''}</small></h2>
      ${cells}
    </section>`;
  });
  return html`<div class="week"><div class="parts" aria-hidden="true"><span></span>${parts.map(({ title }) => html`<p>${title}</p>`)}</div>${columns}</div>`;
}

/** One day, by its parts: a card below the other. */
export async function dayList(
  request: PageRequest,
  asked: CalendarPageQuery,
  calendar: Calendar,
): Promise<Html> {
  const clashes = clashesOf(calendar);
  const [first = { date: asked.day, posts: [], collisions: 0 }] = daysOf(calendar, asked, clashes);
  const some = first.posts.slice(0, mostCards);
  const shown = await shownPosts(request, some, true);
  const rest = first.posts.length - some.length;
  return html`<div class="day list">${byParts(some).map(
    (posts, index) =>
      posts.length > 0 &&
      html`<section aria-labelledby="${parts[index]?.title}"><h2 id="${parts[index]?.title}">${parts[index]?.title} <small>${thousands(posts.length)}</small></h2>${posts.map((post) => card(request, post, shown, { clashes, marks: marksOf(calendar) }))}</section>`,
  )}${rest > 0 && html`<p class="note">${thousands(rest)} more: filter by campaign or creator.</p>`}</div>`;
}

function problemsOf(posts: readonly PlannedPost[], clashes: Clashes): string {
  const failed = posts.filter(({ state }) => state === 'failed').length;
  const colliding = posts.filter((post) => clashes.has(post)).length;
  return [
    ...(colliding > 0 ? [`${thousands(colliding)} too close together`] : []),
    ...(failed > 0 ? [`${thousands(failed)} failed`] : []),
  ].join(' · ');
}

/** Several posts as one card, which opens them as a list. */
function wave(
  request: PageRequest,
  { date, place, clashes }: { readonly date: string; readonly place: string; readonly clashes: Clashes },
  entry: Entry,
  shown: ReadonlyMap<PlannedPost, CardContent>,
): Html {
  const [first, last] = [entry[0], entry.at(-1) ?? entry[0]];
  const [from, until] = [clock(first.at, first.zone), clock(last.at, last.zone)];
  const pictures = entry.slice(0, picturesOfWave).map((post) => shown.get(post)?.picture);
  const names = new Map(entry.map(({ campaign: { id, name } }) => [id, name]));
  const states = new Set(entry.map(stateOfPost));
  const [state] = states.size === 1 ? states : [];
  const problems = problemsOf(entry, clashes);
  const address = dayAddress(request, date, mostOfDay + 1, {
    campaign: names.size === 1 ? first.campaign.id : '',
    place,
  });
  return html`<div class="slot wave"><a href="${address}">
    <span class="say"><span class="when"${state && html` data-state="${state}"`}><b>${from}${until !== from && ` to ${until}`}</b>${state && icon(iconOf(state), wordOf(state))}</span>
    <b>${thousands(entry.length)} posts</b>
    <small>${words([...names.values()].join(', '))}</small>
    ${film(request, pictures)}
    ${problems !== '' && html`<small>${problems}</small>`}</span>
  </a></div>`;
}

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
  return html`<table class="month"><caption class="hidden">Posts by day; open a day to see its posts</caption><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>`;
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
    .map(
      (post) =>
        html`<span>${thumbnail(request, shown.get(post)?.picture, 'month')}<small>${clock(post.at, post.zone)}</small></span>`,
    );
  // There is room for what one post is.
  const [alone, ...others] = posts;
  const said = alone && others.length === 0 && html`<b>${words(alone.name)}</b>`;
  const [from, until] = [posts[0], posts.at(-1)].map((post) => post && clock(post.at, post.zone));
  const times = posts.length > 1 && html` title="${from}${until !== from && ` to ${until}`}"`;
  const stopped = posts.filter(({ state }) => state === 'failed').length;
  const review = posts.filter(({ state }) => state === 'review').length;
  const sign = (state: 'warning' | 'failed' | 'review', many: number, what: string) =>
    many === 0
      ? ''
      : html`<span data-state="${state}">${icon(iconOf(state), what)} <span>${thousands(many)}</span></span>`;
  return html`<td class="${className}"><a href="${dayAddress(request, date, posts.length)}"${times}>
    <span class="date"><b>${day}</b>${posts.length > 0 ? html` <span>${thousands(posts.length)}<span> ${posts.length === 1 ? 'post' : 'posts'}</span></span>` : ''}</span>
    ${film.length > 0 ? html`<span class="film">${film}${said}</span>` : ''}
    <span class="signs">${sign('warning', collisions, 'Too close together')}${sign('failed', stopped, 'Failed')}${sign('review', review, 'In review')}</span>
  </a></td>`;
}
