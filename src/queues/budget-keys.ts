/** Keys of budgets in Redis; the scripts in `lua/` use the same keys. */

/** Hash: tokens of a budget, and its pause and share after a 429. */
export function budgetKey(prefix: string, account: string, operation: string): string {
  return `${prefix}:a:${account}:budget:${operation}`;
}

/** Hash: operation to its changed budget, as `rate burst` (calls per second, calls at once). */
export function changedBudgetsKey(prefix: string, account: string): string {
  return `${prefix}:a:${account}:budgets`;
}
