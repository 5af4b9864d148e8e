/** The history of the videos: samples of their counters, one for each scrape. */
import { batched, type RunScript, type ScriptArgument } from '../../redis/script.ts';
import type { LedgerContext } from '../part.ts';
import { parts } from '../parts.ts';
import { startsFrom } from './growth.ts';
import type { NextSample, Trimmed } from './next-sample.ts';
import { type Chunks, readChunk, type Sample } from './sample.ts';
import {
  chunkField,
  packGone,
  packStarts,
  type VideoFailure,
  type VideoGone,
  videosAtOnce,
  type WatchedVideo,
} from './video.ts';

/**
 * Result of a write. `known`: this scrape has looked up the video already. `changed`: its history has changed since it was read.
 * `removed`: it is not on the list. `ended`: the scrape is over.
 */
export type Written = 'stored' | 'known' | 'changed' | 'removed' | 'ended';

/** Failures within this time are written together. Milliseconds. */
const lingerMs = 25;

export class VideoHistory {
  readonly #append: RunScript;
  readonly #miss: RunScript;
  readonly #trim: RunScript;
  readonly #readChunks: RunScript;

  constructor({ script, bytesScript }: LedgerContext) {
    this.#append = script('videos/append-samples');
    this.#miss = batched(script('videos/miss-sample'), lingerMs);
    this.#trim = batched(script('videos/trim-history'));
    this.#readChunks = bytesScript('videos/read-chunks');
  }

  /** Writes the samples of at most one part in one command, each computed from its video as read. @returns the result of each. */
  async append(
    scrape: number,
    samples: readonly { readonly video: WatchedVideo; readonly next: NextSample }[],
  ): Promise<readonly Written[]> {
    const args: ScriptArgument[] = [scrape];
    for (const { video, next } of samples) {
      const starts = next.chunks ? packStarts(next.chunks) : '';
      args.push(
        `${video.id} ${video.version} ${chunkField(next.start)} ${starts}`,
        next.record,
        next.summary,
      );
      args.push(next.meta ? JSON.stringify(next.meta) : '');
    }
    const written = (await this.#append(args)) as (Written | Error)[];
    // The history of a damaged video gets no more samples. The others go on.
    return written.map((result) => (result instanceof Error ? 'removed' : result));
  }

  /** Records that a look-up failed. */
  async fail(scrape: number, { id, version, facts }: WatchedVideo, failure: VideoFailure): Promise<Written> {
    const args = [scrape, id, version, 'failed', JSON.stringify(failure), failure.code, facts.url];
    return (await this.#miss(args)) as Written;
  }

  /** Records that the service no longer knows the video. */
  async gone(scrape: number, { id, version, facts }: WatchedVideo, gone: VideoGone): Promise<Written> {
    return (await this.#miss([scrape, id, version, 'gone', packGone(gone), '', facts.url])) as Written;
  }

  /** Drops old samples. @returns false if the history has changed since it was read. */
  async trim({ id, version }: WatchedVideo, { removed, rest, chunks, summary }: Trimmed): Promise<boolean> {
    const args: ScriptArgument[] = [id, version, removed.map(chunkField).join(',')];
    args.push(rest ? chunkField(rest.start) : '', rest?.chunk ?? '', packStarts(chunks), summary);
    return (await this.#trim(args)) === '1';
  }

  /** Reads chunks of several videos, in their order. */
  async chunks(
    wanted: readonly { readonly id: string; readonly starts: readonly number[] }[],
  ): Promise<readonly Chunks[]> {
    const asked = wanted.filter(({ starts }) => starts.length > 0);
    if (asked.length === 0) return wanted.map(() => new Map());
    const reading = Array.from(parts(asked, videosAtOnce), (batch) => {
      const args = batch.flatMap(({ id, starts }) => [id, starts.map(chunkField).join(',')]);
      return this.#readChunks(args) as Promise<(Buffer | null)[][]>;
    });
    const replies = (await Promise.all(reading)).flat();
    let next = 0;
    return wanted.map(({ starts }) => {
      if (starts.length === 0) return new Map();
      const buffers = replies[next++] ?? [];
      return new Map(
        starts.flatMap((start, index) => {
          const chunk = buffers[index];
          return chunk ? [[start, chunk] as const] : [];
        }),
      );
    });
  }

  /**
   * All samples of several videos, oldest first, in their order. Each history is unpacked while it is iterated.
   * @param from least time of a sample: Unix epoch, seconds.
   */
  async samples(videos: readonly WatchedVideo[], from = 0): Promise<readonly Iterable<Sample>[]> {
    const wanted = videos.map(({ id, chunks }) => ({ id, starts: startsFrom(chunks, from) }));
    return (await this.chunks(wanted)).map((chunks) => samplesFrom(chunks, from));
  }
}

function* samplesFrom(chunks: Chunks, from: number): Generator<Sample> {
  for (const chunk of chunks.values()) {
    for (const sample of readChunk(chunk)) if (sample.at >= from) yield sample;
  }
}
