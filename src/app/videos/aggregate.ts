/** Figures of many videos: sums and medians of all and by group, and the videos that grew most. Reports and overviews ask here. */
import type { Counts } from '../../ledger/videos/sample.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import { countColumns } from '../../manifest/result-columns.ts';
import { engagementOf, highIntentOf, plus, ratioOf, type VideoFigures, viewsPerDay } from './figures.ts';
import { creatorOf } from './watch-list.ts';

export const groupings = ['video', 'creator', 'campaign', 'product'] as const;
export type Grouping = (typeof groupings)[number];

export interface GroupFigures {
  /** The URL, creator, ...; empty for videos without one. */
  readonly name: string;
  readonly videos: number;
  /** Sums of the latest figures; undefined if no video has the figure. */
  readonly counts: Counts;
  /** Sums over each span; undefined if no video has the figure. */
  readonly growths: readonly Counts[];
  /** Growth by counter, then by day. */
  readonly daily: readonly (readonly number[])[];
  readonly median: number | undefined;
  readonly growthMedians: readonly (number | undefined)[];
  /** Sum over the videos. */
  readonly viewsPerDay: number | undefined;
  readonly engagement: number | undefined;
  readonly highIntent: number | undefined;
}

export interface FiguredVideo {
  readonly video: WatchedVideo;
  readonly figures: VideoFigures;
}

export interface Mover extends FiguredVideo {
  readonly growth: number;
  /** Growth divided by the value before (`VideoFigures.viewsBefore`); undefined if that was 0, or is not known. */
  readonly ratio: number | undefined;
}

export interface AggregateOptions {
  readonly by: readonly Grouping[];
  readonly spans: number;
  /** Days of growth by day: of all counters in the total, of the views in groups. */
  readonly days?: number;
  readonly daysOfGroups?: number;
  /** With medians, and views a day. */
  readonly isFull?: boolean;
  readonly movers: number;
  /** Videos with fewer views are not compared by their ratio. */
  readonly leastViews?: number;
}

/** Takes videos one by one. Keeps none but the movers. */
export class Aggregate {
  readonly #options: AggregateOptions;
  readonly #total: Sums;
  readonly #groups: ReadonlyMap<Grouping, Map<string, Sums>>;
  readonly #movers: readonly Movers[];

  constructor(options: AggregateOptions) {
    const { by, spans, days = 0, isFull = false, movers, leastViews = 0 } = options;
    this.#options = options;
    this.#total = new Sums('', { spans, days, countersByDay: countColumns.length, isFull });
    this.#groups = new Map(by.map((grouping) => [grouping, new Map<string, Sums>()]));
    this.#movers = Array.from({ length: spans }, () => new Movers(movers, leastViews));
  }

  add(each: FiguredVideo): void {
    const { spans, daysOfGroups: days = 0, isFull = false } = this.#options;
    this.#total.add(each);
    for (const [by, groups] of this.#groups) {
      const name = nameOf(each.video, by);
      const key = by === 'creator' ? creatorKey(name) : name;
      const sums = groups.get(key) ?? new Sums(name, { spans, days, countersByDay: 1, isFull });
      groups.set(key, sums);
      sums.add(each);
    }
    for (const [span, movers] of this.#movers.entries()) movers.add(each, span);
  }

  total(): GroupFigures {
    return this.#total.finish();
  }

  /** The one with the largest growth of views over a span first, then by views. @param unknown weight of what is not known. */
  groups(by: Grouping, span: number, unknown?: number): readonly GroupFigures[] {
    return Array.from(this.#groups.get(by)?.values() ?? [], (sums) => sums.finish()).sort(
      (one, other) =>
        compare(other.growths[span]?.[0] ?? unknown, one.growths[span]?.[0] ?? unknown) ||
        compare(other.counts[0] ?? unknown, one.counts[0] ?? unknown),
    );
  }

  /** The videos with the largest growth over a span, and those with the largest ratio. The largest first. */
  movers(span: number): Pick<Movers, 'absolute' | 'relative' | 'slowing'> {
    return this.#movers[span] ?? { absolute: [], relative: [], slowing: [] };
  }
}

interface SumsOptions extends Required<Pick<AggregateOptions, 'spans' | 'days' | 'isFull'>> {
  readonly countersByDay: number;
}

class Sums {
  readonly #name: string;
  readonly #counts = unknownCounts();
  readonly #growths: (number | undefined)[][];
  readonly #daily: number[][];
  readonly #views: number[] = [];
  readonly #grown: number[][];
  readonly #isFull: boolean;
  #videos = 0;
  #perDay: number | undefined;

