/** `/calendar`: scheduled posts by day and creator, and posts that are too close together. */
import {
  type Calendar,
  type Collision,
  nearestPosts,
  type PlannedPost,
  readCalendar,
} from '../../../campaigns/calendar/calendar.ts';
import { addDays } from '../../../campaigns/calendar/schedule.ts';
import { describeDuration } from '../../../runtime/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { empty, notice, section } from '../../parts/blocks.ts';
import { hidden, select } from '../../parts/form.ts';
import { clock, count, day as dayName, isoDay, number, offset } from '../../parts/numbers.ts';
import { icon, wordOf } from '../../parts/state.ts';
import type { Page, PageRequest, Route } from '../../request.ts';
import {
  type Asked,
  addressOf,
  agenda,
  closeMinutes,
  daysShown,
  grid,
  monday,
  ownZones,
  readAsked,
  rowLink,
} from './agenda.ts';

export const calendarRoutes: readonly Route[] = [
  { method: 'get', path: '/calendar', role: 'viewer', handle: showCalendar },
];

const collisionsShown = 4;
const mostCollisions = 200;

async function showCalendar(request: PageRequest): Promise<Page> {
  const { runtime, progress } = request;
  const asked = readAsked(request);
  const calendar = await readCalendar(runtime, progress.schedules, asked);
  const collisions = calendar.creators
    .flatMap((creator) => creator.collisions)
    .sort((one, other) => one.first.at - other.first.at);
  const title = spanOf(asked);
  return {
    kind: 'page',
    title: `Calendar, ${title}`,
    section: '/calendar',
    timesIn: asked.ownZones
      ? `each row’s own zone, all others in ${asked.zone} (${offset(request.now, asked.zone)})`
      : undefined,
    main: html`
      ${head(request, asked, calendar, title, collisions.length)}
      ${filters(request, asked, calendar)}
      ${calendar.isWhole ? '' : notice({ state: 'warning', text: 'Older campaigns are not shown: there are too many rows.', more: 'Choose a campaign to see its rows.' })}
      ${
        calendar.creators.length === 0
          ? await nothing(request, asked)
          : html`${clashes(request, asked, collisions)}${grid(request, asked, calendar)}${agenda(request, asked, calendar)}`
      }`,
  };
}

/** `8 to 21 March 2027`. */
function spanOf({ from }: Asked): string {
  const [first, last] = [addDays(from, 0), addDays(from, daysShown - 1)];
  const month = (date: typeof first) => date.toLocaleString('en', { month: 'long' });
  if (first.month === last.month) return `${first.day} to ${last.day} ${month(last)} ${last.year}`;
  const year = first.year === last.year ? '' : ` ${first.year}`;
  return `${first.day} ${month(first)}${year} to ${last.day} ${month(last)} ${last.year}`;
}

function head(
  request: PageRequest,
  { from }: Asked,
  { creators }: Calendar,
  title: string,
  collisions: number,
): Html {
  const posts = creators.reduce((sum, creator) => sum + creator.posts.length, 0);
  const stopped = creators.filter((creator) => creator.stopped > 0);
  const shown = stopped
    .slice(0, 3)
    .map(({ name, stopped: rows }) => `${name}: ${count(rows, 'row')} stopped`);
  const others = stopped.length > 3 ? `, and ${number(stopped.length - 3)} more` : '';
  const fewer = stopped.length > 0 && html` · ${words(shown.join(', '))}${others}, so fewer than planned`;
  const step = (days: number) =>
    addressOf(request, { from: addDays(from, days).toString(), day: '', all: '' });
  return html`<div class="head">
    <div><h1>${title}</h1><p class="about">${count(posts, 'post')} planned for ${count(creators.length, 'creator')} · ${count(collisions, 'collision')}${fewer}</p></div>
    <nav class="actions" aria-label="Weeks"><a class="button" href="${step(-daysShown)}">Earlier</a> <a class="button" href="${addressOf(request, { from: '', day: '', all: '' })}">Today</a> <a class="button" href="${step(daysShown)}">Later</a></nav>
  </div>`;
}

