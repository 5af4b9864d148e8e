/** Shows budgets, and changes them while campaigns run. A change reaches waiting queues at once. */
import { setTimeout as wait } from 'node:timers/promises';
import { type BudgetedOperation, operations, referencedOperations } from '../api/contract/operations.ts';
import type { LastChanges } from '../ledger/last-changes.ts';
import { nearest } from '../manifest/headers/edit-distance.ts';
import type { Budget, BudgetBook, BudgetStatus } from '../queues/budget-book.ts';
import { rateKnownMs } from '../queues/budgets.ts';
import type { Queues } from '../queues/queues.ts';
import { systemUser } from '../runtime/machine.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { nameOfAccount } from '../runtime/service/accounts.ts';
import { openBudgetBook } from '../runtime/service/budget-book.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { describeRate } from '../runtime/wording.ts';

const budgetedOperations: readonly BudgetedOperation[] = [
  ...(Object.keys(operations) as (keyof typeof operations)[]),
  ...referencedOperations,
];

/** The parts of a `Runtime` that use cases about budgets need. */
export type BudgetRuntime = Pick<Runtime, 'environment' | 'settings' | 'ledger' | 'queues'> & {
  readonly redis: Pick<Runtime['redis'], 'connect'>;
};

/** Whose budgets are meant. */
export interface BudgetsOfAccount {
  /** Account of the service; the one of the environment unless given. */
  readonly account?: string | undefined;
}

/** @throws {UseCaseError} `account_unknown`. */
function bookOf(runtime: BudgetRuntime, { account }: BudgetsOfAccount): BudgetBook {
  return openBudgetBook(runtime, nameOfAccount(runtime, account));
}

/** A budget beside that of the settings. */
export interface ShownBudget extends BudgetStatus {
  readonly configured: Budget;
}

/** The budgets of all operations that the settings make possible. @throws {UseCaseError} `account_unknown`. */
export async function readUsableBudgets(
  runtime: BudgetRuntime,
  options: BudgetsOfAccount = {},
): Promise<readonly ShownBudget[]> {
  const isUsable = (name: BudgetedOperation) => {
    const referenced = referencedOperations.find((each) => each === name);
    return referenced === undefined || runtime.settings.api[referenced] !== null;
  };
  return readShown(bookOf(runtime, options), budgetedOperations.filter(isUsable));
}

/** The budgets of all operations, or of one. @throws {UseCaseError} `account_unknown`. */
export async function readBudgets(
  runtime: BudgetRuntime,
  { operation, ...options }: BudgetsOfAccount & { readonly operation?: string | undefined } = {},
): Promise<readonly ShownBudget[]> {
  const wanted = budgetedOperations.filter((name) => operation === undefined || name === operation);
  return readShown(bookOf(runtime, options), wanted);
}

async function readShown(
  book: BudgetBook,
  operations: readonly BudgetedOperation[],
): Promise<readonly ShownBudget[]> {
  const statuses = await book.read(operations);
  return statuses.map((status) => ({ ...status, configured: book.configured(status.operation) }));
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

/** Who changes budgets. */
export interface BudgetChangeOptions extends BudgetsOfAccount {
  /** Name of the person, as pages show it; default: the user of this process. */
  readonly by?: string | undefined;
}

/** A new rate of an operation. */
export interface NewBudget {
  readonly perSecond: number;
  /** Calls at once. Default: one second of the rate, because the old burst would delay a lowered rate or limit a raised one. */
  readonly burst?: number | undefined;
}

/**
 * Changes the budget of an operation, for all processes, until it is reset.
 * @throws {UseCaseError} `operation_unknown`, with the nearest name; `account_unknown`.
 */
export async function changeBudget(
  runtime: BudgetRuntime,
  operation: string,
  { perSecond, burst }: NewBudget,
  { by = systemUser(), ...options }: BudgetChangeOptions = {},
): Promise<Budget> {
  requireOperation(operation);
  const book = bookOf(runtime, options);
  const { queues } = runtime;
  const changes = runtime.ledger.lastChanges;
  const budget = { perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) };
  const before = await book.current(operation);
  await book.change(operation, budget);
  await changes.record(changeOf(book, operation, { by, from: before, to: budget }));
  await unpark(queues);
  return budget;
}

/**
 * Resets budgets to those of the settings.
 * @param options.operation default: all. @returns the operations whose budget had been changed.
 * @throws {UseCaseError} `operation_unknown`, with the nearest name; `account_unknown`.
 */
export async function resetBudgets(
  runtime: BudgetRuntime,
  {
    by = systemUser(),
    operation,
    ...options
  }: BudgetChangeOptions & { readonly operation?: string | undefined } = {},
): Promise<readonly string[]> {
  if (operation !== undefined) requireOperation(operation);
  const book = bookOf(runtime, options);
  const { queues } = runtime;
  const changes = runtime.ledger.lastChanges;
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
