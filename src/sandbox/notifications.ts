/** Receives notifications, such as the runner's, and checks their signatures as Standard Webhooks 1.0 describe. */
import { createHmac } from 'node:crypto';
import { jsonOrText, Waiters } from './record.ts';

/** A notification that a sandbox received. */
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

const mostKept = 1000;

/** Notifications that a sandbox received. */
export class Notifications {
  readonly #key: Buffer | undefined;
  readonly #now: () => number;
  readonly #waiters = new Waiters();
  #kept: Notification[] = [];
  #count = 0;

  /** @param secret base64, with or without `whsec_` before it. */
  constructor(secret: string | undefined, now: () => number) {
    const key = secret?.trim().replace(/^whsec_/, '');
    this.#key = key === undefined ? undefined : Buffer.from(key, 'base64');
    this.#now = now;
  }

  /**
   * @param header gives a header by its name.
   * @returns what a receiver answers: 200, or 401 for a wrong or missing signature.
   */
  receive(header: (name: string) => string | undefined, text: string): 200 | 401 {
    const id = header('webhook-id');
    const timestamp = header('webhook-timestamp');
    const signature = this.#check(`${id}.${timestamp}.${text}`, header('webhook-signature'));
    this.#count += 1;
    this.#kept.push({
      number: this.#count,
      at: this.#now(),
      id,
      timestamp,
      signature,
      body: jsonOrText(text),
    });
    if (this.#kept.length > mostKept * 2) this.#kept = this.#kept.slice(-mostKept);
    this.#waiters.wake();
    return signature === 'valid' || signature === 'unchecked' ? 200 : 401;
  }

  /** The latest, in order of arrival. */
  list(): Notification[] {
    return this.#kept.slice(-mostKept);
  }

  /** Resolves when that many have arrived since the start or the last reset. */
  whenReceived(count = 1): Promise<void> {
    return this.#waiters.until(() => this.#count >= count);
  }

  reset(): void {
    this.#kept = [];
    this.#count = 0;
  }

  #check(signed: string, signatures: string | undefined): Notification['signature'] {
    if (!this.#key) return 'unchecked';
    if (signatures === undefined) return 'missing';
    const valid = `v1,${createHmac('sha256', this.#key).update(signed).digest('base64')}`;
    return signatures.split(' ').includes(valid) ? 'valid' : 'invalid';
  }
}
