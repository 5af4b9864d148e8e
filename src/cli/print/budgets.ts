/** The budgets of an account, as a table and as JSON. */
import type { ShownBudget } from '../../campaigns/budgets.ts';
import { budgetsDocument } from '../../campaigns/documents/limits.ts';
import { describeDuration, describeRate } from '../../runtime/wording.ts';
import { type Output, table } from './output.ts';

export function printBudgets(output: Output, account: string, budgets: readonly ShownBudget[]): void {
  output.document('budgets', budgetsDocument(account, budgets));
  const rows = budgets.map(rowOf);
  for (const line of table(['OPERATION', 'RATE', 'AT ONCE', 'FROM', 'NOW'], rows)) output.print(line);
}

function rowOf(status: ShownBudget): readonly string[] {
  const { operation, budget, configured, isChanged } = status;
  const from = isChanged ? `changed, was ${describeRate(configured.perSecond)}` : 'settings';
  return [operation, describeRate(budget.perSecond), String(budget.burst), from, effectText(status)];
}

/** How recent 429s limit a budget; empty without any. */
function effectText({ budget, share, pausedMs, throttledForMs }: ShownBudget): string {
  const parts = [
    ...(pausedMs > 0 ? [`pauses for ${describeDuration(pausedMs)}`] : []),
    ...(share < 1 ? [`${describeRate(budget.perSecond * share)} after a 429`] : []),
    ...(throttledForMs === undefined ? [] : [`only 429s for ${describeDuration(throttledForMs)}`]),
  ];
  return parts.join(', ');
}
