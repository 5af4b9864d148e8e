/** A step's turn to call the service, out of the budget of the operation. */
import type { Account } from './accounts.ts';

/** Waits for a turn longer than this park the queue instead of occupying a place in it, in milliseconds. */
const longestWaitMs = 2000;

/** Thrown out of the middle of a step whose budget is spent for long: control flow, not an error. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
  /** Milliseconds until it is worth to come again. */
  readonly ms: number;

  constructor(ms: number) {
    super('the budget is spent');
    this.ms = ms;
  }
}

/**
 * Waits for the turn to call an operation; the call has to follow at once.
 * @throws {BudgetSpent} when it would not come within `maxWaitMs`: the queue parks.
 */
export async function takeTurn(
  { budgets }: Account,
  operation: string,
  maxWaitMs = longestWaitMs,
): Promise<void> {
  const turn = await budgets.take(operation, maxWaitMs);
  if (!turn.granted) throw new BudgetSpent(turn.waitMs);
}
