/** `campaigns budgets`: shows the budgets, and changes them while campaigns run. */
import { Command, InvalidArgumentError } from 'commander';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { accountOption, configOption, jsonOption } from '../flags/common.ts';

interface BudgetsOptions extends CommonOptions {
  readonly burst?: number;
  readonly account?: string;
}

export function budgetsCommand(): Command {
  return new Command('budgets')
    .description('see the rate of each operation, and change it while campaigns run')
    .argument('[operation]', 'operation to change, or `reset`: back to the settings')
    .argument('[rate]', 'calls a second, or in another time: 20, 20/s, 300/min; after `reset`: the operation')
    .option('--burst <calls>', 'calls at once (default: a second of the rate, at least 1)', readBurst)
    .addOption(accountOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A change is kept in Redis and wins over the settings until it is reset; every process takes it up within a second or
two.

Examples:
  campaigns budgets
  campaigns budgets createCreatorPost 300/min
  campaigns budgets reset createCreatorPost`,
    )
    .action(budgets);
}

function readBurst(text: string): number {
  const burst = Number(text);
  if (Number.isInteger(burst) && burst >= 1 && burst <= 1_000_000) return burst;
  throw new InvalidArgumentError('It must be a whole number from 1 to 1000000.');
}

async function budgets(
  operation: string | undefined,
  rate: string | undefined,
  { burst, account, ...options }: BudgetsOptions,
): Promise<void> {
  const [{ openLedger }, { nameOfAccount }, { openBudgetBook }, { carryOut, readBudgetWish, showBudgets }] =
    await Promise.all([
      import('../../runtime/runtime.ts'),
      import('../../runtime/accounts.ts'),
      import('../../runtime/budget-book.ts'),
      import('../print/budgets.ts'),
    ]);
  const wish = readBudgetWish(operation, rate, burst);
  await using session = await openLedger(options);
  const book = openBudgetBook(session, nameOfAccount(session, account));
  await carryOut(wish, session, book);
  await showBudgets(session.output, book);
}
