/** Adds a sample to a video's history, and drops old ones. Pure: the result is written by one script. */
import type { Amount } from './amount.ts';
import { startUpTo } from './chunk-starts.ts';
import {
  knownAfter,
  newestUpTo,
  noneKnown,
  nothingFell,
  packChunk,
  packSample,
  type RawCounts,
  type RawSnapshot,
  readChunk,
  samplesPerChunk,
} from './sample.ts';
import { keptDays, limitOf, packSummary, type RawSummary } from './summary.ts';
import type { VideoMeta, WatchedVideo } from './video.ts';

/** The service's answer about a video. */
export interface Look {
  /** Unix epoch, seconds. */
  readonly at: number;
  readonly counts: RawCounts;
  readonly meta: VideoMeta;
}

/** Chunks of a history by their start. */
export type Chunks = ReadonlyMap<number, Buffer>;

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

/** Starts of the chunks that `nextSample` needs for a sample at a time (Unix epoch, seconds). */
export function chunksNeeded({ rawSummary: summary, chunks }: WatchedVideo, at: number): readonly number[] {
  if (!summary) return [];
  const needed = keptDays.map((days) => {
    const limit = limitOf(at, days);
    return summary.latest.at <= limit ? undefined : startUpTo(chunks, limit);
  });
  return [...new Set(needed.filter((start) => start !== undefined))];
}

/** @param held at least the chunks of `chunksNeeded` for `look.at`. */
export function nextSample(video: WatchedVideo, held: Chunks, look: Look): NextSample {
  const { rawSummary: summary, chunks } = video;
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
  const next: RawSummary = {
    latest: { at, counts },
    known: knownAfter(known, counts),
    before: keptDays.map((days) => beforeSpan(summary, chunks, held, limitOf(at, days))),
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
function fallenOf(counts: RawCounts, known: readonly Amount[]): readonly boolean[] {
  const isLower = (count: Amount | undefined, index: number) =>
    count !== undefined && count < (known[index] ?? 0);
  return counts.some(isLower) ? counts.map(isLower) : nothingFell;
}

/** Keeps facts that the service did not give this time. */
function newer(told: VideoMeta, before: VideoMeta): VideoMeta {
  return {
    videoId: told.videoId ?? before.videoId,
    author: told.author ?? before.author,
    coverUrl: told.coverUrl ?? before.coverUrl,
    caption: told.caption ?? before.caption,
    releasedAt: told.releasedAt ?? before.releasedAt,
  };
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

/** The newest sample up to a limit (Unix epoch, seconds). */
function beforeSpan(
  summary: RawSummary | undefined,
  chunks: readonly number[],
  held: Chunks,
  limit: number,
): RawSnapshot | undefined {
  if (summary && summary.latest.at <= limit) return summary.latest;
  const start = startUpTo(chunks, limit);
  const chunk = start === undefined ? undefined : held.get(start);
  return chunk && newestUpTo(chunk, limit);
}

function isSame(one: VideoMeta, other: VideoMeta): boolean {
  return (
    one.videoId === other.videoId &&
    one.author === other.author &&
    one.coverUrl === other.coverUrl &&
    one.caption === other.caption &&
    one.releasedAt === other.releasedAt
  );
}
