/** A step's turn to call the service, within the budget of the operation. */
import type { Turn } from '../../queues/budgets.ts';
import type { Account } from './accounts.ts';

/** If a turn would take longer than this (milliseconds), the queue parks instead of waiting in place. */
const longestWaitMs = 2000;

/** Ends a step whose budget is spent for a long time: control flow, not an error. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
  /** Milliseconds until another try makes sense. */
  readonly ms: number;

  constructor(ms: number) {
    super('the budget is spent');
    this.ms = ms;
  }
}

/**
 * Waits for the turn to call an operation. The call follows at once, unless the turn is declared with `using`.
 * @throws {BudgetSpent} when the turn would not come within `maxWaitMs`: the queue parks.
 */
export async function takeTurn(
  { budgets }: Account,
  operation: string,
  maxWaitMs = longestWaitMs,
): Promise<Extract<Turn, { readonly granted: true }>> {
  const turn = await budgets.take(operation, maxWaitMs);
  if (!turn.granted) throw new BudgetSpent(turn.waitMs);
  return turn;
}
