/** Reads what `campaigns budgets` is asked for: `[OPERATION RATE | reset [OPERATION]]`. */
import { requireOperation } from '../../campaigns/budgets.ts';
import { parseRate } from '../../runtime/wording.ts';
import { CommandError } from '../exit.ts';

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

/** @throws {CommandError} for a missing or wrong rate. @throws {UseCaseError} `operation_unknown`. */
export function readBudgetWish(
  name: string | undefined,
  value: string | undefined,
  burst: number | undefined,
): BudgetWish {
  if (name === 'reset') {
    if (value !== undefined) requireOperation(value);
    return { kind: 'reset', operation: value };
  }
  if (name === undefined && burst === undefined) return { kind: 'show' };
  if (name !== undefined) requireOperation(name);
  const perSecond = parseRate(value ?? '');
  if (name === undefined || perSecond === undefined) {
    throw new CommandError(value === undefined ? 'the rate is missing' : `"${value}" is no rate`, {
      cure: `Write it as 20/s, 300/min or 1000/h: campaigns budgets ${name ?? 'createCreatorPost'} 20/s`,
    });
  }
  return { kind: 'change', operation: name, perSecond, burst };
}
