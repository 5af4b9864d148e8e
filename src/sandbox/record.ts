/** Records every call, cheaply enough for heavy load, and wakes tests that wait for calls. */

import type { SandboxOperation } from './description/operations.ts';
import type { Fault } from './faults/schema.ts';
import { Waiters } from './waiters.ts';

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
export interface OpenCall extends Omit<Call, 'body' | 'status' | 'faults' | 'operation'> {
  operation: Call['operation'];
  text: string;
  status: number | undefined;
  faults: readonly Fault['kind'][];
}

export class CallRecord {
  readonly #keep: number;
  #calls: OpenCall[] = [];
  #counts = new Map<Call['operation'], number>();
  readonly #waiters = new Waiters((operation: Call['operation']) => this.count(operation));
  #last: number;

  /**
   * @param keep calls to keep at least; the oldest go first. Counts cover all calls.
   * @param last the number of the last call before this record.
   */
  constructor(keep: number, last: number) {
    this.#keep = keep;
    this.#last = last;
  }

  open(operation: Call['operation'], method: string, target: string, at: number, withKey: boolean): OpenCall {
    this.#last += 1;
    const call: OpenCall = {
      number: this.#last,
      operation,
      method,
      target,
      at,
      withKey,
      text: '',
      status: undefined,
      faults: [],
    };
    this.#calls.push(call);
    if (this.#calls.length > this.#keep * 2) this.#calls = this.#calls.slice(-this.#keep);
    this.#counts.set(operation, this.count(operation) + 1);
    this.#waiters.wake();
    return call;
  }

  count(operation: Call['operation']): number {
    return this.#counts.get(operation) ?? 0;
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  list(operation?: Call['operation']): Call[] {
    const chosen = operation ? this.#calls.filter((call) => call.operation === operation) : this.#calls;
    return chosen.map(({ text, ...call }) => ({ ...call, body: readBody(text) }));
  }

  /** Resolves when the operation was called that often since the start or the last reset. */
  whenCalled(operation: Call['operation'], count = 1): Promise<void> {
    return this.#waiters.until(operation, count);
  }

  reset(): void {
    this.#calls = [];
    this.#counts.clear();
  }
}

function readBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
