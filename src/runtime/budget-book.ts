/** The budgets of an account: changes in Redis over the settings of this process. */
import type { Redis } from 'ioredis';
import { BudgetBook } from '../queues/budget-book.ts';
import { budgetsOf } from './accounts.ts';
import type { Runtime } from './runtime.ts';

export function openBudgetBook(
  runtime: Pick<Runtime, 'redis' | 'ledger' | 'settings'>,
  account: string,
  redis: Redis = runtime.redis.connect('budgets'),
): BudgetBook {
  return new BudgetBook({
    redis,
    prefix: runtime.ledger.keys.prefix,
    account,
    budgets: budgetsOf(runtime.settings, account),
  });
}
