/** The budgets of an account, as a table and as JSON. */
import { budgetsDocument } from '../../campaigns/documents/limits.ts';
import type { BudgetBook, BudgetStatus } from '../../queues/budget-book.ts';
import { describeDuration, describeRate } from '../../runtime/wording.ts';
import { type Output, table } from './output.ts';

export function printBudgets(output: Output, statuses: readonly BudgetStatus[], book: BudgetBook): void {
  output.document('budgets', budgetsDocument(statuses, book));
  const rows = statuses.map((status) => rowOf(status, book));
  for (const line of table(['OPERATION', 'RATE', 'AT ONCE', 'FROM', 'NOW'], rows)) output.print(line);
}

function rowOf(status: BudgetStatus, book: BudgetBook): readonly string[] {
  const { operation, budget, isChanged } = status;
  const from = isChanged ? `changed, was ${describeRate(book.configured(operation).perSecond)}` : 'settings';
  return [operation, describeRate(budget.perSecond), String(budget.burst), from, effectText(status)];
}

/** How recent 429s limit a budget; empty without any. */
function effectText({ budget, share, pausedMs, throttledForMs }: BudgetStatus): string {
  const parts = [
    ...(pausedMs > 0 ? [`pauses for ${describeDuration(pausedMs)}`] : []),
    ...(share < 1 ? [`${describeRate(budget.perSecond * share)} after a 429`] : []),
    ...(throttledForMs === undefined ? [] : [`only 429s for ${describeDuration(throttledForMs)}`]),
  ];
  return parts.join(', ');
}
