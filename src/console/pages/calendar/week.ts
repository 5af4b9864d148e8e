/** A week of posts: a column a day, with morning, afternoon and evening beside each other; and one day as a list. */
import type { Calendar } from '../../../app/campaigns/calendar/calendar.ts';
import type { PlannedPost } from '../../../app/campaigns/calendar/posts.ts';
import { addDays } from '../../../app/campaigns/calendar/schedule.ts';
import { describeDuration } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { film } from '../../parts/film.ts';
import { clock, number } from '../../parts/numbers.ts';
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
  mostOfDay,
  shownPosts,
} from './cards.ts';

/** Cards of one part of a day that has more than `mostOfDay`; the others are in its list. */
const cardsAPart = 3;
const mostCards = 200;
const picturesOfWave = 6;
/** Posts of a wave follow each other this closely. Milliseconds. */
const gapMs = 5 * 60_000;
const leastOfWave = 3;

const parts = [
  { title: 'Morning', until: 12 },
  { title: 'Afternoon', until: 18 },
  { title: 'Evening', until: 24 },
] as const;

/** Posts of one campaign that had no time and were sent in one run; or a single post. */
type Entry = readonly [first: PlannedPost, ...others: PlannedPost[]];

/** @param posts of one day, in the order of their times. */
function entriesOf(posts: readonly PlannedPost[], clashes: Clashes): readonly Entry[] {
  const entries: Entry[] = [];
  const runs = new Map<string, [PlannedPost, ...PlannedPost[]]>();
  const end = (run: Entry) => {
    if (run.length < leastOfWave) for (const post of run) entries.push([post]);
    else entries.push(run);
  };
  for (const post of posts) {
    if (!post.isAtOnce || clashes.has(post)) {
      entries.push([post]);
      continue;
    }
    const run = runs.get(post.campaign.id);
    if (run !== undefined && post.at - (run.at(-1)?.at ?? 0) <= gapMs) run.push(post);
    else {
      if (run !== undefined) end(run);
      runs.set(post.campaign.id, [post]);
    }
  }
  for (const run of runs.values()) end(run);
  return entries.sort(([one], [other]) => one.at - other.at);
}

interface Planned extends Day {
  /** Entries of each part of the day, and how many of them have a card. */
  readonly parts: readonly (readonly Entry[])[];
  readonly most: number;
}

function planned(day: Day, entries: readonly Entry[], most: number): Planned {
  const hourOf = ([{ at, zone }]: Entry) => Number(clock(at, zone).slice(0, 2));
  const partOf = (entry: Entry) => parts.findIndex(({ until }) => hourOf(entry) < until);
  const byPart = Map.groupBy(entries, partOf);
  return { ...day, parts: parts.map((_part, index) => byPart.get(index) ?? []), most };
}

function postsToShow(days: readonly Planned[]): readonly PlannedPost[] {
  return days.flatMap((day) =>
    day.parts.flatMap((entries) =>
      entries.slice(0, day.most).flatMap((entry) => entry.slice(0, picturesOfWave)),
    ),
  );
}

export async function week(
  request: PageRequest,
  asked: CalendarPageQuery,
  calendar: Calendar,
): Promise<Html> {
  const clashes = clashesOf(calendar);
  const days = daysOf(calendar, asked, clashes).map((day) => {
    const entries = entriesOf(day.posts, clashes);
    return planned(day, entries, entries.length > mostOfDay ? cardsAPart : mostOfDay);
  });
  const shown = await shownPosts(request, postsToShow(days), true);
  const columns = days.map(({ date, posts, parts: ofDay, most }) => {
    const name = addDays(date, 0);
    const className = `day${posts.length === 0 ? ' quiet' : ''}${date === asked.today ? ' today' : ''}`;
    const cells = ofDay.map((entries, index) => {
      const rest = entries.slice(most);
      const to = dayAddress(request, date, mostOfDay + 1, `#${parts[index]?.title}`);
      const cards = entries
        .slice(0, most)
        .map((each) =>
          each.length > 1 ? wave(request, date, each, shown) : card(request, each[0], shown, clashes),
        );
      return html`<div>${cards}${rest.length > 0 && html`<a class="more" href="${to}">${number(rest.length)} more${problemsOf(rest.flat(), clashes)}</a>`}</div>`;
    });
    return html`<section class="${className}" data-date="${date}" aria-labelledby="day-${date}">
      <h2 id="day-${date}"><a href="${dayAddress(request, date, mostOfDay + 1)}">${name.toLocaleString('en', { weekday: 'short' })} <b>${name.day}</b></a> <small>${posts.length > 0 ? number(posts.length) : ''}</small></h2>
      ${cells}
    </section>`;
  });
  return html`<div class="week"><div class="parts" aria-hidden="true"><span></span>${parts.map(({ title }) => html`<p>${title}</p>`)}</div>${columns}</div>
    <p class="note after">In order of time, not to scale. A collision stops nothing: it is shown as long as one of its posts can be moved. Posts without a time stand where they were posted.</p>`;
}

/** One day, by its parts: a card below the other. */
export async function dayList(
  request: PageRequest,
  asked: CalendarPageQuery,
  calendar: Calendar,
): Promise<Html> {
  const clashes = clashesOf(calendar);
  const [first = { date: asked.day, posts: [], collisions: 0 }] = daysOf(calendar, asked, clashes);
  const some = { ...first, posts: first.posts.slice(0, mostCards) };
  const day = planned(
    some,
    some.posts.map((post): Entry => [post]),
    mostCards,
  );
  const shown = await shownPosts(request, postsToShow([day]), true);
  const rest = first.posts.length - day.posts.length;
  return html`<div class="day list">${day.parts.map(
    (entries, index) =>
      entries.length > 0 &&
      html`<section aria-labelledby="${parts[index]?.title}"><h2 id="${parts[index]?.title}">${parts[index]?.title} <small>${number(entries.length)}</small></h2>${entries.map(([post]) => card(request, post, shown, clashes))}</section>`,
  )}${rest > 0 && html`<p class="note">${number(rest)} more: filter by campaign or creator.</p>`}</div>`;
}

function problemsOf(posts: readonly PlannedPost[], clashes: Clashes): Html | string {
  const failed = posts.filter(({ state }) => state === 'failed').length;
  const colliding = posts.filter((post) => clashes.has(post)).length;
  const facts = [
    ...(colliding > 0 ? [`${number(colliding)} in collisions`] : []),
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
  ];
  return facts.length === 0 ? '' : html` <small>${facts.join(' · ')}</small>`;
}

/** Posts that one run sent: none of them can be moved. */
function wave(
  request: PageRequest,
  date: string,
  entry: Entry,
  shown: ReadonlyMap<PlannedPost, CardContent>,
): Html {
  const [{ campaign, at, zone, delivery, state }] = entry;
  const pictures = entry.slice(0, picturesOfWave).map((post) => shown.get(post)?.picture);
  const tookMs = (entry.at(-1)?.at ?? at) - at;
  return html`<div class="slot wave"><a href="${dayAddress(request, date, mostOfDay + 1)}">
    <span class="say"><span class="when" data-state="${delivery ?? state}"><b>${clock(at, zone)}</b> ${icon(iconOf(delivery ?? state), wordOf(delivery ?? state))}</span>
    <b>${number(entry.length)} posts at once</b>
    <small>${words(campaign.name)}</small>
    ${film(request, pictures)}
    ${tookMs >= 1000 && html`<small>took ${describeDuration(tookMs)}</small>`}</span>
  </a></div>`;
}
