/**
 * The connections to the service, all to its one origin. Adds the API key, which goes nowhere else.
 *
 * A kept connection may have been closed by the other side a moment ago, and then nobody knows whether a call reached the service. So
 * calls that must not be repeated get a new connection each, which nothing but their answer can come over.
 */
import { errors, type FormData, Pool } from 'undici';
import { type Proxies, ProxyError } from '../../platform/net/proxy.ts';
import { codeReader, type ServiceCodes } from '../contract/codes.ts';
import type { Envelope } from '../contract/envelope.ts';
import { withoutTrailingSlashes } from '../contract/uri.ts';
import { CutOffError, NotSentError, OutcomeUnknownError, ThrottledError, TooLateError } from '../errors.ts';
import { type AnswerContext, decodeAnswer, readEnvelope } from './answer.ts';
import { connector } from './connector.ts';
import { exchange, type HttpAnswer, type HttpMethod, NoAnswerError } from './exchange.ts';
import { type KeyRedactor, keyRedactor } from './redact.ts';

interface TransportOptions {
  /** `http://host[:port][/prefix]`, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Milliseconds from the call to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Largest answer, in bytes. */
  readonly maxAnswerBytes: number;
  readonly now: () => number;
  readonly codes: ServiceCodes;
  readonly observe?: ((call: ObservedCall) => void) | undefined;
  readonly proxies?: Proxies | undefined;
}

/** Whether the service answered a call, for monitoring. */
export interface ObservedCall {
  readonly operation: string;
  /** `unanswered`: no status line came, because the connection failed or the time was up. */
  readonly kind: 'answered' | 'throttled' | 'unanswered';
  readonly status?: number | undefined;
  /** Header `Date` of the answer. */
  readonly date?: string | undefined;
  /** Why there was no answer, in words. */
  readonly reason?: string | undefined;
}

export interface ServiceCall {
  readonly operation: string;
  readonly method: HttpMethod;
  /** Percent-encoded, begins with `/`; the prefix of the base URL is put before it. */
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  /** A text is sent as JSON, parameters url-encoded, a form as multipart. */
  readonly body?: string | URLSearchParams | FormData | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asked right before the first byte leaves. If so, nothing is sent. */
  readonly isTooLate?: (() => boolean) | undefined;
  /** Makes a new connection for this call. */
  readonly once?: boolean | undefined;
}

export interface Answered {
  readonly envelope: Envelope;
  readonly bytes: number;
}

const longestConnectMs = 10_000;
/** Further calls wait for a free connection. More than all processors run at once by default. */
const connections = 256;

export class Transport {
  readonly #pool: Pool;
  /** Its connections serve one call each. */
  readonly #newly: Pool;
  readonly #prefix: string;
  readonly #headers: readonly string[];
  readonly #options: TransportOptions;
  readonly #redactor: KeyRedactor;
  readonly #meaningOf: AnswerContext['meaningOf'];

  constructor(options: TransportOptions) {
    const url = new URL(options.baseUrl);
    this.#options = options;
    this.#prefix = withoutTrailingSlashes(url.pathname);
    const accept = ['accept', 'application/json', 'accept-encoding', 'identity'];
    this.#headers = ['x-api-key', options.apiKey, ...accept, 'user-agent', 'campaign-runner'];
    this.#redactor = keyRedactor(options.apiKey);
    this.#meaningOf = codeReader(options.codes);
    const connect = connector(Math.min(options.timeoutMs, longestConnectMs), options.proxies);
    const pool = () => new Pool(url.origin, { connections, pipelining: 1, connect });
    this.#pool = pool();
    this.#newly = pool();
  }

  /** Redirects are not followed. @returns a success, with texts that hold the key marked (`EchoedKey`). @throws {ApiError} */
  async call(call: ServiceCall): Promise<Answered> {
    const { operation } = call;
    const { now, observe } = this.#options;
    const answer = await this.#send(call);
    const context = { operation, redactor: this.#redactor, now, meaningOf: this.#meaningOf };
    let kind: ObservedCall['kind'] = 'answered';
    try {
      const envelope = readEnvelope(answer, context);
      return { envelope, bytes: answer.body.length };
    } catch (error) {
      if (error instanceof ThrottledError) kind = 'throttled';
      throw error;
    } finally {
      observe?.({ operation, kind, status: answer.status, date: answer.headers.date });
    }
  }

  /** Waits for calls in progress, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => (pool.destroyed ? undefined : pool.close())));
  }

  /** Closes the connections at once: calls in progress end without an answer. */
  async cutOff(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
  }

  get #pools(): readonly Pool[] {
    return [this.#pool, this.#newly];
  }

  async #send(call: ServiceCall): Promise<HttpAnswer> {
    const { operation, method, path, query, body = '', signal, isTooLate, once = false } = call;
    const search = query && query.size > 0 ? `?${query}` : '';
    const contentType = typeOf(body);
    const headers =
      contentType === undefined ? this.#headers : [...this.#headers, 'content-type', contentType];
    const { timeoutMs, maxAnswerBytes, observe } = this.#options;
    const sent = (body instanceof URLSearchParams ? String(body) : body) || null;
    const request = { method, path: `${this.#prefix}${path}${search}`, headers, body: sent, last: once };
    const limits = { timeoutMs, maxBytes: maxAnswerBytes, isTooLate };
    try {
      const answer = await exchange(once ? this.#newly : this.#pool, request, limits, signal);
      return decodeAnswer(answer, maxAnswerBytes);
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      const isCutOff = error.reason === 'aborted' || this.#pool.destroyed;
      const failure = withoutAnswer(error, { operation, timeoutMs, isCutOff });
      // A call that we gave up says nothing about the service.
      if (!isCutOff && error.reason !== 'too late') {
        observe?.({ operation, kind: 'unanswered', reason: failure.message });
      }
      throw failure;
    }
  }
}

/** @returns undefined for a body that brings its own, or none. */
function typeOf(body: NonNullable<ServiceCall['body']>): string | undefined {
  if (body instanceof URLSearchParams) return 'application/x-www-form-urlencoded';
  return typeof body === 'string' && body !== '' ? 'application/json' : undefined;
}

/** @param call.isCutOff whether this process ended it. */
function withoutAnswer(
  error: NoAnswerError,
  { operation, timeoutMs, isCutOff }: { operation: string; timeoutMs: number; isCutOff: boolean },
): Error {
  if (error.reason === 'too late') {
    const message = `${operation} was not sent: this machine stalled just before the call.`;
    return new TooLateError(message, { operation });
  }
  const why = {
    aborted: 'it was given up',
    deadline: `the time limit of ${timeoutMs / 1000} s had passed`,
    connection: describeCause(error.cause),
  }[error.reason];
  // The parser's errors carry the raw answer, which may echo the key.
  const cause = error.cause instanceof errors.HTTPParserError ? undefined : error.cause;
  if (error.sent) {
    const message = `${operation} was sent, but no answer came: ${why}.`;
    return isCutOff
      ? new CutOffError(message, { operation, cause })
      : new OutcomeUnknownError(message, { operation, cause });
  }
  return new NotSentError(`${operation} was not sent: ${why}.`, { operation, cause });
}

function describeCause(cause: unknown): string {
  if (cause instanceof errors.HTTPParserError) return 'the answer is not HTTP';
  if (cause instanceof ProxyError) return cause.message;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed';
}
