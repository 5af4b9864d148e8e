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
