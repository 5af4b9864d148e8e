/** `/calendar`: posts as cards by week or month, or by day and creator; and posts that are too close together. */

import { mayDo } from '../../../app/access/roles.ts';
import { type Calendar, type Collision, readCalendar } from '../../../app/campaigns/calendar/calendar.ts';
import { nearestPosts, type PlannedPost } from '../../../app/campaigns/calendar/posts.ts';
import { addDays } from '../../../app/campaigns/calendar/schedule.ts';
import { describeDuration, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { empty, notice, section } from '../../parts/blocks.ts';
import { filterChips, rowName, textIn } from '../../parts/list.ts';
import { clock, day as dayName, inCommonZone, isoDay, namedZone, offset } from '../../parts/numbers.ts';
import { icon, wordOf } from '../../parts/state.ts';
import type { Page, PageRequest, Route } from '../../request.ts';
import {
  addressOf,
  agenda,
  apartText,
  type CalendarPageQuery,
  closeMinutes,
  closePosts,
  grid,
  monday,
  ownZones,
  readQuery,
  rowLink,
} from './agenda.ts';
import { marks } from './cards.ts';
import { moveDraftRow } from './move.ts';
import { dayList, month, week } from './week.ts';

export const calendarRoutes: readonly Route[] = [
  { method: 'get', path: '/calendar', right: 'see', handle: showCalendar },
  { method: 'post', path: '/campaigns/new/:draft/move', right: 'edit', handle: moveDraftRow },
];

const collisionsShown = 4;
const mostCollisions = 200;

async function showCalendar(given: PageRequest): Promise<Page> {
  const { runtime, progress, drafts } = given;
  const wanted = textIn(given.query, 'campaign');
  const campaigns = await runtime.ledger.campaigns.list();
  const request = inCommonZone(
    given,
    campaigns.filter(({ id, state }) => (wanted === undefined ? state !== 'ended' : id === wanted)),
  );
  const asked = { ...readQuery(request), drafts: await drafts.plans.list() };
  const calendar = await readCalendar(runtime, progress.schedules, asked);
  const collisions = calendar.creators
    .flatMap((creator) => creator.collisions)
    .sort((one, other) => one.first.at - other.first.at);
  const title = spanOf(asked);
  return {
    kind: 'page',
    title: `Calendar, ${title}`,
    zone: request.zone,
    scripts: ['calendar.js', 'asks.js'],
    timesIn: asked.ownZones
      ? `each row’s own zone, all others in ${namedZone(asked.zone, request.now)}`
      : undefined,
    main: html`
      ${head(request, asked, calendar, title, collisions)}
      ${filters(request, asked, calendar)}
      ${calendar.isWhole ? '' : notice({ state: 'warning', text: 'Older campaigns, or the last rows of a large campaign or draft, are not shown: there are too many rows.', more: 'Choose a campaign to see its rows.' })}
      ${calendar.unlooked > 0 && notice({ state: 'warning', text: `The calendar did not search ${plural(calendar.unlooked, 'row')} without a time: some of their posts may be missing here.`, more: 'It searches at most 20,000 rows without a time. Choose a campaign to see more of them.' })}
      ${
        calendar.creators.length === 0
          ? await nothing(request, asked)
          : await view(request, asked, calendar, collisions)
      }`,
  };
}

async function view(
  request: PageRequest,
  asked: CalendarPageQuery,
  calendar: Calendar,
  collisions: readonly Collision[],
): Promise<Html> {
  if (asked.view === 'creators')
    return html`${grid(request, asked, calendar)}${clashes(request, asked, collisions)}${agenda(request, asked, calendar)}`;
  const show = { week, month, day: dayList }[asked.view];
  return html`${await show(request, asked, calendar)}${marks(request, calendar)}`;
}

/** `8 to 21 March 2027`, `March 2027`. */
function spanOf({ from, days, view, month }: CalendarPageQuery): string {
  if (view === 'month')
    return addDays(`${month}-01`, 0).toLocaleString('en', { month: 'long', year: 'numeric' });
  const [first, last] = [addDays(from, 0), addDays(from, days - 1)];
  if (view === 'day')
    return first.toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const name = (date: typeof first) => date.toLocaleString('en', { month: 'long' });
  if (first.month === last.month) return `${first.day} to ${last.day} ${name(last)} ${last.year}`;
  const year = first.year === last.year ? '' : ` ${first.year}`;
  return `${first.day} ${name(first)}${year} to ${last.day} ${name(last)} ${last.year}`;
}

function head(
  request: PageRequest,
  { from, days, view, month: shownMonth, collisions: isOnly }: CalendarPageQuery,
  { creators, drafts, failed: allFailed }: Calendar,
  title: string,
  collisions: readonly Collision[],
): Html {
  // The weeks of a month have days of others, too.
  const isOf = ({ at, zone }: PlannedPost) => view !== 'month' || isoDay(at, zone).startsWith(shownMonth);
  const all = creators.flatMap((creator) => creator.posts).filter(isOf);
  const failed = allFailed.filter(isOf);
  const drafted = all.filter(({ state }) => state === 'draft').length;
  const inDrafts =
    drafted === 0 ? '' : `, ${thousands(drafted)} of them in ${drafts.length === 1 ? 'a draft' : 'drafts'}`;
  const posted = all.filter(({ state, delivery }) => state === 'posted' && delivery !== 'scheduled').length;
  const ahead = all.length - posted;
  // Figures of zero say nothing.
  const facts = [
    ...(posted > 0 ? [html`<b>${thousands(posted)}</b> posted`] : []),
    ...(ahead > 0 || posted === 0 ? [html`<b>${thousands(ahead)}</b> to go out${inDrafts}`] : []),
    ...(failed.length > 0 ? [html`<span data-state="failed">${thousands(failed.length)} failed</span>`] : []),
    ...(collisions.length > 0 || isOnly
      ? [
          html`<a href="${addressOf(request, { collisions: isOnly ? '' : '1' })}" data-state="warning">${plural(closePosts(collisions), 'post')} too close together</a>${isOnly && ' only'}`,
        ]
      : []),
  ];
  const step = (way: -1 | 1) => {
    const first = addDays(`${shownMonth}-01`, 0).add({ months: way });
    const to = view === 'month' ? first : addDays(from, way * days);
    return addressOf(request, { from: to.toString(), day: '', all: '' });
  };
  const names = { week: 'Week', month: 'Month', creators: 'By creator' } as const;
  const span = { day: 'day', week: 'week', month: 'month', creators: 'two weeks' }[view];
  const views = (Object.keys(names) as (keyof typeof names)[]).map(
    (each) =>
      html`<a href="${addressOf(request, { view: each === 'week' ? '' : each, all: '' })}"${each === view ? html` aria-current="page"` : ''}>${names[each]}</a>`,
  );
  return html`<div class="head">
    <div><h1>${title}</h1><p class="about">${facts.map((fact, index) => html`${index > 0 ? ' · ' : ''}${fact}`)}</p></div>
    <div class="actions"><nav class="switch" aria-label="View">${views}</nav> <nav class="switch" aria-label="Dates"><a href="${step(-1)}" aria-label="Previous ${span}">${icon('left')}</a><a href="${addressOf(request, { from: '', day: '', all: '' })}">Today</a><a href="${step(1)}" aria-label="Next ${span}">${icon('right')}</a></nav></div>
  </div>`;
}

function filters(request: PageRequest, asked: CalendarPageQuery, calendar: Calendar): Html {
  const { campaigns, drafts } = calendar;
  const { runtime, usualZone } = request;
  const used = campaigns.flatMap(({ timezone }) => timezone ?? []);
  const named = [asked.zone, usualZone, runtime.settings.timezone, ...used, 'UTC'];
  const zones = new Set(named.filter((zone) => zone !== null));
  const minutes = asked.tooCloseMs / 60_000;
  const closes = [...new Set([...closeMinutes, minutes])].sort((one, other) => one - other);
  return filterChips(request, { path: '/calendar', drops: [] }, [
    {
      name: 'campaign',
      title: 'Campaign',
      value: asked.campaign,
      options: [
        ...campaigns.map(({ id, name }) => [id, name] as const),
        ...drafts.map(({ id, name }) => [id, `${name} (draft)`] as const),
      ],
    },
    { name: 'creator', title: 'Creator', value: asked.creator },
    {
      name: 'zone',
      title: 'Times in',
      value: asked.ownZones ? ownZones : asked.zone,
      options: [[ownZones, 'each row’s own zone'], ...Array.from(zones, (zone) => [zone, zone] as const)],
      isKept: true,
    },
    {
      name: 'near',
      title: 'Too close within',
      value: String(minutes),
      options: closes.map((each) => [String(each), describeDuration(each * 60_000)]),
      isKept: true,
    },
  ]);
}

async function nothing(request: PageRequest, asked: CalendarPageQuery): Promise<Html> {
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
    : mayDo(request, 'edit') &&
      html`<a class="button" href="${request.link('/campaigns/new')}">New campaign</a>`;
  return empty(
    html`<b>No posts are planned for these days.</b> ${isFiltered ? words(`Filter: ${[campaign, creator].filter(Boolean).join(', ')}.`) : 'Rows with a scheduled_at appear here.'}`,
    html`<p class="actions">${to(after, 'Next planned post')} ${to(before, 'Last planned post')} ${off}</p>`,
  );
}

function clashes(
  request: PageRequest,
  { ownZones: withZone, all }: CalendarPageQuery,
  collisions: readonly Collision[],
): Html | string {
  if (collisions.length === 0) return '';
  const shown = collisions.slice(0, all ? mostCollisions : collisionsShown);
  const left = collisions.length - shown.length;
  const note = 'This is only a warning. To move a post, change its time in the sheet or on its page.';
  return section(
    { id: 'clashes', title: `${plural(closePosts(collisions), 'post')} too close together`, note },
    html`<ul class="points">${shown.map((collision) => clash(request, withZone, collision))}</ul>
    ${left > 0 && !all ? html`<p class="note after"><a href="${addressOf(request, { all: '1' }, '#clashes')}">${thousands(left)} more</a></p>` : ''}
    ${left > 0 && all ? html`<p class="note after">${thousands(left)} more: filter by campaign or creator to see them.</p>` : ''}`,
  );
}

function clash(request: PageRequest, withZone: boolean, collision: Collision): Html {
  const { first, second } = collision;
  const isOne = first.campaign.id === second.campaign.id;
  const state = (post: typeof first) =>
    post.delivery || post.state === 'review' ? `, ${wordOf(post.delivery ?? post.state)}` : '';
  const at = (post: typeof first) =>
    html`${clock(post.at, post.zone)}${withZone ? ` (${offset(post.at, post.zone)})` : ''} ${rowLink(request, post, rowName(post))}${isOne ? '' : html` ${words(post.campaign.name)}`}${state(post)}`;
  return html`<li data-state="warning">${icon('warning')}<div><b>${words(first.name)}, ${dayName(first.at, first.zone, request.now)}: ${apartText(collision)}</b><p>${at(first)} and ${at(second)}${isOne ? html`, both ${words(first.campaign.name)}` : ''}</p></div></li>`;
}
