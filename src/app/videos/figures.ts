/**
 * Figures of a video: its counters, how they grew, and ratios of them. Lists, reports, exports and pages all ask here. Growth is measured
 *
 *     over 1, 7 and 30 days   against the newest sample that is so many days, less 12 hours, older than the latest one (`limitOf`).
 *                             The ledger keeps these samples beside the latest one, so that a list reads no history
 *     over a stretch of time  against the newest sample up to its start. Without one: against zero for a video that was released in
 *                             the stretch, else against its first sample
 *     by day                  the same; each difference between two samples counts on the day of the later one
 *
 * Figures are stored as received, so a counter that fell is a loss.
 */
import type { VideoHistory } from '../../ledger/videos/history.ts';
import {
  type Counts,
  keptDays,
  limitOf,
  mostCount,
  type Sample,
  type Snapshot,
} from '../../ledger/videos/sample.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import { countColumns } from '../../manifest/result-columns.ts';
import type { Span, SpanDays } from './spans.ts';

export interface VideoFigures {
  /** The latest counters; empty without a sample. */
  readonly counts: Counts;
  /** Time of their sample: Unix epoch, seconds. */
  readonly at: number | undefined;
  readonly growths: readonly Counts[];
  /** The same by counter, then by day; empty unless it is asked for by day. */
  readonly daily: readonly (readonly number[])[];
  /** What the growth of each span is compared with; by day, those gained in the span before. Undefined unless all of it is known. */
  readonly viewsBefore: readonly (number | undefined)[];
}

const noFigures: VideoFigures = { counts: [], at: undefined, growths: [], daily: [], viewsBefore: [] };

export const keptSpans: readonly string[] = keptDays.map((days) => `${days}d`);

/** The latest figures, with the growth over each of `keptSpans`. Reads no history. */
export function keptFigures({ summary }: WatchedVideo): VideoFigures {
  return summary ? figuresAgainst(summary.latest, summary.before) : noFigures;
}

/** As `keptFigures`, at the last of some samples. @param known these, and earlier ones: oldest first. */
export function figuresAt(last: Sample, known: readonly Sample[]): VideoFigures {
  const limits = keptDays.map((days) => limitOf(last.at, days));
  const before = limits.map((limit) => known.findLast(({ at }) => at <= limit));
  return figuresAgainst(last, before);
}

/** @param before what growth over each span is measured against. */
function figuresAgainst({ at, counts }: Snapshot, before: readonly (Snapshot | undefined)[]): VideoFigures {
  const growths = before.map((base) =>
    counts.map((count, index) => {
      const earlier = base?.counts[index];
      return count === undefined || earlier === undefined ? undefined : count - earlier;
    }),
  );
  return { ...noFigures, at, counts, growths, viewsBefore: before.map((base) => base?.counts[0]) };
}

/** @param query what is asked for: the latest ones, those of a span, or those of days. */
export async function figuresOf(
  history: VideoHistory,
  videos: readonly WatchedVideo[],
  query: 'latest' | Span | SpanDays,
): Promise<readonly VideoFigures[]> {
  if (query === 'latest') return videos.map(keptFigures);
  const stretch: Stretch =
    'starts' in query ? stretchOf(query) : { start: query.since, base: query.since, until: query.until };
  const { base, before } = stretch;
  const found = await history.samples(videos, before === undefined ? base : before - 1);
  return found.map((samples, index) => {
    const video = videos[index] as WatchedVideo;
    const growth = growthIn(samples, stretch, video.meta.releasedAt);
    return 'starts' in query ? figuresOfDays(video, query, growth) : figuresOfSpan(query, growth);
  });
}

/** Those of the newest sample in the span, with the growth up to it. A video without a sample in the span has none. */
function figuresOfSpan({ since }: Span, { latest, growth }: Growth): VideoFigures {
  if (!latest || (since !== undefined && latest.at < since)) return noFigures;
  const { counts, at } = latest;
  // A first sample has not grown yet.
  const known = counts.map((count, counter) => (count === undefined ? undefined : (growth[counter] ?? 0)));
  const [views] = counts;
  return { ...noFigures, counts, at, growths: [known], viewsBefore: [views && views - (known[0] ?? 0)] };
}

/** The latest ones, or those at the end of a past span, with the growth in the span, and by day. */
function figuresOfDays({ summary }: WatchedVideo, { until }: SpanDays, given: Growth): VideoFigures {
  const { latest, growth, daily, viewsBefore } = given;
  const { counts = [], at } = (until === undefined ? summary?.latest : latest) ?? {};
  return { counts, at, growths: [growth], daily, viewsBefore: [viewsBefore] };
}

