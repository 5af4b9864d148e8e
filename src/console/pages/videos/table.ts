/** The videos that match the filter, sorted and paged on the server, and texts about a video. */

import { listCampaigns } from '../../../app/campaigns/list.ts';
import type { Runtime } from '../../../app/runtime/runtime.ts';
import { titleOf } from '../../../app/videos/describe.ts';
import { videoState } from '../../../app/videos/documents.ts';
import {
  type ListedVideo,
  type Overview,
  type OverviewGrouping,
  type OverviewQuery,
  overviewGroupings,
  type Sort,
  type SortColumn,
  sortColumns,
} from '../../../app/videos/overview.ts';
import { spanOf } from '../../../app/videos/spans.ts';
import type { VideoFilter } from '../../../app/videos/watch-list.ts';
import type { VideoState } from '../../../ledger/videos/video.ts';
import { capitalized } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { table } from '../../parts/blocks.ts';
import { gain, short, spark } from '../../parts/figures.ts';
import { changedAddress, pager, rowPath, textIn } from '../../parts/list.ts';
import { dayAndMonth } from '../../parts/numbers.ts';
import { pictureColumn, type ShownPicture, thumbnail } from '../../parts/picture.ts';
import { type IconName, icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';

export const videosAPage = 20;

interface VideosTable {
  readonly sort: Sort;
  readonly page: number;
  readonly found: number;
  readonly videos: readonly ListedVideo[];
  readonly names: ReadonlyMap<string, string>;
  readonly covers: ReadonlyMap<string, ShownPicture>;
}

export function videosTable(
  request: PageRequest,
  { sort, page, found, videos, names, covers }: VideosTable,
): Html {
  const column = (name: SortColumn, title = titleOfFigure(name)) => sortHead(request, sort, name, title);
  const figures = (['plays', 'gained', 'likes', 'comments', 'shares', 'saves'] as const).map((name) =>
    column(name),
  );
  const list = table({
    of: 'list',
    className: 'middle titled videos',
    heads: [pictureColumn, 'Video', column('released', 'Posted'), 'Gained a day', ...figures],
    lines: videos.map((video) => line(request, video, names, covers)),
  });
  return html`${list}${pages(request, page, found)}`;
}

function sortHead(request: PageRequest, sort: Sort, name: SortColumn, title: string): Html {
  const isSorted = sort.column === name;
  const next = isSorted && sort.descending ? name : `-${name}`;
  const address = addressOf(request, { sort: next === '-gained' ? '' : next, page: '' }, 'list');
  const order = sort.descending ? 'descending' : 'ascending';
  return html`<th scope="col" class="n"${isSorted ? html` aria-sort="${order}"` : ''}><a href="${address}">${title}</a>${isSorted ? (sort.descending ? ' ↓' : ' ↑') : ''}</th>`;
}

function line(
  request: PageRequest,
  { video, figures }: ListedVideo,
  names: ReadonlyMap<string, string>,
  covers: VideosTable['covers'],
): Html {
  const { id, state, released_at, creator, author } = video;
  const row = rowLink(request, video, names);
  const who = words(creator ?? author ?? '');
  const posted =
    released_at === null ? 'unknown' : dayAndMonth(Date.parse(released_at), request.zone, request.now);
  const others = [video.digg_count, video.comment_count, video.share_count, video.collect_count];
  return html`<tr>
    <td>${thumbnail(request, covers.get(id))}</td>
    <th scope="row">${videoLink(request, id, titleOf(video))}<small>${who}${who !== '' && row !== '' ? ', ' : ''}${row}</small></th>
    <td class="n">${posted}</td>
    <td>${state === 'ok' ? spark(figures.daily[0] ?? []) : videoBadge(state)}</td>
    <td class="n"><b>${figure(video.play_count)}</b></td>
    <td class="n">${gain(figures.growths[0]?.[0])}</td>
    ${others.map((each) => html`<td class="n">${figure(each)}</td>`)}
  </tr>`;
}

function figure(value: number | null): Html | string {
  return value === null ? html`<span class="none">unknown</span>` : short(value);
}

function pages(request: PageRequest, page: number, total: number): Html {
  const before = (page - 1) * videosAPage;
  const many = Math.min(videosAPage, total - before);
  const to = (other: number) => addressOf(request, { page: other === 1 ? '' : String(other) }, 'list');
  return pager('Pages of videos', { before, many, total }, [
    ['Previous', page > 1 && to(page - 1)],
    ['Next', before + many < total && to(page + 1)],
  ]);
}

export function videoLink({ link }: PageRequest, id: string, title: string): Html {
  return html`<a href="${link(`/videos/${id}`)}">${words(title)}</a>`;
}

/** Names of the campaigns of this ledger, by id. */
export async function campaignNames(runtime: Runtime): Promise<ReadonlyMap<string, string>> {
  const { campaigns } = await listCampaigns(runtime);
  return new Map(campaigns.map(({ id, name }) => [id, name]));
}

/** Most campaigns in a filter; the latest ones, because they are wanted most. */
const mostCampaigns = 200;

/** Campaigns to choose from, with their names. @param chosen is among them. */
export function campaignChoices(
  { campaigns }: Overview['list'],
  names: ReadonlyMap<string, string>,
  chosen: string | undefined,
): readonly (readonly [id: string, name: string])[] {
  const ids = new Set([...campaigns.keys()].slice(-mostCampaigns));
  if (chosen !== undefined) ids.add(chosen);
  return Array.from(ids, (id) => [id, names.get(id) ?? id] as const);
}

/** Link to the row that a video belongs to. @param known campaigns of this ledger. */
export function rowLink(
  { link }: PageRequest,
  { campaign, key }: { readonly campaign: string | null; readonly key: string | null },
  known: ReadonlyMap<string, string>,
): Html | string {
  if (key === null) return '';
  if (campaign === null || !known.has(campaign)) return words(key);
  return html`<a href="${link(rowPath(campaign, key))}">${words(key)}</a>`;
}

const states: Readonly<
  Record<VideoState, { readonly tone: string; readonly icon: IconName; readonly word: string }>
> = {
  ok: { tone: 'done', icon: 'posted', word: 'updated' },
  new: { tone: 'running', icon: 'running', word: 'not updated yet' },
  failing: { tone: 'warning', icon: 'warning', word: 'failing' },
  gone: { tone: 'failed', icon: 'gone', word: 'gone' },
};

export function wordOfState(state: VideoState): string {
  return states[state].word;
}

/** @param place `tag`: beside the title of a page. */
export function videoBadge(state: VideoState, place = ''): Html {
  const { tone, icon: name, word } = states[state];
  return html`<span class="state ${place}" data-state="${tone}">${icon(name)} ${word}</span>`;
}

/** Names of the counters on pages, in the order of the samples. */
export const figureNames = ['plays', 'likes', 'comments', 'shares', 'saves'] as const;
export type FigureName = (typeof figureNames)[number];

/** People say views; the address and the sheets say plays. */
export function titleOfFigure(name: string): string {
  return name === 'plays' ? 'Views' : capitalized(name);
}

export interface VideosQuery {
  readonly query: OverviewQuery;
  readonly figure: FigureName;
  /** What sums are shown of, in place of the videos. */
  readonly by: OverviewGrouping | undefined;
  readonly all: boolean;
  readonly sort: Sort;
  /** From 1. */
  readonly page: number;
}

const mostPages = 100_000;

export function readVideosQuery({ query, zone }: PageRequest): VideosQuery {
  const sort = query.get('sort') ?? '-gained';
  const page = Math.trunc(Number(query.get('page')));
  return {
    query: {
      span: spanOf(query.get('span')),
      zone,
      campaign: textIn(query, 'campaign'),
      creator: textIn(query, 'creator'),
      product: textIn(query, 'product'),
      state: videoState.options.find((state) => state === query.get('state')),
    },
    figure: figureNames.find((name) => name === query.get('figure')) ?? 'plays',
    by: overviewGroupings.find((name) => name === query.get('by')),
    all: query.get('all') === '1',
    sort: {
      column: sortColumns.find((column) => column === sort.replace(/^-/, '')) ?? 'gained',
      descending: sort.startsWith('-'),
    },
    page: page >= 1 && page <= mostPages ? page : 1,
  };
}

export function filtersOf({ campaign, creator, product, state }: VideoFilter): Record<string, string> {
  const given = Object.entries({ campaign, creator, product, state });
  return Object.fromEntries(given.filter((field): field is [string, string] => field[1] !== undefined));
}

/** The address of the same view with some parameters changed; an empty value removes one. @param place id of a section. */
export function addressOf(
  request: PageRequest,
  changes: Readonly<Record<string, string>>,
  place = '',
): string {
  return changedAddress(request, '/videos', changes, place && `#${place}`);
}
