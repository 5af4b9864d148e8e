/** The connection to the service: one pool for its one origin. The API key is added here, and leaves for nowhere else. */
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

/** What came of a call as far as the line to the service is concerned, for whoever keeps watch over it. */
export interface ObservedCall {
  readonly operation: string;
  /** `unanswered`: no status line came, be it that the connection failed or that the time was over. */
  readonly kind: 'answered' | 'throttled' | 'unanswered';
  /** Header `Date` of the answer. */
  readonly date?: string | undefined;
  /** Why there was no answer, in words. */
  readonly reason?: string | undefined;
}

export interface ServiceCall {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Begins with `/`, percent-encoded; the prefix of the base URL comes before it. */
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  /** A text is sent as JSON, a form as multipart. */
  readonly body?: string | FormData | undefined;
  readonly signal?: AbortSignal | undefined;
}

const longestConnectMs = 10_000;
/** More calls than these at a time wait for a connection. Above the sum of what the processors run side by side. */
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
   * Makes one call. It is never repeated here, and redirects are not followed.
   * @returns the envelope of a success.
   * @throws {ApiError} for everything else, one class per meaning.
   */
  async call(call: ServiceCall): Promise<Envelope> {
    const { operation } = call;
    const answer = await this.#send(call);
    return readEnvelope(answer, { operation, redact: this.#redact, now: this.#options.now });
  }

  /** Waits for the calls under way, and closes the connections. */
  async close(): Promise<void> {
    if (!this.#pool.destroyed) await this.#pool.close();
  }

  /** Closes the connections at once: calls under way end without an answer. */
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
      // What we give up ourselves says nothing of the service.
      if (error.reason !== 'aborted' && !this.#pool.destroyed) {
        observe?.({ operation, kind: 'unanswered', reason: failure.message });
      }
      throw failure;
    }
  }

  readonly #redact = (text: string): string =>
    this.#secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[key]'), text);
}

/** How a key may look in a text that echoes it: as it is, inside JSON, inside a URL. */
function spellings(key: string): readonly string[] {
  return [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
}

function withoutAnswer(error: NoAnswerError, operation: string, timeoutMs: number): Error {
  const why = {
    aborted: 'it was given up',
    deadline: `${timeoutMs} ms were over`,
    connection: describeCause(error.cause),
  }[error.reason];
  // The parser's errors carry the raw answer, which may echo the key.
  const cause = error.cause instanceof errors.HTTPParserError ? undefined : error.cause;
  return error.sent
    ? new OutcomeUnknownError(`${operation} was sent, and no answer came: ${why}.`, { operation, cause })
    : new NotSentError(`${operation} was not sent: ${why}.`, { operation, cause });
}

function describeCause(cause: unknown): string {
  if (cause instanceof errors.HTTPParserError) return 'the answer is not HTTP';
  const code = codeOf(cause);
  return code ? `the connection failed (${code})` : 'the connection failed';
}

function codeOf(cause: unknown): string | undefined {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
