/** Adds a sample to a video's history, and drops old ones. Pure: the result is written by one script. */
import type { Amount } from './amount.ts';
import { baseOf, keptDays, limitOf } from './growth.ts';
import {
  type Chunks,
  type Counts,
  knownAfter,
  noneKnown,
  nothingFell,
  packChunk,
  packSample,
  readChunk,
  samplesPerChunk,
} from './sample.ts';
import { packSummary, type Summary } from './summary.ts';
import type { VideoMeta, WatchedVideo } from './video.ts';

/** The service's answer about a video. */
export interface Look {
  /** Unix epoch, seconds. */
  readonly at: number;
  readonly counts: Counts;
  readonly meta: VideoMeta;
}

/** Data to write for a new sample. */
export interface NextSample {
  /** The chunk that it goes into. */
  readonly start: number;
  readonly record: Buffer;
  readonly summary: Buffer;
  /** Starts of all chunks if this one is new; undefined if they stay. */
  readonly chunks: readonly number[] | undefined;
  /** Undefined if it stays. */
  readonly meta: VideoMeta | undefined;
}

/** @param held at least the chunks of `chunksNeeded` for `look.at`. */
export function nextSample(video: WatchedVideo, held: Chunks, look: Look): NextSample {
  const { summary, chunks } = video;
  // The clock of another machine may be behind.
  const at = Math.max(look.at, summary?.latest.at ?? 0);
  const known = summary?.known ?? noneKnown;
  const meta = newer(look.meta, video.meta);
  const { counts } = look;
  const sample = { at, counts, caption: meta.caption ?? '', fell: fallenOf(counts, known) };
  const previous = { at: summary?.latest.at ?? 0, known, caption: video.meta.caption ?? '' };
  const last = chunks.at(-1);
  const inChunk = summary?.inChunk ?? 0;
  // A chunk is named by its first sample: two cannot begin in one second.
  const isNewChunk = last === undefined || (inChunk >= samplesPerChunk && at > last);
  const start = isNewChunk ? at : last;
  const next: Summary = {
    latest: { at, counts },
    known: knownAfter(known, counts),
    before: keptDays.map((days) => baseOf(video, held, limitOf(at, days))),
    samples: (summary?.samples ?? 0) + 1,
    inChunk: isNewChunk ? 1 : inChunk + 1,
    firstAt: chunks.length === 0 ? at : (summary?.firstAt ?? at),
    releasedAt: meta.releasedAt,
  };
  return {
    start,
    record: packSample(sample, previous, isNewChunk),
    summary: packSummary(next),
    chunks: isNewChunk ? [...chunks, start] : undefined,
    meta: isSame(meta, video.meta) ? undefined : meta,
  };
}

/** Whether each counter is lower than before. */
function fallenOf(counts: Counts, known: readonly Amount[]): readonly boolean[] {
  const isLower = (count: Amount | undefined, index: number) =>
    count !== undefined && count < (known[index] ?? 0);
  return counts.some(isLower) ? counts.map(isLower) : nothingFell;
}

const facts = ['videoId', 'author', 'coverUrl', 'caption', 'releasedAt'] as const;

/** Keeps facts that the service did not give this time. */
function newer(told: VideoMeta, before: VideoMeta): VideoMeta {
  return Object.fromEntries(facts.map((fact) => [fact, told[fact] ?? before[fact]]));
}

/** Data to write when old samples are removed. */
export interface Trimmed {
  /** Chunks to remove. */
  readonly removed: readonly number[];
  /** The rest of a chunk that was only partly old, with its new start. */
  readonly rest: { readonly start: number; readonly chunk: Buffer } | undefined;
  readonly chunks: readonly number[];
  readonly summary: Buffer;
}

/** Starts of the chunks that have samples from before `cutoff` (Unix epoch, seconds). */
export function oldChunks({ chunks }: WatchedVideo, cutoff: number): readonly number[] {
  return chunks.filter((start) => start < cutoff);
}

/** @param held the chunks of `oldChunks`. @returns undefined if there is nothing to do. */
export function trimHistory(video: WatchedVideo, held: Chunks, cutoff: number): Trimmed | undefined {
  const { summary, chunks } = video;
  const old = oldChunks(video, cutoff);
  if (!summary || old.length === 0) return undefined;
  let dropped = 0;
  let kept: Trimmed['rest'];
  const rest = chunks.slice(old.length);
  for (const start of old) {
    const samples = [...readChunk(held.get(start) ?? Buffer.alloc(1))];
    const young = samples.filter(({ at }) => at >= cutoff);
    // The next chunk may begin in the second of these samples, and would be overwritten: chunks are named by their first second.
    const isTaken = young[0] !== undefined && young[0].at === rest[0];
    dropped += isTaken ? samples.length : samples.length - young.length;
    if (young[0] && !isTaken) kept = { start: young[0].at, chunk: packChunk(young) };
  }
  const starts = kept ? [kept.start, ...rest] : rest;
  return {
    removed: old,
    rest: kept,
    chunks: starts,
    summary: packSummary({
      ...summary,
      samples: summary.samples - dropped,
      inChunk: rest.length > 0 ? summary.inChunk : (kept?.chunk[0] ?? 0),
      firstAt: starts[0] ?? summary.latest.at,
    }),
  };
}

function isSame(one: VideoMeta, other: VideoMeta): boolean {
  return facts.every((fact) => one[fact] === other[fact]);
}
