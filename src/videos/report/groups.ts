/** Sums and medians of groups of videos. */
import { type Amount, plus } from '../../ledger/videos/amount.ts';
import { type Counts, counters } from '../../ledger/videos/sample.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import { engagementOf, highIntentOf, medianOf, viewsPerDay } from '../figures.ts';
import { creatorOf } from '../wanted.ts';

export const groupings = ['video', 'creator', 'campaign', 'product', 'account'] as const;
/** What a report has a line for. */
export type Grouping = (typeof groupings)[number];

/** Figures of one video for a report. `growths`: over the spans of the report, in their order. */
export interface VideoFigures {
  readonly counts: Amounts;
  /** Time of the sample with these counts: Unix epoch, seconds. Undefined if there is none. */
  readonly at: number | undefined;
  readonly growths: readonly Amounts[];
}

export type Amounts = readonly (Amount | undefined)[];

/** The figures of a group of videos. */
export interface GroupFigures {
  /** The URL, creator, ...; empty for videos without one. */
  readonly name: string;
  readonly videos: number;
  /** Sums of the latest figures; undefined if no video has the figure. */
  readonly counts: Counts;
  /** Sums over each span; undefined if no video has the figure. */
  readonly growths: readonly Counts[];
  /** Median of the views. */
  readonly median: bigint | undefined;
  /** Median of the growth of views, over each span. */
  readonly growthMedians: readonly (bigint | undefined)[];
  /** Sum over the videos. */
  readonly viewsPerDay: number | undefined;
  readonly engagement: number | undefined;
  readonly highIntent: number | undefined;
}

export function groupOf(video: WatchedVideo, by: Grouping): string {
  switch (by) {
    case 'video':
      return video.facts.url;
    case 'creator':
      return creatorOf(video) ?? '';
    case 'campaign':
      return video.facts.campaign ?? '';
    case 'product':
      return video.facts.product ?? '';
    case 'account':
      return video.facts.account;
  }
}

/** Identifies the group of a video. Usernames are case-insensitive. */
export function groupKeyOf(name: string, by: Grouping): string {
  return by === 'creator' ? name.toLowerCase() : name;
}

/** Collects the figures of one group. */
export class Group {
  readonly #name: string;
  #videos = 0;
  readonly #counts: (Amount | undefined)[] = counters.map(() => undefined);
  readonly #growths: (Amount | undefined)[][];
  readonly #views: Amount[] = [];
  readonly #grown: Amount[][];
  #perDay: number | undefined;

  /** @param spans number of spans of growth. */
  constructor(name: string, spans: number) {
    this.#name = name;
    this.#growths = Array.from({ length: spans }, () => counters.map(() => undefined));
    this.#grown = Array.from({ length: spans }, () => []);
  }

  add({ rawSummary }: WatchedVideo, { counts, at, growths }: VideoFigures): void {
    this.#videos += 1;
    this.#addTo(this.#counts, counts);
    const [views] = counts;
    if (views !== undefined) this.#views.push(views);
    const perDay = viewsPerDay(views, rawSummary?.releasedAt, at ?? 0);
    if (perDay !== undefined) this.#perDay = (this.#perDay ?? 0) + perDay;
    growths.forEach((growth, span) => {
      const sums = this.#growths[span];
      if (sums) this.#addTo(sums, growth);
      if (growth[0] !== undefined) this.#grown[span]?.push(growth[0]);
    });
  }

  /** Adds all videos of another group. */
  merge(other: Group): void {
    this.#videos += other.#videos;
    this.#addTo(this.#counts, other.#counts);
    if (other.#perDay !== undefined) this.#perDay = (this.#perDay ?? 0) + other.#perDay;
    for (const views of other.#views) this.#views.push(views);
    other.#growths.forEach((growth, span) => {
      const sums = this.#growths[span];
      if (sums) this.#addTo(sums, growth);
      for (const grown of other.#grown[span] ?? []) this.#grown[span]?.push(grown);
    });
  }

  #addTo(sums: (Amount | undefined)[], counts: Amounts): void {
    for (let index = 0; index < counts.length; index += 1) {
      const count = counts[index];
      if (count !== undefined) sums[index] = plus(sums[index] ?? 0, count);
    }
  }

  finish(): GroupFigures {
    const counts = exactly(this.#counts);
    return {
      name: this.#name,
      videos: this.#videos,
      counts,
      growths: this.#growths.map(exactly),
      median: medianOf(this.#views),
      growthMedians: this.#grown.map(medianOf),
      viewsPerDay: this.#perDay === undefined ? undefined : Math.round(this.#perDay * 10) / 10,
      engagement: engagementOf(counts),
      highIntent: highIntentOf(counts),
    };
  }
}

function exactly(sums: Amounts): Counts {
  return sums.map((sum) => (sum === undefined ? undefined : BigInt(sum)));
}
