/** One video: its figures over a span, sample by sample. */
import { startsFrom } from '../../ledger/videos/chunk-starts.ts';
import { type Counts, counters, readChunk, type Sample } from '../../ledger/videos/sample.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { describeVideo } from '../describe.ts';
import type { VideoDocument } from '../documents.ts';
import { growthOver } from '../figures.ts';
import { findVideo } from '../find.ts';
import { daysOf, type SpanDays, type SpanLength } from './days.ts';
import { gainsOf, type VideoGains } from './gains.ts';

export interface ReadSample {
  /** Unix epoch, seconds. */
  readonly at: number;
  readonly counts: Counts;
  /** How much each counter fell since the previous sample; undefined if it did not. */
  readonly fell: Counts;
  readonly isFirst: boolean;
  readonly hasNewCaption: boolean;
}

export interface VideoFigures {
  readonly video: VideoDocument;
  readonly days: SpanDays;
  /** Samples of the span, oldest first. */
  readonly samples: readonly ReadSample[];
  /** The newest sample before the span. */
  readonly before: ReadSample | undefined;
  readonly gains: VideoGains;
  /** Growth over a day, up to the latest sample. */
  readonly yesterday: Counts;
}

/** @throws {UseCaseError} `video_not_found`. */
export async function showVideoFigures(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  given: string,
  { span, zone }: { readonly span: SpanLength; readonly zone: string },
): Promise<VideoFigures> {
  const { ledger, settings, now } = runtime;
  const video = await findVideo(runtime, given);
  const days = daysOf(span, zone, now());
  const starts = startsFrom(video.chunks, days.before);
  const [found] = await ledger.videos.history.chunks([{ id: video.id, starts }]);
  const chunks = [...(found?.values() ?? [])];
  const isWhole = starts.length === video.chunks.length;
  const samples = compare(chunks, isWhole);
  const start = days.starts[0] ?? 0;
  return {
    video: describeVideo(video, settings.videos.gone.after),
    days,
    samples: samples.filter(({ at }) => at >= start),
    before: samples.findLast(({ at }) => at < start),
    gains: gainsOf(chunks, video.summary?.releasedAt, days),
    yesterday: video.summary ? growthOver(video.summary, 1) : counters.map(() => undefined),
  };
}

/** @param isWhole whether the first sample is the first of the video. */
function compare(chunks: readonly Buffer[], isWhole: boolean): readonly ReadSample[] {
  const known: (bigint | undefined)[] = counters.map(() => undefined);
  let last: Sample | undefined;
  return chunks
    .flatMap((chunk) => [...readChunk(chunk)])
    .map((sample) => {
      const { at, counts, caption } = sample;
      const fell = counts.map((count, each) => {
        const before = known[each];
        known[each] = count ?? before;
        return count !== undefined && before !== undefined && count < before ? before - count : undefined;
      });
      const isFirst = last === undefined && isWhole;
      const hasNewCaption = last !== undefined && last.caption !== caption;
      last = sample;
      return { at, counts, fell, isFirst, hasNewCaption };
    });
}