function filters(request: PageRequest, asked: Asked, { campaigns }: Calendar): Html {
  const { link, runtime, query, usualZone } = request;
  const used = campaigns.flatMap(({ timezone }) => timezone ?? []);
  const named = [asked.zone, usualZone, runtime.settings.timezone, ...used, 'UTC'];
  const [first = 'UTC', ...zones] = new Set(named.filter((zone) => zone !== null));
  const minutes = asked.tooCloseMs / 60_000;
  const closes = [...new Set([...closeMinutes, minutes])].sort((one, other) => one - other);
  const { campaign = '' } = asked;
  const chosen = new Map([
    ['', 'All'],
    [campaign, campaign || 'All'],
    ...campaigns.map(({ id, name }) => [id, name] as const),
  ]);
  return html`<form class="filters" action="${link('/calendar')}">
    ${query.has('from') && hidden('from', asked.from)}
    ${select('Campaign', 'campaign', [...chosen], campaign)}
    <label>Creator<input name="creator" value="${asked.creator ?? ''}"></label>
    ${select('Times of', 'zone', [[first, first], [ownZones, 'each row’s own zone'], ...zones.map((zone) => [zone, zone] as const)], asked.ownZones ? ownZones : asked.zone)}
    ${select(
      'Mark posts closer than',
      'near',
      closes.map((each) => [String(each), describeDuration(each * 60_000)]),
      String(minutes),
    )}
    <button>Show</button>
  </form>`;
}

async function nothing(request: PageRequest, asked: Asked): Promise<Html> {
  const { campaign, creator } = asked;
  const isFiltered = campaign !== undefined || creator !== undefined;
  const { before, after } = await nearestPosts(request.runtime, request.progress.schedules, asked);
  const to = (post: PlannedPost | undefined, what: string) => {
    if (post === undefined) return '';
    const { at, zone } = post;
    const day = isoDay(at, zone);
    const address = addressOf(request, { from: monday(day), day, all: '' });
    return html`<a class="button" href="${address}">${what}: ${dayName(at, zone, request.now)}</a>`;
  };
  const off = isFiltered
    ? html`<a class="button" href="${addressOf(request, { campaign: '', creator: '' })}">Remove the filter</a>`
    : '';
  return empty(
    html`<b>No post is planned in these days.</b> ${isFiltered ? words(`Filter: ${[campaign, creator].filter(Boolean).join(', ')}.`) : 'Rows with a scheduled_at appear here.'}`,
    html`<p class="actions">${to(after, 'Next planned post')} ${to(before, 'Last planned post')} ${off}</p>`,
  );
}

function clashes(
  request: PageRequest,
  { ownZones: withZone, all }: Asked,
  collisions: readonly Collision[],
): Html | string {
  if (collisions.length === 0) return '';
  const shown = collisions.slice(0, all ? mostCollisions : collisionsShown);
  const left = collisions.length - shown.length;
  const note = 'They stop nothing. To move a row, change its time in the sheet or on its page.';
  return section(
    { id: 'clashes', title: count(collisions.length, 'collision'), note },
    html`<ul class="points pair">${shown.map((collision) => clash(request, withZone, collision))}</ul>
    ${left > 0 && !all ? html`<p class="note after"><a href="${addressOf(request, { all: '1' }, '#clashes')}">${number(left)} more</a></p>` : ''}
    ${left > 0 && all ? html`<p class="note after">${number(left)} more: filter by campaign or creator to see them.</p>` : ''}`,
  );
}

function clash(request: PageRequest, withZone: boolean, { first, second, apartMs }: Collision): Html {
  const apart = apartMs < 60_000 ? 'the same minute' : `${describeDuration(apartMs)} apart`;
  const isOne = first.campaign.id === second.campaign.id;
  const state = (post: typeof first) =>
    post.delivery || post.state === 'review' ? `, ${wordOf(post.delivery ?? post.state)}` : '';
  const at = (post: typeof first) =>
    html`${clock(post.at, post.zone)}${withZone ? ` (${offset(post.at, post.zone)})` : ''} ${rowLink(request, post, html`<code>${post.key}</code>`)}${isOne ? '' : html` ${words(post.campaign.name)}`}${state(post)}`;
  return html`<li data-state="warning">${icon('warning')}<div><b>${words(first.name)}, ${dayName(first.at, first.zone, request.now)}: ${apart}</b><p>${at(first)} and ${at(second)}${isOne ? html`, both ${words(first.campaign.name)}` : ''}</p></div></li>`;
}
