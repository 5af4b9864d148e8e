/**
 * Growth of a video's counters: the one place that tells what it is measured against.
 *
 *     over 1, 7 and 30 days   the newest sample that is so many days, less 12 hours, older than the latest one. Where that night is
 *                             missing, it is the one before. Each new sample looks for it (`baseOf`), and the summary keeps it
 *     over a stretch of time  the newest sample up to its start. Without one: zero for a video that was released in the stretch,
 *                             else its first sample
 *     by day                  the same; each difference between two samples counts on the day of the later one
 *
 * Figures are stored as received, so a counter that fell is a loss.
 */
import { type Amount, minus, plus } from './amount.ts';
import { type Chunks, type Counts, counters, readChunk, type Snapshot } from './sample.ts';

/** Spans of growth that are kept, in days. */
export const keptDays = [1, 7, 30] as const;

const daySeconds = 86_400;
/** Nights are not exactly a day apart. */
const toleranceSeconds = 43_200;

/** The newest time that a sample may have to count as `days` older than one at `at`. Unix epoch, seconds. */
export function limitOf(at: number, days: number): number {
  return at - days * daySeconds + toleranceSeconds;
}

/** Figures with what their growth is measured against. */
export interface Measured {
  readonly latest: Snapshot;
  /** For each of `keptDays`; undefined if no sample is old enough. */
  readonly before: readonly (Snapshot | undefined)[];
  /** Release of the video: Unix epoch, seconds. */
  readonly releasedAt?: number | undefined;
}

/** Growth of each counter from one sample to a later one; undefined where one of them lacks it. */
export function growthOf(later: Counts, earlier: Counts | undefined): Counts {
  return later.map((count, index) => {
    const before = earlier?.[index];
    return count === undefined || before === undefined ? undefined : minus(count, before);
  });
}

/** A video's history, as far as it is known without its samples. */
interface Known {
  readonly summary: Measured | undefined;
  /** Start of each chunk, oldest first: Unix epoch, seconds. */
  readonly chunks: readonly number[];
}

/** Starts of the chunks that `baseOf` needs for a sample at a time (Unix epoch, seconds). */
export function chunksNeeded({ summary, chunks }: Known, at: number): readonly number[] {
  if (!summary) return [];
  const needed = keptDays.map((days) => {
    const limit = limitOf(at, days);
    return summary.latest.at <= limit ? undefined : startUpTo(chunks, limit);
  });
  return known(needed);
}

/** The newest sample up to a limit (Unix epoch, seconds). @param held at least the chunk that it is in. */
export function baseOf({ summary, chunks }: Known, held: Chunks, limit: number): Snapshot | undefined {
  if (summary && summary.latest.at <= limit) return summary.latest;
  const chunk = held.get(startUpTo(chunks, limit) ?? Number.NaN);
  return chunk && newestUpTo(readChunk(chunk), limit);
}

/** The newest sample up to a limit. @param samples oldest first. */
export function newestUpTo<T extends Snapshot>(samples: Iterable<T>, limit: number): T | undefined {
  let found: T | undefined;
  for (const sample of samples) {
    if (sample.at > limit) break;
    found = sample;
  }
  return found;
}

/** A stretch of time. Unix epoch, seconds. */
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

export interface Growth {
  /** The newest sample up to the end of the stretch. */
  readonly latest: Snapshot | undefined;
  /** Undefined for a counter without two values to compare. */
  readonly growth: Counts;
  /** By counter, then by day. */
  readonly daily: readonly (readonly Amount[])[];
  /** Views gained in the stretch before; undefined unless all of it is known. */
  readonly viewsBefore: Amount | undefined;
}

/** Starts of the chunks that `growthIn` needs: all from its start on for growth by day, else only those at its ends. */
export function chunksOf({ summary, chunks }: Known, { base, until, days, before = base }: Stretch) {
  if (days) return startsFrom(chunks, before ?? 0);
  const first = base === undefined ? undefined : startUpTo(chunks, base);
  const isPast = until !== undefined && summary !== undefined && summary.latest.at > until;
  return known([first ?? chunks[0], isPast ? startUpTo(chunks, until) : undefined]);
}

/** Growth in a stretch of time. @param held the chunks of `chunksOf`. */
export function growthIn(
  { summary, chunks }: Known,
  held: Chunks,
  { start, base = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, days, before }: Stretch,
): Growth {
  const daily = counters.map(() => (days ?? []).map((): Amount => 0));
  const growth: (Amount | undefined)[] = counters.map(() => undefined);
  const values: (Amount | undefined)[] = counters.map(() => undefined);
  // The chunk of the latest sample is not read if only the ends of the stretch are needed.
  const end = summary && !held.has(chunks.at(-1) ?? Number.NaN) ? [summary.latest] : [];
  let latest: Snapshot | undefined;
  let viewsBefore: Amount | undefined;
  let day = 0;
  for (const some of [...Array.from(held.values(), readChunk), end]) {
    for (const sample of some) {
      const { at, counts } = sample;
      if (at > until) continue;
      const isIn = at > base;
      if (latest === undefined) {
        const from = isIn ? start : before;
        const isFromZero = from !== undefined && at >= from && (summary?.releasedAt ?? 0) >= from;
        if (isFromZero) values.fill(0);
        // The stretch before must be known from its start, or from the release.
        if (!isIn && before !== undefined && (at < before || isFromZero)) viewsBefore = 0;
      }
      latest = sample;
      while (days && at >= (days[day + 1] ?? Number.POSITIVE_INFINITY)) day += 1;
      for (let counter = 0; counter < counters.length; counter += 1) {
        const count = counts[counter];
        if (count === undefined) continue;
        const last = values[counter];
        values[counter] = count;
        if (last === undefined) continue;
        const gain = minus(count, last);
        if (isIn) {
          growth[counter] = plus(growth[counter] ?? 0, gain);
          const ofDays = daily[counter];
          if (days && ofDays) ofDays[day] = plus(ofDays[day] ?? 0, gain);
        } else if (counter === 0 && viewsBefore !== undefined && at >= (before ?? 0)) {
          viewsBefore = plus(viewsBefore, gain);
        }
      }
    }
  }
  return { latest, growth, daily, viewsBefore };
}

/** Start of the chunk with the newest sample up to a limit. */
function startUpTo(starts: readonly number[], limit: number): number | undefined {
  return starts.findLast((start) => start <= limit);
}

/** Starts of the chunks with the newest sample up to a time, and all later samples. */
export function startsFrom(starts: readonly number[], from: number): readonly number[] {
  return starts.slice(
    Math.max(
      0,
      starts.findLastIndex((start) => start <= from),
    ),
  );
}

function known(starts: readonly (number | undefined)[]): readonly number[] {
  return [...new Set(starts.filter((start) => start !== undefined))];
}
