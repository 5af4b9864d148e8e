/** Sums and medians of many videos, by group or of all, and the videos that grew most. */
import { type Amount, plus } from '../ledger/videos/amount.ts';
import { type Counts, counters } from '../ledger/videos/sample.ts';
import type { WatchedVideo } from '../ledger/videos/video.ts';
import { engagementOf, highIntentOf, ratioOf, type VideoFigures, viewsPerDay } from './figures.ts';
import { creatorOf } from './watch-list.ts';

export const groupings = ['video', 'creator', 'campaign', 'product', 'account'] as const;
/** What videos are summed by. */
export type Grouping = (typeof groupings)[number];

/** The figures of a group of videos. */
export interface GroupFigures {
  /** The URL, creator, ...; empty for videos without one. */
  readonly name: string;
  readonly videos: number;
  /** Sums of the latest figures; undefined if no video has the figure. */
  readonly counts: Counts;
  /** Sums over each span; undefined if no video has the figure. */
  readonly growths: readonly Counts[];
  /** Growth by counter, then by day. */
  readonly daily: readonly (readonly Amount[])[];
  /** Median of the views. */
  readonly median: Amount | undefined;
  /** Median of the growth of views, over each span. */
  readonly growthMedians: readonly (Amount | undefined)[];
  /** Sum over the videos. */
  readonly viewsPerDay: number | undefined;
  readonly engagement: number | undefined;
  readonly highIntent: number | undefined;
}

/** Which figures are summed. */
export interface SumsOptions {
  /** Spans of growth. */
  readonly spans: number;
  /** Days of growth by day, of the first counters only. */
  readonly days?: number;
  readonly countersByDay?: number;
  /** With medians, and views a day. */
  readonly isFull?: boolean;
}

/** Adds up the figures of videos. */
export class Sums {
  readonly #name: string;
  readonly #counts = unknownCounts();
  readonly #growths: (Amount | undefined)[][];
  readonly #daily: Amount[][];
  readonly #views: Amount[] = [];
  readonly #grown: Amount[][];
  readonly #isFull: boolean;
  #videos = 0;
  #perDay: number | undefined;

  constructor(
    name: string,
    { spans, days = 0, countersByDay = counters.length, isFull = false }: SumsOptions,
  ) {
    this.#name = name;
    this.#growths = Array.from({ length: spans }, unknownCounts);
    this.#grown = this.#growths.map(() => []);
    this.#daily = Array.from({ length: days === 0 ? 0 : countersByDay }, () => Array(days).fill(0));
    this.#isFull = isFull;
  }

