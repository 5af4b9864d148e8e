/**
 * The summary of a video's history: its latest sample, and the samples that growth over 1, 7 and 30 days is measured against. Lists
 * and reports read it instead of the history.
 */
import { type Amount, ByteReader, ByteWriter, minus } from './amount.ts';
import { keptDays, type Measured } from './growth.ts';
import { counters, presenceOf, type Snapshot } from './sample.ts';

/** The latest figures of a video, and its growth. */
export interface Summary extends Measured {
  /** The last known value of each counter; 0 if there never was one. */
  readonly known: readonly Amount[];
  /** Samples in the history. */
  readonly samples: number;
  /** Samples in the newest chunk. */
  readonly inChunk: number;
  /** Time of the oldest sample in the history: Unix epoch, seconds. */
  readonly firstAt: number;
}

export function packSummary(summary: Summary): Buffer {
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
    for (let counter = 0; counter < counters.length; counter += 1) {
      const count = snapshot.counts[counter];
      if (count !== undefined) writer.signed(minus(known[counter] ?? 0, count));
    }
  }
  return writer.finish();
}

export function readSummary(bytes: Buffer): Summary {
  const reader = new ByteReader(bytes, 1);
  const samples = Number(reader.unsigned());
  const inChunk = reader.byte();
  const at = Number(reader.unsigned());
  const firstAt = at - Number(reader.unsigned());
  const releasedAt = Number(reader.unsigned()) || undefined;
  const presence = reader.byte();
  const known = counters.map(() => reader.unsigned());
  const before = keptDays.map((): Snapshot | undefined => {
    const span = Number(reader.unsigned());
    if (span === 0) return undefined;
    const marks = reader.byte();
    const counts = known.map((count, index) =>
      (marks & (1 << index)) > 0 ? minus(count, reader.signed()) : undefined,
    );
    return { at: at - span, counts };
  });
  const counts = known.map((count, index) => ((presence & (1 << index)) > 0 ? count : undefined));
  return { latest: { at, counts }, known, before, samples, inChunk, firstAt, releasedAt };
}
