/** The budgets of an account, over the settings of this process. */
import type { Redis } from 'ioredis';
import { BudgetBook } from '../queues/budget-book.ts';
import { budgetsOf } from './accounts.ts';
import type { LedgerSession } from './runtime.ts';

export function openBudgetBook(
  session: LedgerSession,
  account: string,
  redis: Redis = session.redis.connect('budgets'),
): BudgetBook {
  return new BudgetBook({
    redis,
    prefix: session.ledger.keys.prefix,
    account,
    budgets: budgetsOf(session.settings, account),
  });
}
