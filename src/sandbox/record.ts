/** Records every call, cheaply enough for heavy load, and wakes tests that wait for calls. */
import type { IncomingMessage } from 'node:http';
import type { SandboxOperation } from './description/operations.ts';
import type { Fault } from './faults/schema.ts';

/** One call as shown. The API key itself is never kept. */
export interface Call {
  /** Counts up over all operations, in order of arrival. Effects refer to it. */
  readonly number: number;
  /** `unknown`: a path without an operation. `decoy`: the target of a redirect fault. */
  readonly operation: SandboxOperation | 'unknown' | 'decoy';
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Unix epoch, milliseconds, by the sandbox's clock. */
  readonly at: number;
  /** Whether the call had an `x-api-key` header. */
  readonly withKey: boolean;
  /** The parsed JSON body; its text when it is not JSON; undefined without a body (the bytes of a PUT are not kept). */
  readonly body: unknown;
  /** HTTP status of the answer; undefined before the answer, and when a fault broke the connection instead. */
  readonly status: number | undefined;
  readonly faults: readonly Fault['kind'][];
}

/** A call in progress. */
export interface OpenCall extends Omit<Call, 'body' | 'status' | 'faults'> {
  text: string;
  status: number | undefined;
  faults: readonly Fault[];
}

export class CallRecord {
  readonly #keep: number;
  #calls: OpenCall[] = [];
  readonly #counts = new Map<Call['operation'], number>();
  readonly #waiters = new Waiters();
  #last: number;

  /**
   * @param keep calls to keep at least; the oldest go first. Counts cover all calls.
   * @param last the number of the last call before this record.
   */
  constructor(keep: number, last: number) {
    this.#keep = keep;
    this.#last = last;
  }

  open(operation: Call['operation'], request: IncomingMessage, at: number): OpenCall {
    this.#last += 1;
    const { method = 'GET', url: target = '/', headers } = request;
    const withKey = headers['x-api-key'] !== undefined;
    const opened = { number: this.#last, operation, method, target, at, withKey };
    const call: OpenCall = { ...opened, text: '', status: undefined, faults: [] };
    this.#calls.push(call);
    if (this.#calls.length > this.#keep * 2) this.#calls = this.#calls.slice(-this.#keep);
    this.#counts.set(operation, this.#count(operation) + 1);
    this.#waiters.wake();
    return call;
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  list(operation?: Call['operation']): Call[] {
    const chosen = operation ? this.#calls.filter((call) => call.operation === operation) : this.#calls;
    return chosen.map(({ text, ...call }) => {
      const faults = call.faults.map(({ kind }) => kind);
      return { ...call, faults, body: text === '' ? undefined : jsonOrText(text) };
    });
  }

  /** Resolves when the operation was called that often since the start or the last reset. */
  whenCalled(operation: Call['operation'], count = 1): Promise<void> {
    return this.#waiters.until(() => this.#count(operation) >= count);
  }

  reset(): void {
    this.#calls = [];
    this.#counts.clear();
  }

  #count(operation: Call['operation']): number {
    return this.#counts.get(operation) ?? 0;
  }
}

/** The value of a JSON text, else the text. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Promises that resolve once a condition holds. */
export class Waiters {
  #waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];

  until(holds: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ holds, resolve });
    this.wake();
    return promise;
  }

  /** Checks all conditions again, after a change. */
  wake(): void {
    const met = this.#waiting.filter(({ holds }) => holds());
    if (met.length === 0) return;
    this.#waiting = this.#waiting.filter((waiter) => !met.includes(waiter));
    for (const { resolve } of met) resolve();
  }
}
