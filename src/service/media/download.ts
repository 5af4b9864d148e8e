/**
 * Fetches a medium from a URL into the spool. Has no API key, checks every address, also of redirects, and limits size and time.
 */

import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { describeSize } from '../../manifest/printable.ts';
import { type AddressPolicy, parseMediaUrl } from './addresses.ts';
import { ContentHash } from './content-hash.ts';
import { nameFromUrl, signatureLength, typeOfName } from './content-type.ts';
import {
  checkIsFile,
  checkStatus,
  describeFailure,
  isPage,
  lengthOf,
  nextUrl,
  redirectOf,
} from './download-answer.ts';
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
/** Drives send a file from another address than that of its link, some by way of a third. */
const mostRedirects = 5;
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
interface SpooledFile extends AsyncDisposable {
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
    this.#agent = new Agent({
      connections: connectionsPerHost,
      pipelining: 1,
      allowH2: false,
      connect: options.addresses.connector(connectMs),
      // `Watch` replaces these limits, which restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Follows a few redirects, each to a permitted address. @throws {MediaError} also for a failed transfer. */
  async fetch(source: string, signal?: AbortSignal): Promise<SpooledFile> {
    const written = parseMediaUrl(source);
    await using cleanup = new AsyncDisposableStack();
    const watch = cleanup.use(new Watch(this.#patience, signal));
    try {
      const { url, ...body } = await this.#follow(written, source, watch.signal);
      // A body that nobody reads holds its connection for ever. Its error is expected.
      cleanup.defer(() => void body.stream.on('error', () => undefined).destroy());
      const { spool } = this.#options;
      if (body.length !== undefined) await spool.requireFreeDisk(body.length, source);
      const file = cleanup.use(await spool.create(source));
      const { hash, start } = await this.#receive(body, file, watch, source);
      if (file.size === 0) throw new MediaError('media_empty', 'The answer has no bytes.', source);
      watch[Symbol.dispose]();
      // The caller owns the file from here on.
      const owned = cleanup.move();
      return { file, url, size: file.size, hash, start, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    } catch (error) {
      throw describeFailure(error, source, watch.reason);
    }
  }

  /** Waits for running downloads, then closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }

  /** The answer with the file. Its name counts, unless only the name in the written URL tells its type. */
  async #follow(written: URL, source: string, signal: AbortSignal) {
    let at = written;
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const answer = await this.#request(at, source, signal);
      if (!('location' in answer)) {
        return { ...answer, url: typeOfName(nameFromUrl(written)) === undefined ? at : written };
      }
      at = nextUrl(at, answer.location, source);
    }
    const problem = `The URL redirects more than ${mostRedirects} times.`;
    throw new MediaError('media_download_refused', problem, source);
  }

  async #request(
    url: URL,
    source: string,
    signal: AbortSignal,
  ): Promise<Body | { readonly location: string }> {
    const answer = await this.#agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'campaign-runner' },
      signal,
    });
    try {
      const location = redirectOf(answer);
      if (location !== undefined) {
        answer.body.on('error', () => undefined).destroy();
        return { location };
      }
      checkStatus(answer, source);
      const length = lengthOf(answer);
      if (length !== undefined && length > this.#options.maxBytes) throw this.#tooLarge(source);
      return { stream: answer.body, length, isPage: isPage(answer) };
    } catch (error) {
      // The rest is not needed, and the error of destroying the stream is expected.
      answer.body.on('error', () => undefined).destroy();
      throw error;
    }
  }

  async #receive({ stream, isPage }: Body, file: SpoolFile, watch: Watch, source: string) {
    const hash = new ContentHash();
    let start = Buffer.alloc(0);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (file.size + chunk.length > this.#options.maxBytes) throw this.#tooLarge(source);
      if (start.length < signatureLength) {
        start = Buffer.concat([start, chunk.subarray(0, signatureLength)]);
        if (start.length >= signatureLength) checkIsFile(start, isPage, source);
      }
      hash.update(chunk);
      watch.received(chunk.length);
      await file.append(chunk);
    }
    checkIsFile(start, isPage, source);
    return { hash: hash.digest(), start };
  }

  #tooLarge(source: string): MediaError {
    const problem = `The file is over the limit of ${describeSize(this.#options.maxBytes)}.`;
    return new MediaError('media_too_large', problem, source);
  }
}

interface Body {
  readonly stream: Readable;
  /** Bytes, as announced. */
  readonly length: number | undefined;
  /** Whether the server calls it a web page. */
  readonly isPage: boolean;
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
    this.#total = setTimeout(() => this.#end(`it did not finish in ${totalMs / 1000} s`), totalMs);
    this.#window = setInterval(() => {
      if (this.#bytes < windowBytes)
        this.#end(`only ${describeSize(this.#bytes)} arrived in ${windowMs / 1000} s`);
      this.#bytes = 0;
    }, windowMs);
  }

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
