/** The connection to the service: one pool for its one origin. Adds the API key, which goes nowhere else. */
import { errors, type FormData, Pool } from 'undici';
import { readEnvelope } from './answer.ts';
import type { Envelope } from './contract/envelope.ts';
import { NotSentError, OutcomeUnknownError } from './errors.ts';
import { exchange, type HttpAnswer, NoAnswerError } from './exchange.ts';

export interface TransportOptions {
  /** `http://host[:port][/prefix]`, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Milliseconds from the call to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Largest answer, in bytes. */
  readonly maxAnswerBytes: number;
  readonly now: () => number;
  readonly observe?: ((call: ObservedCall) => void) | undefined;
}

/** Whether the service answered a call, for monitoring. */
export interface ObservedCall {
  readonly operation: string;
  /** `unanswered`: no status line came, because the connection failed or the time was up. */
  readonly kind: 'answered' | 'throttled' | 'unanswered';
  /** Header `Date` of the answer. */
  readonly date?: string | undefined;
  /** Why there was no answer, in words. */
  readonly reason?: string | undefined;
}

export interface ServiceCall {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Percent-encoded, begins with `/`; the prefix of the base URL is put before it. */
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  /** A text is sent as JSON, a form as multipart. */
  readonly body?: string | FormData | undefined;
  readonly signal?: AbortSignal | undefined;
}

const longestConnectMs = 10_000;
/** Further calls wait for a free connection. More than all processors run at once by default. */
const connections = 256;

export class Transport {
  readonly #pool: Pool;
  readonly #prefix: string;
  readonly #headers: readonly string[];
  readonly #options: TransportOptions;
  readonly #secrets: readonly string[];

  constructor(options: TransportOptions) {
    const url = new URL(options.baseUrl);
    this.#options = options;
    this.#prefix = url.pathname.replace(/\/+$/, '');
    const accept = ['accept', 'application/json'];
    this.#headers = ['x-api-key', options.apiKey, ...accept, 'user-agent', 'campaign-runner'];
    this.#secrets = spellings(options.apiKey);
    this.#pool = new Pool(url.origin, {
      connections,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: Math.min(options.timeoutMs, longestConnectMs) },
    });
  }

  /**
   * Makes one call, once. Redirects are not followed.
   * @returns the envelope of a success.
   * @throws {ApiError} for everything else, one class per meaning.
   */
  async call(call: ServiceCall): Promise<Envelope> {
    const { operation } = call;
    const answer = await this.#send(call);
    return readEnvelope(answer, { operation, redact: this.#redact, now: this.#options.now });
  }

  /** Waits for calls in progress, then closes the connections. */
  async close(): Promise<void> {
    if (!this.#pool.destroyed) await this.#pool.close();
  }

  /** Closes the connections at once: calls in progress end without an answer. */
  cutOff(): Promise<void> {
    return this.#pool.destroy();
  }

  async #send({ operation, method, path, query, body = '', signal }: ServiceCall): Promise<HttpAnswer> {
    const search = query && query.size > 0 ? `?${query}` : '';
    const headers =
      typeof body === 'string' && body !== ''
        ? [...this.#headers, 'content-type', 'application/json']
        : this.#headers;
    const { timeoutMs, maxAnswerBytes, observe } = this.#options;
    try {
      const answer = await exchange(
        this.#pool,
        { method, path: `${this.#prefix}${path}${search}`, headers, body: body || null },
        { timeoutMs, maxBytes: maxAnswerBytes },
        signal,
      );
      const kind = answer.status === 429 ? 'throttled' : 'answered';
      observe?.({ operation, kind, date: answer.headers.date });
      return answer;
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      const failure = withoutAnswer(error, operation, timeoutMs);
      // A call that we gave up says nothing about the service.
      if (error.reason !== 'aborted' && !this.#pool.destroyed) {
        observe?.({ operation, kind: 'unanswered', reason: failure.message });
      }
      throw failure;
    }
  }

  readonly #redact = (text: string): string =>
    this.#secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[key]'), text);
}

/** The forms of a key in a text that echoes it: plain, inside JSON, inside a URL. */
function spellings(key: string): readonly string[] {
  return [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
}

function withoutAnswer(error: NoAnswerError, operation: string, timeoutMs: number): Error {
  const why = {
    aborted: 'it was given up',
    deadline: `the time limit of ${timeoutMs} ms was over`,
    connection: describeCause(error.cause),
  }[error.reason];
  // The parser's errors carry the raw answer, which may echo the key.
  const cause = error.cause instanceof errors.HTTPParserError ? undefined : error.cause;
  return error.sent
    ? new OutcomeUnknownError(`${operation} was sent, but no answer came: ${why}.`, { operation, cause })
    : new NotSentError(`${operation} was not sent: ${why}.`, { operation, cause });
}

function describeCause(cause: unknown): string {
  if (cause instanceof errors.HTTPParserError) return 'the answer is not HTTP';
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed';
}
