/**
 * Reads the headers of a picture or video. Libraries do so in a thread of their own, which gets parts of the file, and is ended if a
 * file takes it too much time, memory or bytes. Each content is read once.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Mutex } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import { headBytes, type PieceReader, readAll } from './content-hash.ts';

export interface MediaProbe {
  /** Pixels, as shown: turned videos are turned. Undefined for a file without a video track. */
  readonly width?: number;
  readonly height?: number;
  /** Undefined for pictures, and for videos in fragments that do not say it. */
  readonly durationMs?: number | undefined;
  /** Codec of a video: `H.264`, `HEVC`, ... or the four letters of another one. */
  readonly codec?: string | undefined;
}

/** `head`: its first bytes. `size`: bytes of the file. */
export interface ProbeRequest {
  readonly head: Uint8Array;
  readonly size: number;
  readonly isVideo: boolean;
}

/** The part that is needed next, or the result. */
export type ProbeAnswer =
  | { readonly at: number; readonly length: number }
  | { readonly found: MediaProbe | undefined };

const program = new URL(`./probe-program${extname(import.meta.url)}`, import.meta.url);
/** Tables of a video of hours take some megabytes. */
const mostBytes = 16 * 1024 * 1024;
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
const probesKept = 20_000;
/** Videos with a known container. All pictures can be read. */
const videos: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp']);

export class MediaProber {
  readonly #longestMs: number;
  readonly #turns = new Mutex();
  #worker: Worker | undefined;
  readonly #known = new LRUCache<string, Promise<MediaProbe | undefined>>({
    maxSize: probesKept,
    sizeCalculation: () => 1,
  });

  /** @param options.longestMs how long a file may take. */
  constructor({ longestMs = 3000 } = {}) {
    this.#longestMs = longestMs;
  }

  /** @param content identifies the bytes of the file. @returns undefined if its type is not known, or its headers cannot be read. */
  probe(
    content: string,
    contentType: string,
    handle: PieceReader,
    size: number,
  ): Promise<MediaProbe | undefined> {
    const isVideo = contentType.startsWith('video/');
    if (isVideo && !videos.has(contentType)) return Promise.resolve(undefined);
    const ask = () => this.#ask(handle, size, isVideo).catch(() => undefined);
    const probe = this.#known.get(content) ?? this.#turns.runExclusive(ask);
    this.#known.set(content, probe);
    return probe;
  }

  async #ask(handle: PieceReader, size: number, isVideo: boolean): Promise<MediaProbe | undefined> {
    let left = mostBytes;
    const read = async (at: number, length: number) => {
      left -= length;
      if (left < 0) throw new Error('the headers are too large');
      return readAll(handle, Math.max(0, Math.min(length, size - at)), at);
    };
    const head = await read(0, headBytes);
    // The thread is not opened for a whole file without headers.
    if (isVideo && head.length === size && !head.includes('moov')) return undefined;
    const worker = this.#open();
    const { promise, resolve, reject } = Promise.withResolvers<MediaProbe | undefined>();
    const take = (answer: ProbeAnswer) => {
      if ('found' in answer) resolve(answer.found);
      else read(answer.at, answer.length).then((part) => worker.postMessage(part), reject);
    };
    const timer = setTimeout(reject, this.#longestMs);
    worker.on('message', take).once('exit', reject);
    try {
      worker.postMessage({ head, size, isVideo } satisfies ProbeRequest);
      return await promise;
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off('message', take).off('exit', reject);
    }
  }

  /** The thread gets no secrets, and does not keep this process alive. */
  #open(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(program, { env: {}, execArgv: [], stdout: true, stderr: true, resourceLimits });
    worker
      .on('error', () => undefined)
      .once('exit', () => {
        if (this.#worker === worker) this.#worker = undefined;
      });
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}

/** `0:19 · 1080 × 1920 · H.264` */
export function describeProbe({ width, height, durationMs = Number.NaN, codec }: MediaProbe): string {
  const seconds = Math.round(durationMs / 1000);
  const length = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return [seconds >= 0 && length, width && `${width} × ${height}`, codec].filter(Boolean).join(' · ');
}
