/**
 * Budgets of an account: shown to people, and changed while campaigns run. A change overrides the settings in every process,
 * from its next call on, until it is reset.
 */
import type { Redis } from 'ioredis';
import { budgetKey, changedBudgetsKey } from './budget-keys.ts';
import { type BudgetRate, type BudgetRates, budgetOf } from './budgets.ts';

/** Calls per second, and calls at once. */
export interface Budget {
  readonly perSecond: number;
  readonly burst: number;
}

export interface BudgetStatus {
  readonly operation: string;
  /** The changed budget, else that of the settings. */
  readonly budget: Budget;
  readonly isChanged: boolean;
  /** Share of the budget that is left after a 429, 1/16 to 1. It recovers. */
  readonly share: number;
  /** Milliseconds until a pause after a 429 is over; 0 for none. */
  readonly pausedMs: number;
  /** Milliseconds until the next call may begin; 0 for at once. */
  readonly waitMs: number;
  /** Milliseconds for which every answer was 429; undefined when the last one was not. */
  readonly throttledForMs: number | undefined;
  /** Milliseconds since a call last had to wait for its turn; undefined when none had to recently. */
  readonly shortMsAgo: number | undefined;
}

/** A lost share recovers within a minute after the pause (`take-budget.lua`). */
const recoveryMs = 60_000;

export class BudgetBook {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly account: string;
  readonly #budgets: BudgetRates;

  constructor(options: {
    readonly redis: Redis;
    readonly prefix: string;
    readonly account: string;
    /** Those of the settings. */
    readonly budgets: BudgetRates;
  }) {
    this.#redis = options.redis;
    this.#prefix = options.prefix;
    this.account = options.account;
    this.#budgets = options.budgets;
  }

  /** Status of the budgets of these operations, in their order. */
  async read(operations: readonly string[]): Promise<readonly BudgetStatus[]> {
    const keys = operations.map((operation) => budgetKey(this.#prefix, this.account, operation));
    const [changed, [seconds, micros], buckets] = await Promise.all([
      this.#redis.hgetall(changedBudgetsKey(this.#prefix, this.account)),
      this.#redis.time(),
      Promise.all(keys.map((key) => this.#redis.hgetall(key))),
    ]);
    const now = Number(seconds) * 1000 + Number(micros) / 1000;
    return operations.map((operation, index) => {
      const override = parseBudget(changed[operation]);
      const budget = override ?? this.configured(operation);
      return {
        operation,
        budget,
        isChanged: override !== undefined,
        ...readBucket(buckets[index] ?? {}, budget, now),
      };
    });
  }

  /** Budgets that override the settings at present, by operation. */
  async changed(): Promise<Readonly<Record<string, BudgetRate>>> {
    const held = await this.#redis.hgetall(changedBudgetsKey(this.#prefix, this.account));
    const rates: Record<string, BudgetRate> = {};
    for (const [operation, text] of Object.entries(held)) {
      const budget = parseBudget(text);
      if (budget) rates[operation] = { rate: budget.perSecond, per: 1000, burst: budget.burst };
    }
    return rates;
  }

  /** The budget of the settings. */
  configured(operation: string): Budget {
    const { rate, per, burst } = budgetOf(this.#budgets, operation);
    return { perSecond: (rate * 1000) / per, burst };
  }

  /** Changes a budget, for all processes. */
  async change(operation: string, { perSecond, burst }: Budget): Promise<void> {
    const key = changedBudgetsKey(this.#prefix, this.account);
    await this.#redis.hset(key, operation, `${perSecond} ${burst}`);
  }

  /** Returns to the settings. @param operation all unless given. @returns the operations whose budget had been changed. */
  async reset(operation?: string): Promise<readonly string[]> {
    const key = changedBudgetsKey(this.#prefix, this.account);
    const changed = await this.#redis.hkeys(key);
    const gone = operation === undefined ? changed : changed.filter((name) => name === operation);
    if (gone.length > 0) await this.#redis.hdel(key, ...gone);
    return gone;
  }
}

function parseBudget(text: string | undefined): Budget | undefined {
  const [perSecond, burst] = (text ?? '').split(' ').map(Number);
  return perSecond && burst ? { perSecond, burst } : undefined;
}

function readBucket(
  held: Readonly<Record<string, string>>,
  { perSecond, burst }: Budget,
  now: number,
): Omit<BudgetStatus, 'operation' | 'budget' | 'isChanged'> {
  const pausedUntil = Number(held.until ?? 0);
  const pausedMs = Math.max(0, Math.ceil(pausedUntil - now));
  const share = Math.min(1, Number(held.share ?? 1) + Math.max(0, now - pausedUntil) / recoveryMs);
  const perMs = (perSecond * share) / 1000;
  const tokens = Number(held.tokens ?? burst) + Math.max(0, now - Number(held.at ?? now)) * perMs;
  return {
    share,
    pausedMs,
    waitMs: Math.max(pausedMs, Math.ceil((1 - tokens) / perMs), 0),
    throttledForMs: held.since === undefined ? undefined : Math.max(0, now - Number(held.since)),
    shortMsAgo: held.short === undefined ? undefined : Math.max(0, now - Number(held.short)),
  };
}
