/** Shows budgets, and changes them while campaigns run. A change reaches waiting queues at once. */
import { setTimeout as wait } from 'node:timers/promises';
import { type BudgetedOperation, operations, referencedOperations } from '../api/contract/operations.ts';
import type { LastChanges } from '../ledger/last-changes.ts';
import { nearest } from '../manifest/headers/edit-distance.ts';
import type { Budget, BudgetBook, BudgetStatus } from '../queues/budget-book.ts';
import { rateKnownMs } from '../queues/budgets.ts';
import type { Queues } from '../queues/queues.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { nameOfAccount } from '../runtime/service/accounts.ts';
import { openBudgetBook } from '../runtime/service/budget-book.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { describeRate } from '../runtime/wording.ts';

const budgetedOperations: readonly BudgetedOperation[] = [
  ...(Object.keys(operations) as (keyof typeof operations)[]),
  ...referencedOperations,
];

export interface AccountBudgets {
  readonly book: BudgetBook;
  readonly queues: Queues;
  readonly changes: LastChanges;
}

/** @throws {UseCaseError} `account_unknown`. */
export function budgetsOfAccount(runtime: Runtime, account: string | undefined): AccountBudgets {
  const { queues, ledger } = runtime;
  return {
    book: openBudgetBook(runtime, nameOfAccount(runtime, account)),
    queues,
    changes: ledger.lastChanges,
  };
}

/** A budget beside that of the settings. */
export interface ShownBudget extends BudgetStatus {
  readonly configured: Budget;
}

/** The budgets of all operations that the settings make possible. */
export async function readUsableBudgets(
  { settings }: Pick<Runtime, 'settings'>,
  { book }: AccountBudgets,
): Promise<readonly ShownBudget[]> {
  const isUsable = (name: BudgetedOperation) => {
    const referenced = referencedOperations.find((each) => each === name);
    return referenced === undefined || settings.api[referenced] !== null;
  };
  const statuses = await book.read(budgetedOperations.filter(isUsable));
  return statuses.map((status) => ({ ...status, configured: book.configured(status.operation) }));
}

/** @param operation default: all. */
export async function readBudgets(
  { book }: AccountBudgets,
  operation?: string,
): Promise<readonly BudgetStatus[]> {
  return book.read(budgetedOperations.filter((name) => operation === undefined || name === operation));
}

/** @throws {UseCaseError} `operation_unknown`, with the nearest name. */
export function requireOperation(name: string): void {
  if (budgetedOperations.some((known) => known === name)) return;
  const byLowerCase = new Map(budgetedOperations.map((known) => [known.toLowerCase(), known]));
  const guess = byLowerCase.get(nearest(name.toLowerCase(), byLowerCase.keys()) ?? '');
  throw new UseCaseError('operation_unknown', `there is no operation "${name}"`, {
    cure: guess ? `Did you mean ${guess}?` : `There are: ${budgetedOperations.join(', ')}`,
  });
}

/**
 * Changes the budget of an operation, for all processes, until it is reset.
 * @param burst calls at once. Default: one second of the rate, because the old burst would delay a lowered rate or limit a
 *   raised one.
 * @param by who changes it.
 */
export async function changeBudget(
  { book, queues, changes }: AccountBudgets,
  operation: string,
  { perSecond, burst }: { readonly perSecond: number; readonly burst?: number | undefined },
  by: string,
): Promise<Budget> {
  const budget = { perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) };
  const before = await book.current(operation);
  await book.change(operation, budget);
  await changes.record(changeOf(book, operation, { by, from: before, to: budget }));
  await unpark(queues);
  return budget;
}

/**
 * Resets budgets to those of the settings.
 * @param by who resets them. @param operation default: all. @returns the operations whose budget had been changed.
 */
export async function resetBudgets(
  { book, queues, changes }: AccountBudgets,
  by: string,
  operation?: string,
): Promise<readonly string[]> {
  const before = await book.changed();
  const gone = await book.reset(operation);
  for (const name of gone) {
    const { rate = 0, per = 1000, burst = 1 } = before[name] ?? {};
    const from = { perSecond: (rate * 1000) / per, burst };
    await changes.record(changeOf(book, name, { by, from, to: book.configured(name) }));
  }
  if (gone.length > 0) await unpark(queues);
  return gone;
}

function changeOf(
  { account }: BudgetBook,
  operation: string,
  { by, from, to }: { readonly by: string; readonly from: Budget; readonly to: Budget },
): Parameters<LastChanges['record']>[0] {
  return {
    subject: { kind: 'budget', account, operation },
    by,
    from: describeRate(from.perSecond),
    to: describeRate(to.perSecond),
    why: '',
  };
}

/** Unparks twice: a process that has just read the old rate may park its queue after the first time. */
async function unpark(queues: Queues): Promise<void> {
  await queues.unpark();
  await wait(rateKnownMs);
  await queues.unpark();
}
