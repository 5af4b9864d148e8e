/**
 * Fetches a medium from a URL into the spool. Has no API key, refuses redirects, checks every address, and limits size and time.
 */

import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { undici } from '../fs/packages.ts';
import { describeSize } from '../manifest/presentable.ts';
import { type AddressPolicy, parseMediaUrl } from './addresses.ts';
import { ContentHash } from './content-hash.ts';
import { signatureLength } from './content-type.ts';
import { MediaError } from './errors.ts';
import type { Spool, SpoolFile } from './spool.ts';

/** Limits for slow servers: each of their downloads keeps one of the places of the step `upload` from others. */
export interface Patience {
  /** Milliseconds for a whole download. */
  readonly totalMs: number;
  /** At least `windowBytes` must arrive within this many milliseconds. */
  readonly windowMs: number;
  readonly windowBytes: number;
}

/** 64 KB/s, half a megabit. At this rate a video of 200 MB takes an hour, the longest that a download may last. */
const leastBytesPerSecond = 64 * 1024;
export const defaultPatience: Patience = {
  totalMs: 3_600_000,
  windowMs: 20_000,
  windowBytes: 20 * leastBytesPerSecond,
};
const connectMs = 10_000;
const connectionsPerHost = 16;

export interface DownloaderOptions {
  readonly spool: Spool;
  readonly addresses: AddressPolicy;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  readonly patience?: Patience;
}

/** A fetched file. Dispose of it to free its disk. */
export interface SpooledFile extends AsyncDisposable {
  readonly file: SpoolFile;
  readonly url: URL;
  /** Bytes. */
  readonly size: number;
  /** The hash that an upload declares. */
  readonly hash: string;
  /** The first bytes, for detecting the type. */
  readonly start: Buffer;
}

export class Downloader implements AsyncDisposable {
  readonly #options: DownloaderOptions;
  readonly #patience: Patience;
  readonly #agent: Agent;

  constructor(options: DownloaderOptions) {
    this.#options = options;
    this.#patience = options.patience ?? defaultPatience;
    this.#agent = new (undici().Agent)({
      connections: connectionsPerHost,
      pipelining: 1,
      allowH2: false,
      connect: options.addresses.connector(connectMs),
      // `Watch` replaces these limits, which restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** @throws {MediaError} for a refused URL, address, answer or file, and for a failed transfer. */
  async fetch(source: string, signal?: AbortSignal): Promise<SpooledFile> {
    const url = parseMediaUrl(source);
    await using cleanup = new AsyncDisposableStack();
    const watch = cleanup.use(new Watch(this.#patience, signal));
    try {
      const body = await this.#request(url, source, watch.signal);
      // A body that nobody reads holds its connection for ever. Its error is expected.
      cleanup.defer(() => void body.stream.on('error', () => undefined).destroy());
      const { spool } = this.#options;
      if (body.length !== undefined) await spool.requireRoom(body.length, source);
      const file = cleanup.use(await spool.create(source));
      const { hash, start } = await this.#receive(body.stream, file, watch, source);
      if (file.size === 0) throw new MediaError('media_empty', 'The answer has no bytes.', source);
      watch[Symbol.dispose]();
      // The caller owns the file from here on.
      const owned = cleanup.move();
      return { file, url, size: file.size, hash, start, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    } catch (error) {
      throw describe(error, source, watch.reason);
    }
  }

  /** Waits for running downloads, then closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }

  async #request(url: URL, source: string, signal: AbortSignal) {
    const answer = await this.#agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'campaign-runner' },
      signal,
    });
    try {
      checkStatus(answer, source);
      const length = lengthOf(answer);
      if (length !== undefined && length > this.#options.maxBytes) throw this.#tooLarge(source);
      return { stream: answer.body, length };
    } catch (error) {
      // The rest is not needed, and the error of destroying the stream is expected.
      answer.body.on('error', () => undefined).destroy();
      throw error;
    }
  }

  async #receive(stream: Readable, file: SpoolFile, watch: Watch, source: string) {
    const hash = new ContentHash();
    let start = Buffer.alloc(0);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (file.size + chunk.length > this.#options.maxBytes) throw this.#tooLarge(source);
      if (start.length < signatureLength) start = Buffer.concat([start, chunk.subarray(0, signatureLength)]);
      hash.update(chunk);
      watch.received(chunk.length);
      await file.append(chunk);
    }
    return { hash: hash.digest(), start };
  }

  #tooLarge(source: string): MediaError {
    const problem = `The file is over the limit of ${describeSize(this.#options.maxBytes)}.`;
    return new MediaError('media_too_large', problem, source);
  }
}

/** Ends a download that lasts too long or is too slow. */
class Watch implements Disposable {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #window: NodeJS.Timeout;
  #bytes = 0;
  #reason: string | undefined;

  constructor({ totalMs, windowMs, windowBytes }: Patience, signal: AbortSignal | undefined) {
    this.signal = signal ? AbortSignal.any([signal, this.#controller.signal]) : this.#controller.signal;
    this.#total = setTimeout(() => this.#end(`it did not finish in ${totalMs} ms`), totalMs);
    this.#window = setInterval(() => {
      if (this.#bytes < windowBytes) this.#end(`only ${this.#bytes} bytes arrived in ${windowMs} ms`);
      this.#bytes = 0;
    }, windowMs);
  }

  /** Why the watch ended the download. */
  get reason(): string | undefined {
    return this.#reason;
  }

  received(bytes: number): void {
    this.#bytes += bytes;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#total);
    clearInterval(this.#window);
  }

  #end(reason: string): void {
    this.#reason ??= reason;
    this.#controller.abort();
  }
}

function checkStatus({ statusCode: status }: Dispatcher.ResponseData, source: string): void {
  if (status === 200) return;
  if (status >= 300 && status < 400) {
    const problem = `The URL redirects (HTTP ${status}); redirects are not followed.`;
    throw new MediaError('media_download_refused', problem, source);
  }
  const mayPass = status >= 500 || status === 408 || status === 425 || status === 429;
  const code = mayPass ? 'media_download_failed' : 'media_download_refused';
  throw new MediaError(code, `The URL answered with HTTP ${status}.`, source);
}

function lengthOf({ headers }: Dispatcher.ResponseData): number | undefined {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : undefined;
}

function describe(error: unknown, source: string, reason: string | undefined): unknown {
  if (error instanceof MediaError) {
    // The connector knows only the host; people look for the URL that they wrote.
    return error.subject === source ? error : new MediaError(error.code, error.message, source, error.cause);
  }
  if (reason !== undefined)
    return new MediaError('media_download_failed', `The download was stopped: ${reason}.`, source);
  const code = (error as NodeJS.ErrnoException).code;
  const why = typeof code === 'string' ? ` (${code})` : '';
  return new MediaError('media_download_failed', `The download failed${why}.`, source, error);
}
