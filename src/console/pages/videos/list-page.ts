/** `/videos`: figures of the watch list, movers, sums, all videos, and the schedule of updates. */

import { listOverviewPage, type Overview, overviewGroupings } from '../../../app/videos/overview.ts';
import type { AvailableOverview } from '../../../app/videos/overview-reader.ts';
import { spanLengths } from '../../../app/videos/spans.ts';
import { plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html } from '../../html.ts';
import type { LiveParts } from '../../live.ts';
import { empty, liveStream, notice } from '../../parts/blocks.ts';
import { describeFilter, filterChips, noMatch, tabs } from '../../parts/list.ts';
import { moment } from '../../parts/numbers.ts';
import type { Page, PageRequest, Stream } from '../../request.ts';
import { coveredOf, coversOf } from './covers.ts';
import { gainedSection, groupsTable, moversSection } from './figures.ts';
import {
  addressOf,
  campaignChoices,
  campaignNames,
  filtersOf,
  readVideosQuery,
  type VideosQuery,
  videosAPage,
  videosTable,
  wordOfState,
} from './table.ts';
import {
  addVideosLink,
  head,
  type RefusedSchedule,
  readUpdates,
  type UpdateStatus,
  updateLine,
  updatesSection,
} from './updates.ts';

/** @param refused a schedule that was refused: the page shows why, and stays as it is. */
export async function showVideos(request: PageRequest, refused?: RefusedSchedule): Promise<Page> {
  const asked = readVideosQuery(request);
  const [shown, read] = await Promise.all([request.videos.show(asked.query), readUpdates(request)]);
  const updates = { ...read, refused };
  const { head, figures } = await draw(request, asked, shown, updates);
  return {
    kind: 'page',
    title: 'Videos',
    status: refused && 422,
    stream: refused ? undefined : shown.isCurrent ? '/videos/events' : addressOfAwaited(request),
    main: html`
      ${head}
      ${figures}
      ${updatesSection(request, updates)}`,
  };
}

async function draw(
  request: PageRequest,
  asked: VideosQuery,
  shown: AvailableOverview,
  updates: UpdateStatus,
) {
  const { runtime } = request;
  const [size, names] = await Promise.all([runtime.ledger.videos.list.size(), campaignNames(runtime)]);
  return {
    head: head(request, asked.query, { shown, size, updates }),
    figures: html`<div id="videos-figures">${
      size === 0 ? howToBegin(request) : await figures(request, asked, shown, names)
    }</div>`,
  };
}

/** Address of the stream of a page whose figures are out of date. */
function addressOfAwaited({ query }: PageRequest): string {
  return `/videos/events?${new URLSearchParams([...query, ['await', 'figures']])}`;
}

async function figures(
  request: PageRequest,
  asked: VideosQuery,
  { overview, looked, isBusy }: AvailableOverview,
  names: ReadonlyMap<string, string>,
): Promise<Html> {
  if (overview === undefined) {
    return empty(
      isBusy
        ? html`<b>Other figures are loading;</b> these are next.`
        : html`<b>The figures are loading.</b> ${plural(looked, 'video')} so far.`,
    );
  }
  return html`${filters(request, asked, overview, names)}
    ${overview.order.size === 0 ? nothing(request, overview) : await found(request, asked, overview, names)}`;
}

async function found(
  request: PageRequest,
  asked: VideosQuery,
  overview: Overview,
  names: ReadonlyMap<string, string>,
): Promise<Html> {
  const pages = Math.max(1, Math.ceil(overview.order.size / videosAPage));
  const page = Math.min(asked.page, pages);
  const { by, all, sort } = asked;
  const from = (page - 1) * videosAPage;
  const videos =
    by === undefined
      ? await listOverviewPage(request.runtime, overview, { sort, from, count: videosAPage })
      : [];
  const { fastest, slowing } = overview.movers;
  const movers = [...fastest, ...slowing].map(({ video }) => coveredOf(video));
  const covers = await coversOf(request, [...videos.map(({ video }) => video), ...movers]);
  return html`${unread(request, overview)}${gainedSection(request, asked, overview)}
    ${moversSection(request, overview, covers)}
    <section aria-labelledby="list">
      <div class="section"><h2 id="list">All videos</h2>${groupings(request, by)}</div>
      ${
        by === undefined
          ? videosTable(request, { sort, page, found: overview.order.size, videos, names, covers })
          : groupsTable(request, { by, all }, overview, names)
      }
    </section>`;
}

