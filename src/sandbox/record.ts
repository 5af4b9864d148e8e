/** What a sandbox notes of calls and notifications, cheaply enough for heavy load, and tests that wait for them. */
import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
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

export interface OpenCall extends Omit<Call, 'body' | 'status' | 'faults'> {
  text: string;
  status: number | undefined;
  faults: readonly Fault[];
}

/** The latest of many; older ones are forgotten. */
class Latest<T> {
  readonly #most: number;
  #items: T[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  add(item: T): void {
    this.#items.push(item);
    // Not at each addition: a cut copies all.
    if (this.#items.length > this.#most * 2) this.#items = this.#items.slice(-this.#most);
  }

  clear(): void {
    this.#items = [];
  }
}

export class CallRecord {
  readonly #calls: Latest<OpenCall>;
  readonly #counts = new Map<Call['operation'], number>();
  readonly #changes = new Changes();
  #last: number;

  /** @param keep calls at least; the oldest go first. Counts cover all. @param last number of the last call before this record. */
  constructor(keep: number, last: number) {
    this.#calls = new Latest(keep);
    this.#last = last;
  }

  open(operation: Call['operation'], request: IncomingMessage, at: number): OpenCall {
    this.#last += 1;
    const { method = 'GET', url: target = '/', headers } = request;
    const withKey = headers['x-api-key'] !== undefined;
    const opened = { number: this.#last, operation, method, target, at, withKey };
    const call: OpenCall = { ...opened, text: '', status: undefined, faults: [] };
    this.#calls.add(call);
    this.#counts.set(operation, this.#count(operation) + 1);
    this.#changes.emit('change');
    return call;
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  list(operation?: Call['operation']): Call[] {
    const { items } = this.#calls;
    const chosen = operation ? items.filter((call) => call.operation === operation) : items;
    return chosen.map(({ text, ...call }) => {
      const faults = call.faults.map(({ kind }) => kind);
      return { ...call, faults, body: text === '' ? undefined : jsonOrText(text) };
    });
  }

  /** Resolves when the operation was called that often since the start or the last reset. */
  whenCalled(operation: Call['operation'], count = 1): Promise<void> {
    return this.#changes.until(() => this.#count(operation) >= count);
  }

  reset(): void {
    this.#calls.clear();
    this.#counts.clear();
  }

  #count(operation: Call['operation']): number {
    return this.#counts.get(operation) ?? 0;
  }
}

export interface Notification {
  /** In order of arrival, from 1. */
  readonly number: number;
  /** Unix epoch, milliseconds, by the sandbox's clock. */
  readonly at: number;
  /** `webhook-id`: the same over all attempts to deliver a message. */
  readonly id: string | undefined;
  /** `webhook-timestamp`: seconds. */
  readonly timestamp: string | undefined;
  /** `unchecked`: the sandbox was given no secret. */
  readonly signature: 'valid' | 'invalid' | 'missing' | 'unchecked';
  /** The parsed JSON body; its text when it is not JSON. */
  readonly body: unknown;
}

const mostNotifications = 1000;

/** Notifications that a sandbox received. Their signatures are checked as Standard Webhooks 1.0 describe. */
export class Notifications {
  readonly #key: Buffer | undefined;
  readonly #now: () => number;
  readonly #changes = new Changes();
  readonly #kept = new Latest<Notification>(mostNotifications);
  #count = 0;

  /** @param secret base64, with or without `whsec_` before it. */
  constructor(secret: string | undefined, now: () => number) {
    const key = secret?.trim().replace(/^whsec_/, '');
    this.#key = key === undefined ? undefined : Buffer.from(key, 'base64');
    this.#now = now;
  }

  /** @returns what a receiver answers: 200, or 401 for a wrong or missing signature. */
  receive(header: (name: string) => string | undefined, text: string): 200 | 401 {
    const id = header('webhook-id');
    const timestamp = header('webhook-timestamp');
    const signature = this.#check(`${id}.${timestamp}.${text}`, header('webhook-signature'));
    this.#count += 1;
    const body = jsonOrText(text);
    this.#kept.add({ number: this.#count, at: this.#now(), id, timestamp, signature, body });
    this.#changes.emit('change');
    return signature === 'valid' || signature === 'unchecked' ? 200 : 401;
  }

  /** The latest, in order of arrival. */
  list(): Notification[] {
    return this.#kept.items.slice(-mostNotifications);
  }

  /** Resolves when that many have arrived since the start or the last reset. */
  whenReceived(count = 1): Promise<void> {
    return this.#changes.until(() => this.#count >= count);
  }

  reset(): void {
    this.#kept.clear();
    this.#count = 0;
  }

  #check(signed: string, signatures: string | undefined): Notification['signature'] {
    if (!this.#key) return 'unchecked';
    if (signatures === undefined) return 'missing';
    const valid = `v1,${createHmac('sha256', this.#key).update(signed).digest('base64')}`;
    return signatures.split(' ').includes(valid) ? 'valid' : 'invalid';
  }
}

/** Calls that a `hold` fault keeps waiting until they are released. */
export class Holds {
  readonly #held = new Map<() => void, SandboxOperation>();
  readonly #changes = new Changes();

  /** Until it is released or the sandbox closes. A caller that goes away changes nothing: the effect comes late. */
  hold(operation: SandboxOperation, closing: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const letGo = () => {
      this.#held.delete(letGo);
      resolve();
    };
    this.#held.set(letGo, operation);
    closing.addEventListener('abort', letGo, { once: true });
    if (closing.aborted) letGo();
    this.#changes.emit('change');
    return promise;
  }

  /** Releases the calls of one operation, or all. @returns how many. */
  release(operation?: SandboxOperation): number {
    const held = this.#of(operation);
    for (const [letGo] of held) letGo();
    return held.length;
  }

  count(operation?: SandboxOperation): number {
    return this.#of(operation).length;
  }

  /** Resolves when that many calls are held at once. */
  whenHeld(operation?: SandboxOperation, count = 1): Promise<void> {
    return this.#changes.until(() => this.count(operation) >= count);
  }

  #of(operation?: SandboxOperation) {
    return [...this.#held].filter(([, held]) => operation === undefined || held === operation);
  }
}

export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

class Changes extends EventEmitter<{ change: [] }> {
  constructor() {
    super();
    this.setMaxListeners(0);
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this, 'change');
  }
}
