/**
 * Budgets: the rate that each operation may be called at, shared by all processes through Redis.
 *
 * A call waits here for its turn. A short wait is waited in place, in order; a long one is told instead, so that the caller
 * can park its queue. Tokens are leased in small lots, because a round trip per call would cost more than the call is worth;
 * a lot is counted against the burst and lapses when it is not used, so the rate holds in every window.
 */
import type { Redis } from 'ioredis';
import { defineScript, type RunScript } from '../redis/script.ts';
import { budgetKey } from './budget-keys.ts';

/** `rate` calls per `per` milliseconds, and `burst` at once. */
export interface BudgetRate {
  readonly rate: number;
  readonly per: number;
  readonly burst: number;
}

export type Turn =
  | { readonly granted: true }
  /** The turn would come too late to be waited for: come again after `waitMs`, while the line is not empty yet. */
  | { readonly granted: false; readonly waitMs: number };

interface Waiter {
  readonly resolve: (turn: Turn) => void;
  readonly giveUpAt: number;
}

interface WaitQueue {
  leased: number;
  /** Of `performance.now()`. */
  lapsesAt: number;
  readonly waiters: Waiter[];
  pumping: boolean;
  /** Calls a second, as Redis told it last. */
  rate: number;
  /** When it was told, of `performance.now()`: a budget may be changed while it runs. */
  ratedAt: number;
  /** Nothing but 429 came back last, as Redis told it: another answer has to be told there. */
  throttled: boolean;
}

/** What a 429 comes to. */
export interface Throttled {
  /** Milliseconds that the operation pauses, for everybody. */
  readonly pauseMs: number;
  /** Milliseconds for which nothing but 429 has come back. */
  readonly forMs: number;
}

const granted: Turn = { granted: true };
/** Calls asked for by one process at once: the others want some, too. */
const mostAtOnce = 32;
/** A rate is asked for anew after so many milliseconds, also by those in line: the budget may have been changed. */
export const rateKnownMs = 1000;

export class Budgets {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #take: RunScript;
  readonly #throttle: RunScript;
  readonly #account: string;
  readonly #budgets: Readonly<Record<string, BudgetRate | undefined>>;
  readonly #retry: { readonly base: number; readonly cap: number };
  readonly #waitQueues = new Map<string, WaitQueue>();
  readonly #timers = new Map<NodeJS.Timeout, () => void>();
  #closed = false;

  constructor(options: {
    readonly redis: Redis;
    readonly prefix: string;
    readonly account: string;
    /** By operation; `default` for the others. */
    readonly budgets: Readonly<Record<string, BudgetRate | undefined>>;
    /** Pause after a 429 that does not say how long, in milliseconds. */
    readonly retry: { readonly base: number; readonly cap: number };
  }) {
    const script = (name: string) =>
      defineScript(options.redis, options.prefix, new URL(`./lua/${name}.lua`, import.meta.url));
    this.#redis = options.redis;
    this.#prefix = options.prefix;
    this.#take = script('take-budget');
    this.#throttle = script('throttle-budget');
    this.#account = options.account;
    this.#budgets = options.budgets;
    this.#retry = options.retry;
  }

  /** The configured budget of an operation. */
  budgetOf(operation: string): BudgetRate {
    const budget = this.#budgets[operation] ?? this.#budgets.default;
    if (!budget) throw new TypeError('budgets need a default');
    return budget;
  }

  /** Waits for a turn to call an operation, up to `maxWaitMs`; the turn has to be used at once. */
  take(operation: string, maxWaitMs: number): Promise<Turn> {
    const queue = this.#waitQueue(operation);
    if (queue.waiters.length === 0 && this.#spend(queue)) return Promise.resolve(granted);
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

  /** Waits as long as it takes: for look-ups outside of jobs. */
  async waitFor(operation: string): Promise<void> {
    for (;;) {
      const turn = await this.take(operation, 10_000);
      if (turn.granted) return;
      if (this.#closed) throw new Error('budgets are closed');
      await this.#sleep(Math.max(turn.waitMs, 10));
    }
  }

  /** Tells that the service answered 429. */
  async throttled(operation: string, retryAfterMs: number | undefined): Promise<Throttled> {
    const queue = this.#waitQueue(operation);
    queue.leased = 0;
    queue.throttled = true;
    const { base, cap } = this.#retry;
    const asked = Math.ceil(retryAfterMs ?? 0);
    const args = [this.#account, operation, asked, base, cap, Math.random()];
    const [pauseMs, forMs] = (await this.#throttle(args)) as [number, number];
    return { pauseMs, forMs };
  }

  /** Tells that the service answered something else than 429. */
  answered(operation: string): void {
    const queue = this.#waitQueue(operation);
    if (!queue.throttled) return;
    queue.throttled = false;
    // Not waited for: where Redis is away, the next answer tells it.
    this.#redis.hdel(budgetKey(this.#prefix, this.#account, operation), 'since').catch(() => {
      queue.throttled = true;
    });
  }

  /** Lets nobody wait any longer: those in line are told to come again. */
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
      const { rate, per } = this.budgetOf(operation);
      queue = {
        leased: 0,
        lapsesAt: 0,
        waiters: [],
        pumping: false,
        rate: (rate * 1000) / per,
        throttled: false,
        ratedAt: Number.NEGATIVE_INFINITY,
      };
      this.#waitQueues.set(operation, queue);
    }
    return queue;
  }

  #spend(queue: WaitQueue): boolean {
    if (queue.leased === 0 || performance.now() >= queue.lapsesAt) return false;
    queue.leased -= 1;
    return true;
  }

  async #pump(operation: string, queue: WaitQueue): Promise<void> {
    queue.pumping = true;
    const { rate, per, burst } = this.budgetOf(operation);
    try {
      while (queue.waiters.length > 0 && !this.#closed) {
        const asked = performance.now();
        const wanted = Math.min(mostAtOnce, queue.waiters.length);
        const args = [this.#account, operation, wanted, (rate * 1000) / per, burst];
        const reply = (await this.#take(args)) as [number, number, number, string, string];
        const [count, waitMs, leaseMs, effectiveRate, throttled] = reply;
        queue.rate = Number(effectiveRate);
        queue.ratedAt = performance.now();
        queue.throttled = throttled === '1';
        const served = queue.waiters.splice(0, count);
        for (const waiter of served) waiter.resolve(granted);
        queue.leased = count - served.length;
        queue.lapsesAt = asked + leaseMs;
        if (count === 0) {
          this.#turnAway(queue, waitMs);
          if (queue.waiters.length > 0) await this.#sleep(Math.min(waitMs, rateKnownMs));
        }
      }
    } catch {
      // Redis is out of reach: those in line come again, and meet it themselves at their next step.
      this.#turnAway(queue, 1000, true);
    } finally {
      queue.pumping = false;
    }
  }

  /**
   * Sends away who cannot be served before they give up, `waitMs` being the wait of the first in line. They come again when
   * half of the line has been served, not when their own turn would be: a queue that they park lets nobody else in line, and
   * a budget that nobody asks saves no more than its burst.
   */
  #turnAway(queue: WaitQueue, waitMs: number, all = this.#closed): void {
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
    for (const waiter of away) waiter.resolve({ granted: false, waitMs: comeAgainMs });
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
