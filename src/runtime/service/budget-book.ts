/** The budgets of an account: changes in Redis over the settings of this process. */
import type { Redis } from 'ioredis';
import { BudgetBook } from '../../queues/budget-book.ts';
import type { Runtime } from '../runtime.ts';
import { budgetsOf } from './accounts.ts';

/** One connection a process, however often a page asks. */
const connections = new WeakMap<Connecting, Redis>();

type Connecting = Pick<Runtime['redis'], 'connect'>;

export function openBudgetBook(
  runtime: Pick<Runtime, 'ledger' | 'settings'> & { readonly redis: Connecting },
  account: string,
  redis: Redis = sharedConnection(runtime.redis),
): BudgetBook {
  return new BudgetBook({
    redis,
    prefix: runtime.ledger.keys.prefix,
    account,
    budgets: budgetsOf(runtime.settings, account),
  });
}

function sharedConnection(server: Connecting): Redis {
  const open = connections.get(server) ?? server.connect('budgets');
  connections.set(server, open);
  return open;
}