function groupings(request: PageRequest, by: VideosQuery['by']): Html {
  const to = (name: string) => addressOf(request, { by: name, all: '', page: '' }, 'list');
  return tabs('Videos', [
    ['Videos', to(''), by === undefined],
    ...overviewGroupings.map((name) => [`By ${name}`, to(name), name === by] as const),
  ]);
}

/** Says that there was no update, because the figures would look as if there were no plays. */
function unread({ zone, now }: PageRequest, { lastAt, days, query }: Overview): Html | string {
  if (lastAt !== undefined && lastAt >= (days.starts[0] ?? 0)) return '';
  return notice({
    state: 'warning',
    text: query.span === 1 ? 'Not updated today.' : `Not updated in the last ${plural(query.span, 'day')}.`,
    more:
      lastAt === undefined
        ? 'There are no figures before the first update.'
        : `The figures are from ${moment(lastAt * 1000, zone, now)}.`,
  });
}

export function streamVideos(request: PageRequest): Stream {
  const { query } = request;
  const isAwaited = query.get('await') === 'figures';
  const figures = isAwaited ? awaitFigures(request) : undefined;
  return liveStream(request, { key: `videos ${isAwaited ? query : ''}`, hasForms: true }, async (at) => {
    const updates = await readUpdates(at);
    return {
      'videos-read': updateLine(at, updates),
      'videos-reading': updatesSection(at, updates),
      ...(await figures?.(at, updates)),
    };
  });
}

/** Updates the figures until they are current. The page is then the same as one that is opened now. */
function awaitFigures(asking: PageRequest): (at: PageRequest, updates: UpdateStatus) => Promise<LiveParts> {
  // Links need the address of the page, not of the stream.
  const query = new URLSearchParams([...asking.query].filter(([name]) => name !== 'await'));
  let drawn:
    | { readonly overview: Overview; readonly isCurrent: boolean; readonly parts: LiveParts }
    | undefined;
  return async (at, updates) => {
    if (drawn?.isCurrent) return drawn.parts;
    const request = { ...at, query };
    const asked = readVideosQuery(request);
    const shown = await request.videos.show(asked.query);
    const { overview, isCurrent } = shown;
    if (drawn !== undefined && drawn.overview === overview && !isCurrent) return drawn.parts;
    const { head, figures } = await draw(request, asked, shown, updates);
    const parts = { 'videos-head': head, 'videos-figures': figures };
    if (overview !== undefined) drawn = { overview, isCurrent, parts };
    return parts;
  };
}

function filters(
  request: PageRequest,
  { query: { span, campaign, creator, product, state } }: VideosQuery,
  { list }: Overview,
  names: ReadonlyMap<string, string>,
): Html {
  return filterChips(request, { path: '/videos' }, [
    {
      name: 'span',
      title: 'Growth over',
      value: String(span),
      options: spanLengths.map((days) => [String(days), plural(days, 'day')]),
      isKept: true,
    },
    { name: 'campaign', title: 'Campaign', value: campaign, options: campaignChoices(list, names, campaign) },
    { name: 'creator', title: 'Creator', value: creator },
    { name: 'product', title: 'Product', value: product },
    {
      name: 'state',
      title: 'State',
      value: state,
      options: (['ok', 'new', 'failing', 'gone'] as const).map((each) => [
        each,
        `${wordOfState(each)} (${thousands(list.states[each])})`,
      ]),
    },
  ]);
}

function howToBegin(request: PageRequest): Html {
  return empty(
    html`<b>No video is on the watch list.</b> Each night, the public figures of its videos are updated: views, likes, comments, shares, saves.`,
    html`<ol>
      <li>Add videos: paste their links, or upload a results sheet with the column <code>video_url</code> filled in.</li>
      <li>Update the figures now, or switch on the schedule below.</li>
    </ol>
    <p class="actions">${addVideosLink(request, 'button primary')}</p>`,
  );
}

function nothing({ link }: PageRequest, { query, list }: Overview): Html {
  const { state } = query;
  const asked = { ...filtersOf(query), ...(state && { state: wordOfState(state) }) };
  const all = `Show all ${plural(list.videos, 'video')}`;
  return noMatch('No video matches.', describeFilter(asked), [link('/videos'), all]);
}
