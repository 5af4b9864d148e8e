/**
 * Figures of a video: its counters, how they grew, and ratios of them. Lists, reports, exports and pages all ask here; `ledger/videos/growth.ts`
 * tells what growth is measured against. Counters are exact, whatever their size.
 */
import { type Amount, plus } from '../ledger/videos/amount.ts';
import {
  chunksOf,
  type Growth,
  growthIn,
  growthOf,
  keptDays,
  type Stretch,
} from '../ledger/videos/growth.ts';
import type { VideoHistory } from '../ledger/videos/history.ts';
import type { Counts } from '../ledger/videos/sample.ts';
import type { WatchedVideo } from '../ledger/videos/video.ts';
import type { Span, SpanDays } from './spans.ts';

export interface VideoFigures {
  /** The latest counters; empty without a sample. */
  readonly counts: Counts;
  /** Time of their sample: Unix epoch, seconds. */
  readonly at: number | undefined;
  /** Growth over each span that is asked for. */
  readonly growths: readonly Counts[];
  /** The same by counter, then by day; empty unless it is asked for by day. */
  readonly daily: Growth['daily'];
  /** Views gained in the span of the same length before; undefined unless all of it is known. */
  readonly viewsBefore: Amount | undefined;
}

const noFigures: VideoFigures = {
  counts: [],
  at: undefined,
  growths: [],
  daily: [],
  viewsBefore: undefined,
};

export const keptSpans: readonly string[] = keptDays.map((days) => `${days}d`);

/** The latest figures, with the growth over each of `keptSpans`. Reads no history. */
export function keptFigures({ summary }: WatchedVideo): VideoFigures {
  if (!summary) return noFigures;
  const { counts, at } = summary.latest;
  return { ...noFigures, counts, at, growths: summary.before.map((base) => growthOf(counts, base?.counts)) };
}

/** Figures of the newest sample in a span, with the growth up to it. A video without a sample in the span has none. */
export async function figuresIn(
  history: VideoHistory,
  videos: readonly WatchedVideo[],
  { since, until }: Span,
): Promise<readonly VideoFigures[]> {
  const found = await readGrowth(history, videos, { start: since, base: since, until });
  return found.map(({ latest, growth }) => {
    if (!latest || (since !== undefined && latest.at < since)) return noFigures;
    const { counts, at } = latest;
    // A first sample has not grown yet.
    const known = counts.map((count, counter) => (count === undefined ? undefined : (growth[counter] ?? 0)));
    return { ...noFigures, counts, at, growths: [known] };
  });
}

/** The latest figures, or those at the end of a past span of days, with the growth in the span, and by day. */
export async function figuresByDay(
  history: VideoHistory,
  videos: readonly WatchedVideo[],
  days: SpanDays,
): Promise<readonly VideoFigures[]> {
  const found = await readGrowth(history, videos, stretchOf(days));
  return found.map(({ latest, growth, daily, viewsBefore }, index) => {
    const { counts = [], at } = (days.until === undefined ? videos[index]?.summary?.latest : latest) ?? {};
    return { counts, at, growths: [growth], daily, viewsBefore };
  });
}

/** A sample of the first second of a span counts on its first day. */
export function stretchOf({ starts, before, until }: SpanDays): Stretch {
  const [start = before] = starts;
  return { start, base: start - 1, days: starts, before, until };
}

async function readGrowth(
  history: VideoHistory,
  videos: readonly WatchedVideo[],
  stretch: Stretch,
): Promise<readonly Growth[]> {
  const held = await history.chunks(
    videos.map((video) => ({ id: video.id, starts: chunksOf(video, stretch) })),
  );
  return videos.map((video, index) => growthIn(video, held[index] ?? new Map(), stretch));
}

const daySeconds = 86_400;

/** @param releasedAt Unix epoch, seconds. @param seenAt of the sample: Unix epoch, seconds. */
export function viewsPerDay(
  views: Amount | undefined,
  releasedAt: number | undefined,
  seenAt: number | undefined,
): number | undefined {
  if (views === undefined || releasedAt === undefined || seenAt === undefined) return undefined;
  if (seenAt <= releasedAt) return undefined;
  return Math.round((Number(views) / Math.max(1, (seenAt - releasedAt) / daySeconds)) * 10) / 10;
}

/** (likes + comments + shares + saves) / views. */
export function engagementOf([views, ...others]: Counts): number | undefined {
  return shareOf(views, others);
}

/** (shares + saves) / views: the part of engagement with a purpose. */
export function highIntentOf([views, _likes, _comments, ...others]: Counts): number | undefined {
  return shareOf(views, others);
}

function shareOf(views: Amount | undefined, counts: Counts): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  if (views === undefined || views <= 0 || known.length === 0) return undefined;
  return ratioOf(known.reduce(plus), views);
}

const millionths = 1_000_000n;

/** A ratio to six digits, of numbers of any size. @returns undefined for a divisor of 0. */
export function ratioOf(part: Amount, whole: Amount): number | undefined {
  return BigInt(whole) === 0n
    ? undefined
    : Number((BigInt(part) * millionths) / BigInt(whole)) / Number(millionths);
}
