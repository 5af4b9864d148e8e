/** Figures of a video: growth, views per day, engagement. Counters are exact, whatever their size. */
import type { Amount } from '../ledger/videos/amount.ts';
import { type Counts, counters } from '../ledger/videos/sample.ts';
import { type KeptDays, keptDays, type Summary } from '../ledger/videos/summary.ts';

const [play, digg, comment, share, collect] = counters.map((_name, index) => index) as [
  number,
  number,
  number,
  number,
  number,
];
export const at = { play, digg, comment, share, collect } as const;

/** Growth of each counter from one sample to a later one; undefined where one of them lacks it. */
export function growthOf(later: Counts, earlier: Counts | undefined): Counts {
  return later.map((count, index) => {
    const before = earlier?.[index];
    return count === undefined || before === undefined ? undefined : count - before;
  });
}

/** Growth up to the latest sample; undefined over a span that is longer than the history. */
export function growthOver({ latest, before }: Summary, days: KeptDays): Counts {
  return growthOf(latest.counts, before[keptDays.indexOf(days)]?.counts);
}

const dayMs = 86_400_000;

/** @param releasedAt Unix epoch, seconds. @param seenAt of the sample: Unix epoch, seconds. */
export function viewsPerDay(
  views: Amount | undefined,
  releasedAt: number | undefined,
  seenAt: number,
): number | undefined {
  if (views === undefined || releasedAt === undefined || seenAt <= releasedAt) return undefined;
  const days = Math.max(1, ((seenAt - releasedAt) * 1000) / dayMs);
  return Math.round((Number(views) / days) * 10) / 10;
}

/** (likes + comments + shares + saves) / views. */
export function engagementOf(counts: Counts): number | undefined {
  return shareOfViews(counts, [at.digg, at.comment, at.share, at.collect]);
}

/** (shares + saves) / views: the part of engagement with a purpose. */
export function highIntentOf(counts: Counts): number | undefined {
  return shareOfViews(counts, [at.share, at.collect]);
}

function shareOfViews(counts: Counts, of: readonly number[]): number | undefined {
  const views = counts[at.play];
  const parts = of.map((index) => counts[index]);
  if (views === undefined || views <= 0n || parts.every((part) => part === undefined)) return undefined;
  return ratioOf(sumOf(parts), views);
}

function sumOf(values: Iterable<bigint | undefined>): bigint {
  let sum = 0n;
  for (const value of values) sum += value ?? 0n;
  return sum;
}

const millionths = 1_000_000n;

/** A ratio to six digits, of numbers of any size. @returns undefined for a divisor of 0. */
export function ratioOf(part: bigint, whole: bigint): number | undefined {
  return whole === 0n ? undefined : Number((part * millionths) / whole) / Number(millionths);
}

/** The middle value; of two middle values, their mean rounded down. Undefined if there are none. */
export function medianOf(values: readonly Amount[]): bigint | undefined {
  if (values.length === 0) return undefined;
  const sorted = sortedOf(values);
  const middle = Math.floor(sorted.length / 2);
  const upper = BigInt(sorted[middle] ?? 0);
  return sorted.length % 2 === 1 ? upper : (BigInt(sorted[middle - 1] ?? 0) + upper) / 2n;
}

function sortedOf(values: readonly Amount[]): ArrayLike<Amount> {
  const numbers = new Float64Array(values.length);
  for (const [index, value] of values.entries()) {
    if (typeof value === 'bigint')
      return values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
    numbers[index] = value;
  }
  return numbers.sort();
}
