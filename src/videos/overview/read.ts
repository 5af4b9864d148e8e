/** Reads an overview of the watch list in one pass: totals, gains by day, movers, and an order for its pages. */
import { setImmediate } from 'node:timers/promises';
import { stateOf, type VideoState, type WatchedVideo } from '../../ledger/videos/video.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { groupKeyOf } from '../report/groups.ts';
import { creatorOf, isWanted, type WantedVideos } from '../wanted.ts';
import { daysOf, type SpanDays, type SpanLength } from './days.ts';
import { readGains } from './gains.ts';
import { VideoOrder } from './order.ts';
import { type FoundMovers, Groups, type GroupTotals, Movers, type Sums, Totals } from './totals.ts';

export interface OverviewQuery extends WantedVideos {
  readonly span: SpanLength;
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
  /** The same by campaign. */
  readonly callsByCampaign: ReadonlyMap<string, number>;
}

export interface Overview {
  readonly query: OverviewQuery;
  /** Time of the reading: Unix epoch, milliseconds. */
  readonly at: number;
  readonly days: SpanDays;
  readonly list: ListFacts;
  /** Sums of the matching videos, by counter. */
  readonly totals: Sums;
  /** Time of the latest sample of the matching videos: Unix epoch, seconds. Undefined if there is none. */
  readonly lastAt: number | undefined;
  readonly groups: Readonly<Record<OverviewGrouping, readonly GroupTotals[]>>;
  readonly movers: FoundMovers;
  readonly order: VideoOrder;
}

/** Few enough that other requests are answered between parts. */
const videosAtOnce = 200;

/** @param onProgress receives the number of videos examined. */
export async function readOverview(
  { ledger: { videos }, settings, now }: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  query: OverviewQuery,
  onProgress: (videos: number) => void = () => undefined,
): Promise<Overview> {
  const at = now();
  const days = daysOf(query.span, query.zone, at);
  const facts = new FactsOfList(settings.videos.gone.after);
  const totals = new Totals(query.span);
  const movers = new Movers();
  const order = new VideoOrder();
  let lastAt: number | undefined;
  const groups = {
    creator: new Groups(query.span),
    product: new Groups(query.span),
    campaign: new Groups(query.span),
  };
  const fits = isWanted(query);
  for await (const part of videos.list.all(undefined, videosAtOnce)) {
    for (const video of part) facts.add(video);
    const found = part.filter(fits);
    const gains = await readGains(videos.history, found, days);
    for (const [index, video] of found.entries()) {
      const ofVideo = gains[index];
      if (!ofVideo) continue;
      const { latest } = video.rawSummary ?? {};
      if (latest) lastAt = Math.max(lastAt ?? latest.at, latest.at);
      totals.add(video, ofVideo);
      movers.add(video, ofVideo);
      order.add(video, ofVideo);
      const creator = creatorOf(video) ?? '';
      groups.creator.add(creator, video, ofVideo, groupKeyOf(creator, 'creator'));
      groups.product.add(video.facts.product ?? '', video, ofVideo);
      groups.campaign.add(video.facts.campaign ?? '', video, ofVideo);
    }
    onProgress(facts.size);
    await setImmediate();
  }
  return {
    query,
    at,
    days,
    order,
    lastAt,
    list: facts.finish(),
    totals: totals.finish(),
    movers: movers.finish(),
    groups: {
      creator: groups.creator.finish(),
      product: groups.product.finish(),
      campaign: groups.campaign.finish(),
    },
  };
}

class FactsOfList {
  readonly #goneAfter: number;
  readonly #states: Record<VideoState, number> = { new: 0, ok: 0, failing: 0, gone: 0 };
  readonly #campaigns = new Map<string, number>();
  readonly #calls = new Map<string, number>();
  readonly #creators = new Set<string>();
  readonly #products = new Set<string>();
  #all = { videos: 0, calls: 0 };

  constructor(goneAfter: number) {
    this.#goneAfter = goneAfter;
  }

  get size(): number {
    return this.#all.videos;
  }

  add(video: WatchedVideo): void {
    const { campaign, product } = video.facts;
    const creator = creatorOf(video);
    const calls = video.gone && video.gone.answers >= this.#goneAfter ? 0 : 1;
    this.#all.videos += 1;
    this.#all.calls += calls;
    this.#states[stateOf(video)] += 1;
    if (creator !== undefined) this.#creators.add(groupKeyOf(creator, 'creator'));
    if (product !== undefined) this.#products.add(product);
    if (campaign === undefined) return;
    this.#campaigns.set(campaign, (this.#campaigns.get(campaign) ?? 0) + 1);
    this.#calls.set(campaign, (this.#calls.get(campaign) ?? 0) + calls);
  }

  finish(): ListFacts {
    return {
      ...this.#all,
      states: this.#states,
      campaigns: this.#campaigns,
      creators: this.#creators.size,
      products: this.#products.size,
      callsByCampaign: this.#calls,
    };
  }
}