  add({ summary }: WatchedVideo, { counts, at, growths, daily }: VideoFigures): void {
    this.#videos += 1;
    addTo(this.#counts, counts);
    for (const [span, sums] of this.#growths.entries()) addTo(sums, growths[span] ?? []);
    for (const [each, sums] of this.#daily.entries()) addTo(sums, daily[each] ?? []);
    if (!this.#isFull) return;
    const perDay = viewsPerDay(counts[0], summary?.releasedAt, at);
    if (perDay !== undefined) this.#perDay = (this.#perDay ?? 0) + perDay;
    if (counts[0] !== undefined) this.#views.push(counts[0]);
    for (const [span, grown] of this.#grown.entries()) {
      const growth = growths[span]?.[0];
      if (growth !== undefined) grown.push(growth);
    }
  }

  finish(): GroupFigures {
    return {
      name: this.#name,
      videos: this.#videos,
      counts: this.#counts,
      growths: this.#growths,
      daily: this.#daily,
      median: medianOf(this.#views),
      growthMedians: this.#grown.map(medianOf),
      viewsPerDay: this.#perDay === undefined ? undefined : Math.round(this.#perDay * 10) / 10,
      engagement: engagementOf(this.#counts),
      highIntent: highIntentOf(this.#counts),
    };
  }
}

function unknownCounts(): (Amount | undefined)[] {
  return counters.map(() => undefined);
}

function addTo(sums: (Amount | undefined)[], more: Counts): void {
  for (let index = 0; index < more.length; index += 1) {
    const amount = more[index];
    if (amount === undefined) continue;
    const sum = sums[index];
    if (sum === undefined) sums[index] = amount;
    else if (amount !== 0) sums[index] = plus(sum, amount);
  }
}

/** Sums by creator, campaign, ... */
export class Groups {
  readonly #by: Grouping;
  readonly #options: SumsOptions;
  readonly #groups = new Map<string, Sums>();

  constructor(by: Grouping, options: SumsOptions) {
    this.#by = by;
    this.#options = options;
  }

  add(video: WatchedVideo, figures: VideoFigures): void {
    const name = nameOf(video, this.#by);
    const key = this.#by === 'creator' ? creatorKey(name) : name;
    const sums = this.#groups.get(key) ?? new Sums(name, this.#options);
    this.#groups.set(key, sums);
    sums.add(video, figures);
  }

  /** The one with the largest growth of views over a span first, then by views. @param unknown weight of what is not known. */
  finish(span: number, unknown?: Amount): readonly GroupFigures[] {
    return [...this.#groups.values()]
      .map((sums) => sums.finish())
      .sort(
        (one, other) =>
          compare(other.growths[span]?.[0] ?? unknown, one.growths[span]?.[0] ?? unknown) ||
          compare(other.counts[0] ?? unknown, one.counts[0] ?? unknown),
      );
  }
}

function nameOf(video: WatchedVideo, by: Grouping): string {
  const { facts } = video;
  if (by === 'creator') return creatorOf(video) ?? '';
  return (by === 'video' ? facts.url : facts[by]) ?? '';
}

/** Usernames are case-insensitive. */
export function creatorKey(name: string): string {
  return name.toLowerCase();
}

function compare(one: Amount | undefined, other: Amount | undefined): number {
  if (one === undefined || other === undefined)
    return Number(one !== undefined) - Number(other !== undefined);
  return one > other ? 1 : one < other ? -1 : 0;
}

/** A video, or what is told of it, that is among those that grew most. */
export interface Moved<T> {
  readonly item: T;
  readonly growth: Amount;
  /** Growth divided by the value before; undefined if that was 0, or is not known. */
  readonly ratio: number | undefined;
}

/** Keeps the few with the largest growth, and those with the largest ratio. */
export class Movers<T> {
  readonly absolute: Moved<T>[] = [];
  readonly relative: Moved<T>[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** @param before the value that the ratio refers to. @param isRated whether its ratio may be among the largest. */
  add(
    growth: Amount | undefined,
    before: Amount | undefined,
    { item, isRated = true }: { readonly item: () => T; readonly isRated?: boolean },
  ): void {
    if (growth === undefined || growth <= 0) return;
    const hasRatio = before !== undefined && before > 0;
    // Rejects most videos fast. Floating-point numbers are exact enough for that.
    const isFast = hasRatio && isRated && Number(growth) / Number(before) >= this.#leastRatio * 0.99;
    if (!isFast && growth <= this.#leastGrowth) return;
    const moved = { item: item(), growth, ratio: hasRatio ? ratioOf(growth, before) : undefined };
    keepLargest(this.absolute, moved, this.#most, (each) => each.growth);
    if (hasRatio && isRated) keepLargest(this.relative, moved, this.#most, (each) => each.ratio ?? 0);
  }

  /** A full list takes only more than this. */
  get #leastGrowth(): Amount {
    return this.absolute[this.#most - 1]?.growth ?? 0;
  }

  get #leastRatio(): number {
    return this.relative[this.#most - 1]?.ratio ?? 0;
  }
}

/** Inserts an item into the few with the largest weights, largest first. Among equal weights, the earlier item stays. */
export function keepLargest<T>(kept: T[], item: T, most: number, weightOf: (item: T) => Amount): void {
  const place = kept.findIndex((other) => weightOf(other) < weightOf(item));
  if (place < 0 && kept.length >= most) return;
  kept.splice(place < 0 ? kept.length : place, 0, item);
  kept.length = Math.min(kept.length, most);
}

/** The middle value; of two middle values, their mean without its fraction. Undefined if there are none. */
export function medianOf(values: readonly Amount[]): Amount | undefined {
  const sorted = sortedOf(values);
  const middle = Math.floor(sorted.length / 2);
  const [lower, upper] = [sorted[middle - 1], sorted[middle]];
  if (upper === undefined || lower === undefined || sorted.length % 2 === 1) return upper;
  const sum = plus(lower, upper);
  return typeof sum === 'bigint' ? sum / 2n : Math.trunc(sum / 2);
}

function sortedOf(values: readonly Amount[]): ArrayLike<Amount> {
  const numbers = new Float64Array(values.length);
  for (const [index, value] of values.entries()) {
    if (typeof value === 'bigint') return values.toSorted(compare);
    numbers[index] = value;
  }
  return numbers.sort();
}
