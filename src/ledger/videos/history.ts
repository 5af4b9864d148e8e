/** The history of the videos: samples of their counters, one for each scrape. */
import { batched, type RunScript, type ScriptArgument } from '../../platform/redis/script.ts';
import { batches, type LedgerContext, LedgerPart } from '../ledger-part.ts';
import { keptDays, limitOf, readRows, rowOf, type Sample, sampleOf } from './sample.ts';
import {
  type FormerCaption,
  packGone,
  type VideoFailure,
  type VideoGone,
  type VideoMeta,
  videosAtOnce,
  type WatchedVideo,
} from './video.ts';

/** `known`: this scrape has looked up the video already. `removed`: it is not on the list. `ended`: the scrape is over. */
type Written = 'stored' | 'known' | 'removed' | 'ended';

export interface VideoReading {
  /** Unix epoch, seconds. */
  readonly at: number;
  /** In the order of the samples, and of any size. */
  readonly figures: readonly (number | bigint | undefined)[];
  readonly meta: VideoMeta;
}

/** Results within this time are written together. If the process is killed meanwhile, these videos are looked up again. Milliseconds. */
const lingerMs = 50;

export class VideoHistory extends LedgerPart {
  readonly #append: RunScript;
  readonly #miss: RunScript;

  constructor(context: LedgerContext) {
    super(context);
    this.#append = batched(context.script('videos/append-samples'), lingerMs);
    this.#miss = batched(context.script('videos/miss-sample'), lingerMs);
  }

  /** Writes the next sample of a video. @param video as read during this scrape: nothing else changes its history meanwhile. */
  async append(scrape: number, video: WatchedVideo, reading: VideoReading): Promise<Written> {
    const { id, summary } = video;
    // The clock of another machine may be behind.
    const at = Math.max(reading.at, summary?.latest.at ?? 0);
    const { sample, known } = sampleOf(at, reading.figures, summary?.known);
    const limits = keptDays.map((days) => limitOf(at, days)).join(',');
    const meta = newer(reading.meta, video.meta);
    const args = [scrape, id, rowOf(sample), JSON.stringify(known), limits];
    args.push(meta ? JSON.stringify(meta) : '', captionsAfter(video, meta));
    return (await this.#append(args)) as Written;
  }

  async fail(scrape: number, { id, facts }: WatchedVideo, failure: VideoFailure): Promise<Written> {
    const args = [scrape, id, 'failed', JSON.stringify(failure), failure.code, facts.url];
    return (await this.#miss(args)) as Written;
  }

  async gone(scrape: number, { id, facts }: WatchedVideo, gone: VideoGone): Promise<Written> {
    return (await this.#miss([scrape, id, 'gone', packGone(gone), '', facts.url])) as Written;
  }

  /** Drops samples from before a time (Unix epoch, seconds). */
  async trim(videos: readonly WatchedVideo[], before: number): Promise<void> {
    const old = videos.filter(({ samples, firstAt = 0 }) => samples > 0 && firstAt < before);
    if (old.length > 0) await this.run('videos/trim-history', [before, ...old.map(({ id }) => id)]);
  }

  /**
   * Samples of several videos, oldest first, in their order.
   * @param from Unix epoch, seconds: at least the newest sample up to then and all later ones; perhaps some earlier ones. Default: all.
   * @throws {UnreadableRecordError}
   */
  async samples(videos: readonly WatchedVideo[], from = 0): Promise<readonly (readonly Sample[])[]> {
    const reading = Array.from(batches(videos, videosAtOnce), (some) => {
      const args: ScriptArgument[] = [from, ...some.map(({ id }) => id)];
      return this.run<readonly string[]>('videos/read-samples', args);
    });
    const texts = (await Promise.all(reading)).flat();
    return videos.map(({ id }, index) => readRows(texts[index] ?? '', this.keys.videoHistory(id)));
  }
}

const facts = ['videoId', 'author', 'coverUrl', 'caption', 'releasedAt'] as const;

/** Keeps facts that the service did not give this time. @returns undefined if none is new. */
function newer(given: VideoMeta, before: VideoMeta): VideoMeta | undefined {
  if (facts.every((fact) => given[fact] === undefined || given[fact] === before[fact])) return undefined;
  return Object.fromEntries(facts.map((fact) => [fact, given[fact] ?? before[fact]]));
}

/** A service that gives another caption each time must not fill Redis. */
const mostCaptions = 100;

/** The former captions to write if the caption changes; else ''. */
function captionsAfter({ captions, meta, summary, firstAt = 0 }: WatchedVideo, next?: VideoMeta): string {
  const { caption = '' } = meta;
  if (!summary || !next || (next.caption ?? '') === caption) return '';
  const former: readonly FormerCaption[] = [...captions, [summary.latest.at, caption]];
  return JSON.stringify(former.filter(([until]) => until >= firstAt).slice(-mostCaptions));
}
