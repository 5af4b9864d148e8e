/**
 * Rate limits: the allowed rate of calls of each operation, shared by all processes through Redis.
 *
 * A call waits here for its permit. Short waits happen in place, in order; a long one is answered with its length, so that the
 * caller can snooze its queue. Tokens are leased in small lots, to save a round trip per call. A lot counts against the burst and
 * expires when it is not used, so the rate holds in every window.
 */
import { defineScript, type RunScript } from '../platform/redis/script.ts';
import { RateLimitBook, type RateLimitBookOptions } from './rate-limit-book.ts';

export type Permission =
  | Pick<Permit, keyof Permit>
  /** The permit would come too late: ask again after `waitMs`, while others still wait in line. */
  | {
      readonly granted: false;
      readonly waitMs: number;
      /** Why Redis could not be asked. */
      readonly error?: unknown;
    };

interface Waiter {
  readonly resolve: (permit: Permission) => void;
  readonly giveUpAt: number;
}

interface WaitQueue {
  leased: number;
  /** Leased calls that were made since the last report to Redis. */
  spent: number;
  /** Permits given back since the last report to Redis, less the tokens that have flown in since they were granted. */
  returned: number;
  /** As `performance.now()`. */
  lapsesAt: number;
  /** How many calls the next lease may have: it follows the pace of this process. */
  ahead: number;
  readonly waiters: Waiter[];
  pumping: boolean;
  /** Calls per second, as last read from Redis. */
  rate: number;
  /** When `rate` was read, as `performance.now()`: a rate limit may change while campaigns run. */
  ratedAt: number;
  /** As last read from Redis: all recent answers were 429. The next other answer must be reported there. */
  throttled: boolean;
}

/** One call may be made with it, until it is over. `using` gives an unused one back to the rate limit. */
class Permit implements Disposable {
  readonly granted = true;
  readonly #queue: WaitQueue;
  readonly #grantedAt = performance.now();
  #isUsed = false;

  constructor(queue: WaitQueue) {
    this.#queue = queue;
  }

  /** Whether it was granted so long ago that its call would leave together with those of later permits. */
  get isOver(): boolean {
    return this.#ageMs >= permitLifeMs;
  }

  get #ageMs(): number {
    return performance.now() - this.#grantedAt;
  }

  use(): void {
    this.#isUsed = true;
  }

  [Symbol.dispose](): void {
    if (this.#isUsed) return;
    this.#isUsed = true;
    this.#queue.spent -= 1;
    // Others may have used what has flown in meanwhile: a rate limit that was full has room for that only because of this permit.
    this.#queue.returned += Math.max(0, 1 - (this.#queue.rate * this.#ageMs) / 1000);
  }
}

interface Throttled {
  /** Milliseconds that the operation pauses, in all processes. */
  readonly pauseMs: number;
  /** Milliseconds for which every answer was 429. */
  readonly forMs: number;
}

/** How long a permit may be used, in milliseconds. So in any window, calls of so much more time may leave, and no more. */
const permitLifeMs = 2000;
/** Calls that one process takes at once, to leave some to the others. */
const mostAtOnce = 32;
/** Calls of the first lease, and of each while they suffice. */
const leastAhead = 20;
/** Redis grants no more than its rate limit has for a tenth of a second. */
const mostAhead = 1000;
/** A person waits for a look-up, so it is given up if Redis refuses permits for this long. Milliseconds. */
const longestRefusalMs = 30_000;
/** A rate is read again after this many milliseconds, because the rate limit may have been changed. */
export const rateKnownMs = 1000;

export class RateLimits extends RateLimitBook {
  readonly #take: RunScript;
  readonly #throttle: RunScript;
  readonly #retry: { readonly base: number; readonly cap: number };
  readonly #waitQueues = new Map<string, WaitQueue>();
  readonly #timers = new Map<NodeJS.Timeout, () => void>();
  #closed = false;

  constructor(
    options: RateLimitBookOptions & {
      /** Pause after a 429 without `Retry-After`, in milliseconds. */
      readonly retry: { readonly base: number; readonly cap: number };
    },
  ) {
    super(options);
    const script = (name: string) =>
      defineScript(options.redis, options.prefix, new URL(`./lua/${name}.lua`, import.meta.url));
    this.#take = script('take-rate-limit');
    this.#throttle = script('throttle-rate-limit');
    this.#retry = options.retry;
  }

  /** Takes a permit that this process has leased, for a call that is made at once. @returns false if there is none, or others wait in line. */
  takeNow(operation: string): boolean {
    const queue = this.#waitQueue(operation);
    if (queue.waiters.length > 0 || queue.leased === 0 || performance.now() >= queue.lapsesAt) return false;
    queue.leased -= 1;
    queue.spent += 1;
    return true;
  }

  /** Waits up to `maxWaitMs` for a permit to call an operation. */
  take(operation: string, maxWaitMs: number): Promise<Permission> {
    const queue = this.#waitQueue(operation);
    if (this.takeNow(operation)) return Promise.resolve(new Permit(queue));
    const expected = (queue.waiters.length / queue.rate) * 1000;
    const isCertain = performance.now() - queue.ratedAt < rateKnownMs;
    if (this.#closed || (isCertain && expected > maxWaitMs)) {
      return Promise.resolve({ granted: false, waitMs: expected / 2 });
    }
    return new Promise((resolve) => {
      queue.waiters.push({ resolve, giveUpAt: performance.now() + maxWaitMs });
      if (!queue.pumping) void this.#pump(operation, queue);
    });
  }

