/** What `campaigns budgets` is asked for, how it is done, and the table of the budgets. */
import { changeBudget, resetBudgets } from '../../campaigns/budgets.ts';
import type { BudgetBook, BudgetStatus } from '../../queues/budget-book.ts';
import type { LedgerSession } from '../../runtime/runtime.ts';
import { CommandError } from '../exit.ts';
import { budgetedOperations, checkOperation } from '../flags/operation.ts';
import { describeDuration, type Output, table } from './output.ts';
import { describeRate, parseRate } from './rate.ts';

export type BudgetWish =
  | { readonly kind: 'show' }
  | {
      readonly kind: 'change';
      readonly operation: string;
      readonly perSecond: number;
      readonly burst: number | undefined;
    }
  /** All of them, unless an operation is named. */
  | { readonly kind: 'reset'; readonly operation: string | undefined };

/** Reads `[OPERATION RATE | reset [OPERATION]]`. @throws {CommandError} for a name or a rate that there is not. */
export function readBudgetWish(
  name: string | undefined,
  value: string | undefined,
  burst: number | undefined,
): BudgetWish {
  if (name === 'reset') {
    if (value !== undefined) checkOperation(value);
    return { kind: 'reset', operation: value };
  }
  if (name === undefined && burst === undefined) return { kind: 'show' };
  if (name !== undefined) checkOperation(name);
  const perSecond = parseRate(value ?? '');
  if (name === undefined || perSecond === undefined) {
    throw new CommandError(value === undefined ? 'the rate is missing' : `"${value}" is no rate`, {
      cure: `Write it as 20/s, 300/min or 1000/h: campaigns budgets ${name ?? 'createCreatorPost'} 20/s`,
    });
  }
  return { kind: 'change', operation: name, perSecond, burst };
}

/** Does it, and says what was done. */
export async function carryOut(
  wish: BudgetWish,
  { output, queues }: Pick<LedgerSession, 'output' | 'queues'>,
  book: BudgetBook,
): Promise<void> {
  if (wish.kind === 'change') {
    const { burst } = await changeBudget({ book, queues }, wish.operation, wish);
    const rate = describeRate(wish.perSecond);
    output.say(`${wish.operation}: ${rate}, ${burst} at once, in all processes, until it is reset.`);
  } else if (wish.kind === 'reset') {
    const gone = await resetBudgets({ book, queues }, wish.operation);
    output.say(gone.length > 0 ? `As the settings say again: ${gone.join(', ')}` : 'None had been changed.');
  }
}

export async function showBudgets(output: Output, book: BudgetBook): Promise<void> {
  const statuses = await book.read(budgetedOperations);
  output.document({ account: book.account, budgets: statuses.map((status) => documentOf(status, book)) });
  const rows = statuses.map((status) => rowOf(status, book));
  for (const line of table(['OPERATION', 'RATE', 'AT ONCE', 'FROM', 'NOW'], rows)) {
    output.print(line.trimEnd());
  }
}

function rowOf(status: BudgetStatus, book: BudgetBook): readonly string[] {
  const { operation, budget, isChanged } = status;
  const from = isChanged ? `changed, was ${describeRate(book.configured(operation).perSecond)}` : 'settings';
  return [operation, describeRate(budget.perSecond), String(budget.burst), from, effectText(status)];
}

/** What 429s have made of a budget; empty where there were none of late. */
function effectText({ budget, share, pausedMs, throttledForMs }: BudgetStatus): string {
  const parts = [
    ...(pausedMs > 0 ? [`pauses for ${describeDuration(pausedMs)}`] : []),
    ...(share < 1 ? [`${describeRate(budget.perSecond * share)} after a 429`] : []),
    ...(throttledForMs === undefined ? [] : [`nothing but 429 for ${describeDuration(throttledForMs)}`]),
  ];
  return parts.join(', ');
}

function documentOf(status: BudgetStatus, book: BudgetBook) {
  const { operation, budget, isChanged, share, pausedMs, throttledForMs } = status;
  return {
    operation,
    ...budget,
    changed: isChanged,
    settings: book.configured(operation),
    effectivePerSecond: budget.perSecond * share,
    pausedMs,
    throttledForMs: throttledForMs ?? null,
  };
}
