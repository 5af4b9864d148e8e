/** An overview of the watch list, read in one pass: totals, gains by day, movers, and an order for its pages. */
import { setImmediate } from 'node:timers/promises';
import { stateOf, type VideoState, type WatchedVideo } from '../../ledger/videos/video.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { Aggregate, creatorKey, type GroupFigures, type Mover } from './aggregate.ts';
import { describeVideo } from './describe.ts';
import type { VideoDocument } from './documents.ts';
import { figuresOf, type VideoFigures } from './figures.ts';
import { daysOf, type SpanDays } from './spans.ts';
import { creatorOf, matcherOf, type VideoFilter } from './watch-list.ts';

export interface OverviewQuery extends VideoFilter {
  /** Days. */
  readonly span: number;
  /** Date of the last day, in the past; default: today. */
  readonly until?: string | undefined;
  /** IANA time zone of the days. */
  readonly zone: string;
}

export const overviewGroupings = ['creator', 'product', 'campaign'] as const;
export type OverviewGrouping = (typeof overviewGroupings)[number];

/** Facts about the whole list, whatever the filter. */
export interface ListFacts {
  readonly videos: number;
  readonly states: Readonly<Record<VideoState, number>>;
  /** Videos by campaign, in the order of addition. */
  readonly campaigns: ReadonlyMap<string, number>;
  readonly creators: number;
  readonly products: number;
  /** Calls that looking up all videos now takes. Videos that stay gone are not looked up any more. */
  readonly calls: number;
  readonly callsByCampaign: ReadonlyMap<string, number>;
}

export interface Overview {
  readonly query: OverviewQuery;
  /** Time of the reading: Unix epoch, milliseconds. */
  readonly at: number;
  readonly days: SpanDays;
  readonly list: ListFacts;
  /** Sums of the matching videos. */
  readonly totals: GroupFigures;
  /** Time of the latest sample of the matching videos: Unix epoch, seconds. Undefined if there is none. */
  readonly lastAt: number | undefined;
  /** The largest gain first. Their days are of views only; none for spans of more than 90 days. */
  readonly groups: Readonly<Record<OverviewGrouping, readonly GroupFigures[]>>;
  /** Videos that gained most, and those that gained more, and less, than in the span of the same length before. */
  readonly movers: {
    readonly most: readonly Mover[];
    readonly fastest: readonly Mover[];
    readonly slowing: readonly Mover[];
  };
  readonly order: VideoOrder;
}

/** Few enough that other requests are answered between parts. */
const videosAtOnce = 200;
/** Videos with fewer plays grow fast by chance. */
export const leastPlays = 1000;
/** They fill rows of two and of three. */
const moversKept = 6;
/** Of longer spans, the days of each group would take too much memory. */
const mostDaysOfGroups = 90;

/** @param onProgress receives the number of videos examined. */
export async function readOverview(
  { ledger: { videos }, settings, now }: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  query: OverviewQuery,
  onProgress: (videos: number) => void = () => undefined,
): Promise<Overview> {
  const at = now();
  const days = daysOf(query.span, query.zone, at, query.until);
  const list = gatherFacts(settings.videos.gone.after);
  const sums = new Aggregate({
    by: overviewGroupings,
    spans: 1,
    days: query.span,
    daysOfGroups: query.span > mostDaysOfGroups ? 0 : query.span,
    movers: moversKept,
    leastViews: leastPlays,
  });
  const order = new VideoOrder();
  let lastAt: number | undefined;
  const fits = matcherOf(query);
  for await (const part of videos.list.all(undefined, videosAtOnce)) {
    for (const video of part) list.add(video);
    const found = part.filter(fits);
    for (const [index, figures] of (await figuresOf(videos.history, found, days)).entries()) {
      const video = found[index] as WatchedVideo;
      // Nothing was known of it at the end of a past span.
      if (days.until !== undefined && figures.at === undefined) continue;
      if (figures.at !== undefined) lastAt = Math.max(lastAt ?? figures.at, figures.at);
      sums.add({ video, figures });
      order.add(video, figures);
    }
    onProgress(list.facts.videos);
    await setImmediate();
  }
  const { absolute: most, relative, slowing } = sums.movers(0);
  const fastest = relative.filter(({ ratio = 0 }) => ratio > 1);
  const groups = overviewGroupings.map((by) => [by, sums.groups(by, 0, 0)] as const);
  return {
    query,
    at,
    days,
    order,
    lastAt,
    list: list.finish(),
    totals: sums.total(),
    movers: { most, fastest, slowing },
    groups: Object.fromEntries(groups) as Overview['groups'],
  };
}