  /** Waits as long as it takes, for look-ups outside of jobs. @throws the error of Redis if it grants no permits for `longestMs` because of one. */
  async waitFor(operation: string, longestMs = longestRefusalMs): Promise<void> {
    let refusedSince: number | undefined;
    for (;;) {
      const permit = await this.take(operation, 10_000);
      if (permit.granted) return;
      refusedSince = permit.error === undefined ? undefined : (refusedSince ?? performance.now());
      if (refusedSince !== undefined && performance.now() - refusedSince >= longestMs) throw permit.error;
      if (this.#closed) throw new Error('rate limits are closed');
      await this.#sleep(Math.max(permit.waitMs, 10));
    }
  }

  /** Reports that the service answered 429. */
  async throttled(operation: string, retryAfterMs: number | undefined): Promise<Throttled> {
    const queue = this.#waitQueue(operation);
    queue.leased = 0;
    queue.throttled = true;
    const { base, cap } = this.#retry;
    const asked = Math.ceil(retryAfterMs ?? 0);
    const args = [operation, asked, base, cap, Math.random()];
    const [pauseMs, forMs] = (await this.#throttle(args)) as [number, number];
    return { pauseMs, forMs };
  }

  /** Reports that the service answered something other than 429. */
  answered(operation: string): void {
    const queue = this.#waitQueue(operation);
    if (!queue.throttled) return;
    queue.throttled = false;
    // Not awaited: if Redis is unavailable, the next answer reports it.
    this.redis.hdel(this.bucketKey(operation), 'since').catch(() => {
      queue.throttled = true;
    });
  }

  /** Turns all waiters away: they ask again. */
  close(): void {
    this.#closed = true;
    for (const [timer, wake] of this.#timers) {
      clearTimeout(timer);
      wake();
    }
    for (const queue of this.#waitQueues.values()) this.#turnAway(queue, 0);
  }

  #waitQueue(operation: string): WaitQueue {
    let queue = this.#waitQueues.get(operation);
    if (!queue) {
      queue = {
        leased: 0,
        spent: 0,
        returned: 0,
        lapsesAt: 0,
        ahead: leastAhead,
        waiters: [],
        pumping: false,
        rate: this.configured(operation).perSecond,
        throttled: false,
        ratedAt: Number.NEGATIVE_INFINITY,
      };
      this.#waitQueues.set(operation, queue);
    }
    return queue;
  }

  async #pump(operation: string, queue: WaitQueue): Promise<void> {
    queue.pumping = true;
    const { perSecond, burst } = this.configured(operation);
    try {
      while (queue.waiters.length > 0 && !this.#closed) {
        const asked = performance.now();
        const wanted = Math.min(mostAtOnce, queue.waiters.length);
        // A lease that ran out before its time was too small.
        const ranOut = queue.leased === 0 && asked < queue.lapsesAt;
        queue.ahead = ranOut ? Math.min(queue.ahead * 2, mostAhead) : Math.max(queue.spent, leastAhead);
        const { spent, ahead, returned } = queue;
        const args = [operation, wanted, perSecond, burst, spent, ahead, returned];
        queue.spent = 0;
        queue.returned = 0;
        const reply = (await this.#take(args)) as [number, number, number, string, string];
        const [count, waitMs, leaseMs, effectiveRate, throttled] = reply;
        queue.rate = Number(effectiveRate);
        queue.ratedAt = performance.now();
        queue.throttled = throttled === '1';
        const served = queue.waiters.splice(0, count);
        for (const waiter of served) waiter.resolve(new Permit(queue));
        queue.leased = count - served.length;
        queue.lapsesAt = asked + leaseMs;
        if (count === 0) {
          this.#turnAway(queue, waitMs);
          if (queue.waiters.length > 0) await this.#sleep(Math.min(waitMs, rateKnownMs));
        }
      }
    } catch (error) {
      // Redis is unavailable: waiters ask again, and meet the failure themselves at their next step.
      this.#turnAway(queue, 1000, error);
    } finally {
      queue.pumping = false;
    }
  }

  /**
   * Turns away waiters whose turn would come after they give up. `waitMs` is the wait of the first in line. They ask again when
   * half of the line has been served, not when their own permit would come: a snoozed queue sends nobody else, and a rate limit that
   * nobody uses saves no more than its burst.
   */
  #turnAway(queue: WaitQueue, waitMs: number, error?: unknown): void {
    const all = this.#closed || error !== undefined;
    const now = performance.now();
    const away: Waiter[] = [];
    const staying: Waiter[] = [];
    queue.waiters.forEach((waiter, index) => {
      const wait = waitMs + (index / queue.rate) * 1000;
      const isInTime = !all && now + wait <= waiter.giveUpAt;
      (isInTime ? staying : away).push(waiter);
    });
    queue.waiters.splice(0, queue.waiters.length, ...staying);
    const comeAgainMs = Math.max(1, waitMs + (staying.length / queue.rate) * 500);
    for (const waiter of away) waiter.resolve({ granted: false, waitMs: comeAgainMs, error });
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms);
      this.#timers.set(timer, resolve);
    });
  }
}
