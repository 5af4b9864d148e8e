/** Budgets of one account: those of the settings, and their keys in Redis. The scripts in `lua/` use the same keys. */
import type { Redis } from 'ioredis';

/** `rate` calls per `per` milliseconds, and `burst` at once. */
export interface BudgetRate {
  readonly rate: number;
  readonly per: number;
  readonly burst: number;
}

/** By operation; `default` for the others. */
export type BudgetRates = Readonly<Record<string, BudgetRate | undefined>>;

/** Calls per second, and calls at once. */
export interface Budget {
  readonly perSecond: number;
  readonly burst: number;
}

/** Hash: tokens of a budget, and its pause and share after a 429. */
export function budgetKey(prefix: string, account: string, operation: string): string {
  return `${prefix}:a:${account}:budget:${operation}`;
}

export interface ConfiguredBudgetsOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly account: string;
  /** Those of the settings. */
  readonly budgets: BudgetRates;
}

export abstract class ConfiguredBudgets {
  readonly account: string;
  protected readonly redis: Redis;
  /** Hash: operation to its changed budget, as `rate burst` (calls per second, calls at once). */
  protected readonly changedKey: string;
  /** Hash: operation to the JSON of its last pauses after a 429. */
  protected readonly holdsKey: string;
  readonly #prefix: string;
  readonly #budgets: BudgetRates;

  constructor({ redis, prefix, account, budgets }: ConfiguredBudgetsOptions) {
    this.redis = redis;
    this.account = account;
    this.changedKey = `${prefix}:a:${account}:budgets`;
    this.holdsKey = `${prefix}:a:${account}:holds`;
    this.#prefix = prefix;
    this.#budgets = budgets;
  }

  protected bucketKey(operation: string): string {
    return budgetKey(this.#prefix, this.account, operation);
  }

  /** The budget of the settings. */
  configured(operation: string): Budget {
    const budget = this.#budgets[operation] ?? this.#budgets.default;
    if (!budget) throw new TypeError('budgets need a default');
    return { perSecond: (budget.rate * 1000) / budget.per, burst: budget.burst };
  }
}