/** @param goneAfter number of 404 answers after which a video is not looked up again. */
function gatherFacts(goneAfter: number) {
  const states: Record<VideoState, number> = { new: 0, ok: 0, failing: 0, gone: 0 };
  const campaigns = new Map<string, number>();
  const callsByCampaign = new Map<string, number>();
  const creators = new Set<string>();
  const products = new Set<string>();
  const facts = { videos: 0, calls: 0, states, campaigns, callsByCampaign };
  return {
    facts,
    add(video: WatchedVideo): void {
      const { campaign, product } = video.facts;
      const creator = creatorOf(video);
      const calls = video.gone && video.gone.answers >= goneAfter ? 0 : 1;
      facts.videos += 1;
      facts.calls += calls;
      states[stateOf(video)] += 1;
      if (creator !== undefined) creators.add(creatorKey(creator));
      if (product !== undefined) products.add(product);
      if (campaign === undefined) return;
      campaigns.set(campaign, (campaigns.get(campaign) ?? 0) + 1);
      callsByCampaign.set(campaign, (callsByCampaign.get(campaign) ?? 0) + calls);
    },
    finish: (): ListFacts => ({ ...facts, creators: creators.size, products: products.size }),
  };
}

export const sortColumns = ['released', 'plays', 'gained', 'likes', 'comments', 'shares', 'saves'] as const;
export type SortColumn = (typeof sortColumns)[number];

export interface Sort {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** The order of the matching videos, by any column. Keeps only the id and one number per column of each video. */
class VideoOrder {
  readonly #ids: string[] = [];
  readonly #columns = new Map<SortColumn, number[]>(sortColumns.map((column) => [column, []]));
  readonly #sorted = new Map<string, Uint32Array>();

  get size(): number {
    return this.#ids.length;
  }

  add({ id, meta }: WatchedVideo, { counts, growths }: VideoFigures): void {
    this.#ids.push(id);
    const [plays, likes, comments, shares, saves] = counts;
    const gained = growths[0]?.[0];
    const values = { released: meta.releasedAt, plays, gained, likes, comments, shares, saves };
    for (const column of sortColumns) this.#columns.get(column)?.push(values[column] ?? Number.NaN);
  }

  /** Ids of a part of the list. Videos without the figure come last, equal ones in the order of addition. */
  part({ column, descending }: Sort, from: number, count: number): readonly string[] {
    const key = `${descending ? '-' : ''}${column}`;
    const sorted = this.#sorted.get(key) ?? this.#sort(column, descending);
    this.#sorted.set(key, sorted);
    return Array.from(sorted.subarray(from, from + count), (place) => this.#ids[place] ?? '');
  }

  #sort(column: SortColumn, descending: boolean): Uint32Array {
    const values = Float64Array.from(this.#columns.get(column) ?? [], (value) => {
      if (Number.isNaN(value)) return Number.POSITIVE_INFINITY;
      return descending ? -value : value;
    });
    return Uint32Array.from(values.keys()).sort((one, other) => {
      const [first = 0, second = 0] = [values[one], values[other]];
      return first < second ? -1 : first > second ? 1 : one - other;
    });
  }
}

export interface ListedVideo {
  readonly video: VideoDocument;
  readonly figures: VideoFigures;
}

/** Returns the videos from a position on, without those removed since the overview was read. */
export async function listOverviewPage(
  { ledger: { videos }, settings }: Pick<Runtime, 'ledger' | 'settings'>,
  { order, days, lastAt = 0 }: Overview,
  { sort, from, count }: { readonly sort: Sort; readonly from: number; readonly count: number },
): Promise<readonly ListedVideo[]> {
  const found = await videos.list.read(order.part(sort, from, count));
  const shown = found.filter((video) => video !== undefined);
  // As of the overview, which may be kept for a while: the sums of its figures stand on the same page.
  const read = await figuresOf(videos.history, shown, { ...days, until: days.until ?? lastAt });
  return read.map((figures, index) => ({
    video: describeVideo(shown[index] as WatchedVideo, settings.videos.gone.after),
    figures,
  }));
}
