/** Where budgets stand in Redis; the scripts in `lua/` name the same keys. */

/** Hash: what a budget's bucket holds, its pause and its share after a 429. */
export function budgetKey(prefix: string, account: string, operation: string): string {
  return `${prefix}:a:${account}:budget:${operation}`;
}

/** Hash: operation to the budget that was set while it runs, as `rate burst` (calls a second, calls at once). */
export function changedBudgetsKey(prefix: string, account: string): string {
  return `${prefix}:a:${account}:budgets`;
}
