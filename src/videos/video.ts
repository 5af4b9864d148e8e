/** One video: with its whole history, or with its figures over a span. */
import { type Amount, minus } from '../ledger/videos/amount.ts';
import { chunksOf, type Growth, growthIn } from '../ledger/videos/growth.ts';
import { type Counts, counters, readChunk, type Sample } from '../ledger/videos/sample.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { describeVideo, flagsOf, fromSeconds, nameCounts } from './describe.ts';
import type { VideoCommandDocument, VideoDocument } from './documents.ts';
import { keptFigures, stretchOf } from './figures.ts';
import { daysOf, type SpanDays, type SpanLength } from './spans.ts';
import { findVideo } from './watch-list.ts';

/** A video of the watch list with its samples. @throws {UseCaseError} `video_not_found`. */
export async function showVideo(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  given: string,
): Promise<VideoCommandDocument<'videos show'>> {
  const { ledger, settings, now } = runtime;
  const video = await findVideo(runtime, given);
  const oldest = Math.floor((now() - settings.videos.retention) / 1000);
  const [samples = []] = await ledger.videos.history.samples([video], oldest);
  return {
    ...describeVideo(video, settings.videos.gone.after),
    history: Array.from(samples, ({ at, counts, caption, fell }) => ({
      sampled_at: fromSeconds(at) ?? '',
      ...nameCounts(counts),
      caption,
      flags: flagsOf(fell),
    })),
  };
}

export interface ReadSample {
  /** Unix epoch, seconds. */
  readonly at: number;
  readonly counts: Counts;
  /** How much each counter fell since the previous sample; undefined if it did not. */
  readonly fell: Counts;
  readonly isFirst: boolean;
  readonly hasNewCaption: boolean;
}

export interface SpanOfVideo {
  readonly video: VideoDocument;
  readonly days: SpanDays;
  /** Samples of the span, oldest first. */
  readonly samples: readonly ReadSample[];
  /** The newest sample before the span. */
  readonly before: ReadSample | undefined;
  readonly growth: Growth['growth'];
  /** Growth over a day, up to the latest sample. */
  readonly yesterday: Counts;
}

/** @throws {UseCaseError} `video_not_found`. */
export async function showSpanOfVideo(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  given: string,
  { span, zone }: { readonly span: SpanLength; readonly zone: string },
): Promise<SpanOfVideo> {
  const { ledger, settings, now } = runtime;
  const video = await findVideo(runtime, given);
  const days = daysOf(span, zone, now());
  const stretch = stretchOf(days);
  const starts = chunksOf(video, stretch);
  const [chunks = new Map<number, Buffer>()] = await ledger.videos.history.chunks([{ id: video.id, starts }]);
  const isWhole = starts.length === video.chunks.length;
  const samples = compare([...chunks.values()], isWhole);
  const start = days.starts[0] ?? 0;
  return {
    video: describeVideo(video, settings.videos.gone.after),
    days,
    samples: samples.filter(({ at }) => at >= start),
    before: samples.findLast(({ at }) => at < start),
    growth: growthIn(video, chunks, stretch).growth,
    yesterday: keptFigures(video).growths[0] ?? [],
  };
}

/** @param isWhole whether the first sample is the first of the video. */
function compare(chunks: readonly Buffer[], isWhole: boolean): readonly ReadSample[] {
  const known: (Amount | undefined)[] = counters.map(() => undefined);
  let last: Sample | undefined;
  return chunks
    .flatMap((chunk) => [...readChunk(chunk)])
    .map((sample) => {
      const { at, counts, caption } = sample;
      const fell = counts.map((count, each) => {
        const before = known[each];
        known[each] = count ?? before;
        return count !== undefined && before !== undefined && count < before
          ? minus(before, count)
          : undefined;
      });
      const isFirst = last === undefined && isWhole;
      const hasNewCaption = last !== undefined && last.caption !== caption;
      last = sample;
      return { at, counts, fell, isFirst, hasNewCaption };
    });
}
