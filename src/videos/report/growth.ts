/** Growth of videos over any span, from their history. */
import { startUpTo } from '../../ledger/videos/chunk-starts.ts';
import type { VideoHistory } from '../../ledger/videos/history.ts';
import {
  type Counts,
  exactly,
  newestUpTo,
  noneKnown,
  readChunk,
  type Snapshot,
} from '../../ledger/videos/sample.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import { growthOf } from '../figures.ts';
import type { Span } from './span.ts';

/** Figures of a video in a span. */
export interface SpanFigures {
  /** The newest sample in the span. */
  readonly latest: Snapshot | undefined;
  readonly growth: Counts;
}

/**
 * Measures growth against the newest sample up to the start of the span. Without such a sample, growth begins at zero if the
 * video was released in the span, else with its first sample.
 */
export async function growthIn(
  history: VideoHistory,
  videos: readonly WatchedVideo[],
  { since, until }: Span,
): Promise<readonly SpanFigures[]> {
  const wanted = videos.map(({ id, chunks, summary }) => {
    const isLatest = summary !== undefined && (until === undefined || summary.latest.at <= until);
    const starts = [since === undefined ? chunks[0] : (startUpTo(chunks, since) ?? chunks[0])];
    if (!isLatest && until !== undefined) starts.push(startUpTo(chunks, until));
    return { id, starts: [...new Set(starts.filter((start) => start !== undefined))], isLatest };
  });
  const found = await history.chunks(wanted);
  return videos.map((video, index) => {
    const chunkAt = (start: number | undefined) =>
      start === undefined ? undefined : found[index]?.get(start);
    const newest = (limit: number) => {
      const chunk = chunkAt(startUpTo(video.chunks, limit));
      const sample = chunk && newestUpTo(chunk, limit);
      return sample && exactly(sample);
    };
    const latest = wanted[index]?.isLatest
      ? video.summary?.latest
      : newest(until ?? Number.POSITIVE_INFINITY);
    if (!latest || (since !== undefined && latest.at < since)) {
      return { latest: undefined, growth: noneKnown.map(() => undefined) };
    }
    const before = since === undefined ? undefined : newest(since);
    const isReleasedIn = since !== undefined && (video.meta.releasedAt ?? 0) >= since;
    const first = isReleasedIn ? noneKnown : firstOf(chunkAt(video.chunks[0]));
    return { latest, growth: growthOf(latest.counts, before?.counts ?? first) };
  });
}

function firstOf(chunk: Buffer | undefined): Counts | undefined {
  if (chunk === undefined) return undefined;
  for (const { counts } of readChunk(chunk)) return counts;
  return undefined;
}
