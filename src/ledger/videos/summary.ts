/**
 * The summary of a video's history: its latest sample, and the samples that growth over 1, 7 and 30 days is measured against. Lists
 * and reports read it instead of the history.
 */
import { type Amount, minus } from './amount.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { counters, presenceOf, type RawSnapshot, type Snapshot } from './sample.ts';

/** Spans of growth that are kept, in days. */
export const keptDays = [1, 7, 30] as const;
export type KeptDays = (typeof keptDays)[number];

/** The latest figures of a video, and its growth. */
export interface Summary {
  readonly latest: Snapshot;
  /** The last known value of each counter; 0 if there never was one. */
  readonly known: readonly bigint[];
  /** The sample that growth over each of `keptDays` is measured against, in their order; undefined if there is none yet. */
  readonly before: readonly (Snapshot | undefined)[];
  /** Samples in the history. */
  readonly samples: number;
  /** Samples in the newest chunk. */
  readonly inChunk: number;
  /** Time of the oldest sample in the history: Unix epoch, seconds. */
  readonly firstAt: number;
  /** Release of the video: Unix epoch, seconds. */
  readonly releasedAt?: number | undefined;
}

const daySeconds = 86_400;
/** Nights are not exactly a day apart. */
const toleranceSeconds = 43_200;

/** The newest time that a sample may have to count as `days` older than one at `at`. Unix epoch, seconds. */
export function limitOf(at: number, days: number): number {
  return at - days * daySeconds + toleranceSeconds;
}

export function packSummary(summary: RawSummary): Buffer {
  const { latest, known, before, samples, inChunk, firstAt, releasedAt = 0 } = summary;
  const writer = new ByteWriter();
  writer.byte(1);
  writer.unsigned(samples);
  writer.byte(inChunk);
  writer.unsigned(latest.at);
  writer.unsigned(latest.at - firstAt);
  writer.unsigned(releasedAt);
  writer.byte(presenceOf(latest.counts));
  for (const count of known) writer.unsigned(count);
  for (const snapshot of before) {
    // 0 stands for no sample, because these samples are older than the latest.
    writer.unsigned(snapshot ? latest.at - snapshot.at : 0);
    if (!snapshot) continue;
    writer.byte(presenceOf(snapshot.counts));
    for (let each = 0; each < counters.length; each += 1) {
      const count = snapshot.counts[each];
      if (count !== undefined) writer.signed(minus(known[each] ?? 0, count));
    }
  }
  return writer.finish();
}

export function exactSummary({ known, before, latest, ...rest }: RawSummary): Summary {
  const exact = ({ at, counts }: RawSnapshot): Snapshot => ({
    at,
    counts: counts.map((count) => (count === undefined ? undefined : BigInt(count))),
  });
  return {
    ...rest,
    latest: exact(latest),
    known: known.map(BigInt),
    before: before.map((snapshot) => snapshot && exact(snapshot)),
  };
}

/** A summary as read, for reading many. */
export interface RawSummary extends Omit<Summary, 'latest' | 'known' | 'before'> {
  readonly latest: RawSnapshot;
  readonly known: readonly Amount[];
  readonly before: readonly (RawSnapshot | undefined)[];
}

export function readSummary(bytes: Buffer): RawSummary {
  const reader = new ByteReader(bytes, 1);
  const samples = Number(reader.unsignedAmount());
  const inChunk = reader.byte();
  const at = Number(reader.unsignedAmount());
  const firstAt = at - Number(reader.unsignedAmount());
  const releasedAt = Number(reader.unsignedAmount()) || undefined;
  const presence = reader.byte();
  const known = counters.map(() => reader.unsignedAmount());
  const before = keptDays.map((): RawSnapshot | undefined => {
    const span = Number(reader.unsignedAmount());
    if (span === 0) return undefined;
    const marks = reader.byte();
    const counts = known.map((count, index) =>
      (marks & (1 << index)) > 0 ? minus(count, reader.signedAmount()) : undefined,
    );
    return { at: at - span, counts };
  });
  const counts = known.map((count, index) => ((presence & (1 << index)) > 0 ? count : undefined));
  return { latest: { at, counts }, known, before, samples, inChunk, firstAt, releasedAt };
}
