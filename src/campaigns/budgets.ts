/** Changes budgets while campaigns run, and sees to it that queues which wait for them take it up at once. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Budget, BudgetBook } from '../queues/budget-book.ts';
import { rateKnownMs } from '../queues/budgets.ts';
import type { Queues } from '../queues/queues.ts';

export interface BudgetTools {
  readonly book: BudgetBook;
  readonly queues: Queues;
}

/**
 * Sets the budget of an operation, for all processes, until it is reset.
 * @param burst calls at once; a second of the rate unless given: with more, a lowered budget would run on for a while as if
 *   nothing had changed, and with less, a raised one would be held to the burst of the lower.
 */
export async function changeBudget(
  { book, queues }: BudgetTools,
  operation: string,
  { perSecond, burst }: { readonly perSecond: number; readonly burst?: number | undefined },
): Promise<Budget> {
  const budget = { perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) };
  await book.change(operation, budget);
  await unpark(queues);
  return budget;
}

/** Lets the settings apply again. @param operation all of them unless given. @returns those that had been changed. */
export async function resetBudgets(
  { book, queues }: BudgetTools,
  operation?: string,
): Promise<readonly string[]> {
  const gone = await book.reset(operation);
  if (gone.length > 0) await unpark(queues);
  return gone;
}

/** Twice: a process that was told the old rate a moment ago may park its queue right after the first time. */
async function unpark(queues: Queues): Promise<void> {
  await queues.unpark();
  await wait(rateKnownMs);
  await queues.unpark();
}
