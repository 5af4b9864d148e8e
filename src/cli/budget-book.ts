/** The budgets of the account that campaigns run under, over the settings of this process. */
import type { Redis } from 'ioredis';
import { BudgetBook } from '../queues/budget-book.ts';
import { defaultAccount } from './account.ts';
import type { LedgerSession } from './ledger-session.ts';

export function openBudgetBook(
  session: LedgerSession,
  redis: Redis = session.redis.connect('budgets'),
): BudgetBook {
  return new BudgetBook({
    redis,
    prefix: session.ledger.keys.prefix,
    account: defaultAccount,
    budgets: session.settings.budgets,
  });
}
