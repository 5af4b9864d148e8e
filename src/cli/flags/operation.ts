/** Operations of the service as people name them. */
import { type BudgetedOperation, operations, referencedOperations } from '../../api/contract/operations.ts';
import { nearest } from '../../manifest/edit-distance.ts';
import { CommandError } from '../exit.ts';

/** Every operation that has a budget of its own. */
export const budgetedOperations: readonly BudgetedOperation[] = [
  ...(Object.keys(operations) as (keyof typeof operations)[]),
  ...referencedOperations,
];

/** @throws {CommandError} for a name that no operation has, with the nearest one. */
export function checkOperation(name: string): void {
  if (budgetedOperations.some((known) => known === name)) return;
  const byLowerCase = new Map(budgetedOperations.map((known) => [known.toLowerCase(), known]));
  const guess = byLowerCase.get(nearest(name.toLowerCase(), byLowerCase.keys()) ?? '');
  throw new CommandError(`there is no operation "${name}"`, {
    cure: guess ? `Did you mean ${guess}?` : `There are: ${budgetedOperations.join(', ')}`,
  });
}