  constructor(name: string, { spans, days, countersByDay, isFull }: SumsOptions) {
    this.#name = name;
    this.#growths = Array.from({ length: spans }, unknownCounts);
    this.#grown = this.#growths.map(() => []);
    this.#daily = Array.from({ length: days === 0 ? 0 : countersByDay }, () => Array(days).fill(0));
    this.#isFull = isFull;
  }

  add({ video, figures: { counts, at, growths, daily } }: FiguredVideo): void {
    this.#videos += 1;
    addTo(this.#counts, counts);
    for (const [span, sums] of this.#growths.entries()) addTo(sums, growths[span] ?? []);
    for (const [each, sums] of this.#daily.entries()) addTo(sums, daily[each] ?? []);
    if (!this.#isFull) return;
    const perDay = viewsPerDay(counts[0], video.meta.releasedAt, at);
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

function unknownCounts(): (number | undefined)[] {
  return countColumns.map(() => undefined);
}

function addTo(sums: (number | undefined)[], more: Counts): void {
  for (let index = 0; index < more.length; index += 1) {
    const amount = more[index];
    if (amount === undefined) continue;
    const sum = sums[index];
    if (sum === undefined) sums[index] = amount;
    else if (amount !== 0) sums[index] = plus(sum, amount);
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

function compare(one: number | undefined, other: number | undefined): number {
  if (one === undefined || other === undefined)
    return Number(one !== undefined) - Number(other !== undefined);
  return one > other ? 1 : one < other ? -1 : 0;
}

class Movers {
  readonly absolute: Mover[] = [];
  readonly relative: Mover[] = [];
  /** Those that gained less than in the span before, the slowest first. */
  readonly slowing: Mover[] = [];
  readonly #most: number;
  readonly #leastViews: number;

  constructor(most: number, leastViews: number) {
    this.#most = most;
    this.#leastViews = leastViews;
  }

  add({ video, figures }: FiguredVideo, span: number): void {
    const growth = figures.growths[span]?.[0];
    if (growth === undefined || growth <= 0) return;
    const before = figures.viewsBefore[span];
    const ratio = before !== undefined && before > 0 ? ratioOf(growth, before) : undefined;
    const mover = { video, figures, growth, ratio };
    keepLargest(this.absolute, mover, this.#most, (each) => each.growth);
    if (ratio === undefined || (figures.counts[0] ?? 0) < this.#leastViews) return;
    keepLargest(this.relative, mover, this.#most, (each) => each.ratio ?? 0);
    if (ratio < 1) keepLargest(this.slowing, mover, this.#most, (each) => -(each.ratio ?? 0));
  }
}

/** Inserts an item into the few with the largest weights, largest first. Among equal weights, the earlier item stays. */
export function keepLargest<T>(kept: T[], item: T, most: number, weightOf: (item: T) => number): void {
  const last = kept.at(-1);
  if (last !== undefined && kept.length >= most && weightOf(last) >= weightOf(item)) return;
  const place = kept.findIndex((other) => weightOf(other) < weightOf(item));
  kept.splice(place < 0 ? kept.length : place, 0, item);
  kept.length = Math.min(kept.length, most);
}

/** The middle value; of two middle values, their mean without its fraction. Undefined if there are none. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = Float64Array.from(values).sort();
  const middle = Math.floor(sorted.length / 2);
  const [lower, upper] = [sorted[middle - 1], sorted[middle]];
  if (upper === undefined || lower === undefined || sorted.length % 2 === 1) return upper;
  return Math.trunc((lower + upper) / 2);
}