export interface Stretch {
  /** A video that was released from then on began with zero. Undefined: since the first sample. */
  readonly start: number | undefined;
  /** Newest time of a sample that growth is measured against. */
  readonly base: number | undefined;
  /** Undefined: up to the latest sample. */
  readonly until?: number | undefined;
  /** Start of each day, for growth by day. */
  readonly days?: readonly number[] | undefined;
  /** Start of an equally long stretch before this one, to compare with. Only with `days`. */
  readonly before?: number | undefined;
}

/** A sample of the first second of a span counts on its first day. */
export function stretchOf({ starts, before, until }: SpanDays) {
  const [start = before] = starts;
  return { start, base: start - 1, days: starts, before, until };
}

export interface Growth {
  /** The newest sample up to the end of the stretch. */
  readonly latest: Sample | undefined;
  /** Undefined for a counter without two values to compare. */
  readonly growth: Counts;
  /** By counter, then by day. */
  readonly daily: VideoFigures['daily'];
  /** Views gained in the stretch before; undefined unless all of it is known. */
  readonly viewsBefore: number | undefined;
}

/** @param samples oldest first: those in it, and the newest up to its beginning. @param releasedAt Unix epoch, seconds. */
export function growthIn(
  samples: readonly Sample[],
  { start, base = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, days = [], before }: Stretch,
  releasedAt = 0,
): Growth {
  const daily = countColumns.map(() => days.map(() => 0));
  const growth: (number | undefined)[] = countColumns.map(() => undefined);
  const values: (number | undefined)[] = countColumns.map(() => undefined);
  let latest: Sample | undefined;
  let viewsBefore: number | undefined;
  let day = 0;
  for (const sample of samples) {
    const { at, counts } = sample;
    if (at > until) break;
    const isIn = at > base;
    if (latest === undefined) {
      const from = isIn ? start : before;
      const isFromZero = from !== undefined && at >= from && releasedAt >= from;
      if (isFromZero) values.fill(0);
      // The stretch before must be known from its start, or from the release.
      if (!isIn && before !== undefined && (at < before || isFromZero)) viewsBefore = 0;
    }
    latest = sample;
    while (at >= (days[day + 1] ?? Number.POSITIVE_INFINITY)) day += 1;
    for (let counter = 0; counter < countColumns.length; counter += 1) {
      const count = counts[counter];
      if (count === undefined) continue;
      const last = values[counter];
      values[counter] = count;
      if (last === undefined) continue;
      const gain = count - last;
      if (isIn) {
        growth[counter] = (growth[counter] ?? 0) + gain;
        const ofDays = daily[counter];
        if (ofDays && days.length > 0) ofDays[day] = (ofDays[day] ?? 0) + gain;
      } else if (counter === 0 && viewsBefore !== undefined && at >= (before ?? 0)) viewsBefore += gain;
    }
  }
  return { latest, growth, daily, viewsBefore };
}

const daySeconds = 86_400;

/** @param releasedAt Unix epoch, seconds. @param seenAt of the sample: Unix epoch, seconds. */
export function viewsPerDay(
  views: number | undefined,
  releasedAt: number | undefined,
  seenAt: number | undefined,
): number | undefined {
  if (views === undefined || releasedAt === undefined || seenAt === undefined) return undefined;
  if (seenAt <= releasedAt) return undefined;
  return Math.round((views / Math.max(1, (seenAt - releasedAt) / daySeconds)) * 10) / 10;
}

/** (likes + comments + shares + saves) / views. */
export function engagementOf([views, ...others]: Counts): number | undefined {
  return shareOf(views, others);
}

/** (shares + saves) / views: the part of engagement with a purpose. */
export function highIntentOf([views, _likes, _comments, ...others]: Counts): number | undefined {
  return shareOf(views, others);
}

function shareOf(views: number | undefined, counts: Counts): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  if (views === undefined || views <= 0 || known.length === 0) return undefined;
  return ratioOf(known.reduce(plus), views);
}

const millionths = 1_000_000;

/** A ratio to six digits. @returns undefined for a divisor of 0. */
export function ratioOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : Math.trunc((part * millionths) / whole) / millionths;
}

/** Sums stay safe integers, as figures do. */
export function plus(one: number, other: number): number {
  return Math.min(mostCount, Math.max(-mostCount, one + other));
}
