/**
 * One HTTP exchange on an undici dispatcher.
 *
 * 1. One deadline runs from the call to the last byte. undici's own timeouts restart with every byte.
 * 2. The size of the answer is capped.
 * 3. "Not sent" is certain, not guessed from an error code: undici announces a request right before it writes it.
 * 4. A request is written once. undici may want to write it again after a lost connection; we stop that.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher, FormData } from 'undici';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH';

interface HttpRequest {
  /** Only for dispatchers that serve several origins. */
  readonly origin?: string;
  readonly method: HttpMethod;
  /** Path and query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | Buffer | Readable | FormData | null;
  /** Closes the connection after the answer. */
  readonly last?: boolean;
}

interface ExchangeLimits {
  /** Milliseconds from the call to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Largest body of an answer, in bytes. */
  readonly maxBytes: number;
  /** Asked right before the first byte leaves. If so, nothing is sent. */
  readonly isTooLate?: (() => boolean) | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as far as it came: all of it, unless `broken` is set. */
  readonly body: Buffer;
  /** Why the body is incomplete. The status still holds. */
  readonly broken: BrokenBody | undefined;
}

type BrokenBody = 'connection lost' | 'deadline passed' | 'too large' | 'unknown encoding';

/** No answer came, not even a status line. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** Whether a byte of the request may have left. */
  readonly sent: boolean;
  readonly reason: 'connection' | 'deadline' | 'aborted' | 'too late';

  constructor(reason: NoAnswerError['reason'], sent: boolean, cause?: unknown) {
    super(`no answer: ${reason}`, { cause });
    this.reason = reason;
    this.sent = sent;
  }
}

/** Follows no redirects. @param signal gives up the call; before the first byte nothing is sent. @throws {NoAnswerError} */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  limits: ExchangeLimits,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  if (signal?.aborted) return Promise.reject(new NoAnswerError('aborted', false, signal.reason));
  const collector = new AnswerCollector(request, limits, signal);
  const { last, headers, ...sent } = request;
  const end = last ? { reset: true } : {};
  const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
  dispatcher.dispatch({ ...sent, headers: headers as string[], ...end, ...timeouts }, collector);
  return collector.answer;
}

class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly answer: Promise<HttpAnswer>;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: NoAnswerError) => void;
  readonly #maxBytes: number;
  readonly #isTooLate: ExchangeLimits['isTooLate'];
  readonly #isLast: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  /** The answer so far, at its beginning. Pieces are copied: a service may send them byte by byte, and each takes 150 bytes by itself. */
  #body = Buffer.alloc(0);
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #received = 0;
  #settled = false;

  constructor({ last = false }: HttpRequest, limits: ExchangeLimits, signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#maxBytes = limits.maxBytes;
    this.#isTooLate = limits.isTooLate;
    this.#isLast = last;
    this.#signal = signal;
    this.#timer = setTimeout(() => this.#stop('deadline passed'), limits.timeoutMs);
    signal?.addEventListener('abort', this.#abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled || this.#controller) {
      controller.abort(new Error(this.#settled ? 'given up before it was sent' : 'a call is sent only once'));
      return;
    }
    if (this.#isTooLate?.()) {
      this.#fail('too late', undefined);
      controller.abort(new Error('too late to be sent'));
      return;
    }
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > this.#maxBytes) this.#stop('too large');
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const end = this.#received + chunk.length;
    if (end > this.#maxBytes) {
      this.#stop('too large');
      return;
    }
    if (end > this.#body.length) this.#grow(end);
    chunk.copy(this.#body, this.#received);
    this.#received = end;
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafe(Math.max(least, Math.min(this.#body.length * 2, this.#maxBytes)));
    this.#body.copy(larger, 0, 0, this.#received);
    this.#body = larger;
  }

  onResponseEnd(): void {
    // Before the answer is passed on: who reads it has stacks again.
    if (this.#isLast) suspendStacks();
    this.#settle(undefined);
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#status > 0) this.#settle('connection lost');
    else this.#fail('connection', error);
  }

  readonly #abort = (): void => {
    this.#fail('aborted', this.#signal?.reason);
    this.#controller?.abort(new Error('given up by the caller'));
  };

  #stop(broken: BrokenBody): void {
    if (this.#status > 0) this.#settle(broken);
    else this.#fail('deadline', undefined);
    this.#controller?.abort(new Error(broken));
  }

  #settle(broken: BrokenBody | undefined): void {
    if (this.#end()) return;
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      body: this.#body.subarray(0, this.#received),
      broken,
    });
  }

  #fail(reason: NoAnswerError['reason'], cause: unknown): void {
    if (!this.#end()) this.#reject(new NoAnswerError(reason, this.#controller !== undefined, cause));
  }

  /** @returns whether the exchange had already ended. */
  #end(): boolean {
    if (this.#settled) return true;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#abort);
    return false;
  }
}

/** Undici makes an error whose stack nobody sees: a twentieth of the time of a row. Stacks are back in the next microtask. */
function suspendStacks(): void {
  const { stackTraceLimit } = Error;
  if (stackTraceLimit === 0) return;
  Error.stackTraceLimit = 0;
  queueMicrotask(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
}
