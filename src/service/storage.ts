/** Sends bytes to presigned URLs of the object storage (contract, section 4.6). It never gets the API key. */
import { Readable } from 'node:stream';
import { Agent, type buildConnector } from 'undici';
import { type Proxies, ProxyError } from '../platform/net/proxy.ts';
import { label } from './contract/texts.ts';
import { UploadAddressRefusedError, UploadFailedError, UploadUrlExpiredError } from './errors.ts';
import type { CallOptions } from './transport/caller.ts';
import { connector, readingPlainly } from './transport/connector.ts';
import { exchange, type HttpAnswer, NoAnswerError } from './transport/exchange.ts';

export interface PutRequest {
  readonly uploadUrl: string;
  /** As declared for the presigned URL. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly body: Buffer | Readable;
}

const operation = 'putFile';
/** Visible ASCII, as HTTP has it. */
const entityTag = label.regex(/^[!-~]+$/);
/** An upload with a lower average is given up. Bytes per millisecond: 64 KB/s, as for downloads. */
const slowestRate = 64;
/** Half a day. Timers of Node take no more than 24 days. */
const longestMs = 12 * 3_600_000;
/** Only the status of the answer matters. */
const maxAnswerBytes = 64 * 1024;
const longestConnectMs = 10_000;
/** Further uploads wait for a free connection. More than run at once by default. */
const connectionsPerHost = 256;

export interface StorageOptions {
  /** Milliseconds in which some bytes of a stream must go out, and then the answer must come. */
  readonly timeoutMs: number;
  /** Refuses other addresses with an `UploadAddressRefusedError`; unless given, presigned URLs may lead anywhere. */
  readonly connector?: ((timeoutMs: number) => buildConnector.connector) | undefined;
  /** Address of the service. Its presigned URLs may lead to its own host, wherever that is. */
  readonly serviceUrl?: string | undefined;
  /** On the way to the host of the service. `connector` brings its own. */
  readonly proxies?: Proxies | undefined;
}

export class Storage {
  readonly #timeoutMs: number;
  readonly #agent: Agent;

  constructor({ timeoutMs, serviceUrl, connector: guarded, proxies }: StorageOptions) {
    const own = serviceUrl === undefined ? undefined : hostOf(serviceUrl);
    const connectMs = Math.min(timeoutMs, longestConnectMs);
    const anywhere = connector(connectMs, proxies);
    const allowed = guarded ? readingPlainly(guarded(connectMs)) : anywhere;
    this.#timeoutMs = timeoutMs;
    this.#agent = new Agent({
      connections: connectionsPerHost,
      pipelining: 1,
      connect: (options, callback) =>
        (hostNamed(options.hostname) === own ? anywhere : allowed)(options, callback),
    });
  }

  /**
   * PUTs the bytes with their length, never chunked. Always closes a stream.
   * @returns the header `ETag` without its quotes; undefined if there is none, or one of no use.
   * @throws {UploadUrlExpiredError} when the storage answers 403.
   * @throws {UploadAddressRefusedError} for an address that is not allowed.
   * @throws {UploadFailedError} for other failures; an error of the stream itself is thrown as it is.
   */
  async put(
    { uploadUrl, contentType, size, body }: PutRequest,
    { signal }: CallOptions = {},
  ): Promise<{ readonly etag: string | undefined }> {
    const url = new URL(uploadUrl);
    const source = body instanceof Readable ? new WatchedSource(body, this.#timeoutMs) : undefined;
    const signals = [signal, source?.stalled].filter((each) => each !== undefined);
    const place = { origin: url.origin, method: 'PUT', path: `${url.pathname}${url.search}` } as const;
    const headers = ['content-type', contentType, 'content-length', String(size)];
    const request = { ...place, headers, body: source?.stream ?? body };
    const timeoutMs = Math.min(this.#timeoutMs + size / slowestRate, longestMs);
    const limits = { timeoutMs, maxBytes: maxAnswerBytes };
    try {
      const answer = await exchange(this.#agent, request, limits, AbortSignal.any(signals));
      checkStored(answer);
      return { etag: entityTag.safeParse(answer.headers.etag).data?.replace(/^(?:W\/)?"(.*)"$/, '$1') };
    } catch (error) {
      if (source?.error !== undefined) throw source.error;
      if (!(error instanceof NoAnswerError)) throw error;
      if (source?.stalled.aborted)
        throw new UploadFailedError('The upload stalled.', { operation, cause: error.cause });
      if (error.cause instanceof UploadAddressRefusedError) throw error.cause;
      const why = error.cause instanceof ProxyError ? error.cause.message : error.reason;
      throw new UploadFailedError(`The upload got no answer (${why}).`, { operation, cause: error.cause });
    } finally {
      source?.close();
    }
  }

  async close(): Promise<void> {
    if (!this.#agent.destroyed) await this.#agent.close();
  }

  /** Closes the connections at once: uploads in progress end without an answer. */
  cutOff(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** The host of a URL. All names of this machine are one: a service on it may call itself by another one than we do. */
function hostOf(url: string): string {
  return hostNamed(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

function hostNamed(hostname: string): string {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(hostname) ? 'localhost' : hostname;
}

/** Tells errors of our stream from those that undici destroys a body with, and notices when the storage takes no more bytes. */
class WatchedSource {
  readonly stream: Readable;
  /** Aborted when no bytes were taken for too long. */
  readonly stalled: AbortSignal;
  readonly #source: Readable;
  readonly #timer: NodeJS.Timeout;
  error: unknown;

  /** @param patienceMs between two chunks, and after the last one. */
  constructor(source: Readable, patienceMs: number) {
    const stalled = new AbortController();
    this.stalled = stalled.signal;
    this.#timer = setTimeout(() => stalled.abort(), patienceMs);
    this.#source = source.on('error', (error) => {
      this.error = error;
    });
    this.stream = Readable.from(this.#passOn(), { objectMode: false });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.stream.destroy();
    this.#source.destroy();
  }

  /** Stopping early must not destroy the source: that would raise an error of its own. `close` ends it. */
  async *#passOn(): AsyncGenerator<Buffer> {
    for await (const chunk of this.#source.iterator({ destroyOnReturn: false })) {
      this.#timer.refresh();
      yield chunk as Buffer;
    }
    this.#timer.refresh();
  }
}

function checkStored({ status }: HttpAnswer): void {
  if (status >= 200 && status < 300) return;
  if (status === 403) {
    const message = 'The storage refused the upload (HTTP 403): the URL has expired.';
    throw new UploadUrlExpiredError(message, { operation, status });
  }
  throw new UploadFailedError(`The storage answered the upload with HTTP ${status}.`, { operation, status });
}
