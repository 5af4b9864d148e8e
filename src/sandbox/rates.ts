/** Optional rate limits: one token bucket per operation (contract, section 7: 429 when requests are too frequent). */

import type { Clock } from './clocks/clock.ts';
import type { ApiOperationId } from './description/operations.ts';
import { Refusal } from './http/answer.ts';

/** Calls per second by operation; `default` applies to all others. No limit where neither is given. */
export type Rates = Readonly<Partial<Record<ApiOperationId | 'default', number>>>;

interface Bucket {
  tokens: number;
  filledAt: number;
}

export class RateLimits {
  readonly #rates: Rates;
  readonly #clock: Clock;
  readonly #buckets = new Map<ApiOperationId, Bucket>();

  constructor(rates: Rates, clock: Clock) {
    this.#rates = rates;
    this.#clock = clock;
  }

  /** Takes one call from the operation's bucket, which holds the calls of one second. @throws {Refusal} 429 when it is empty. */
  take(operation: ApiOperationId): void {
    const rate = this.#rates[operation] ?? this.#rates.default;
    if (rate === undefined) return;
    const now = this.#clock.now();
    const capacity = Math.max(1, rate);
    const bucket = this.#buckets.get(operation) ?? { tokens: capacity, filledAt: now };
    const filled = Math.min(capacity, bucket.tokens + ((now - bucket.filledAt) * rate) / 1000);
    this.#buckets.set(operation, { tokens: filled >= 1 ? filled - 1 : filled, filledAt: now });
    if (filled >= 1) return;
    const seconds = Math.max(1, Math.ceil((1 - filled) / rate));
    throw new Refusal(429, 'too many requests', undefined, { 'retry-after': String(seconds) });
  }
}
