/** `campaigns budgets`: shows the budgets, and changes them while campaigns run. */
import { type Command, InvalidArgumentError } from 'commander';
import {
  type AccountBudgets,
  budgetsOfAccount,
  changeBudget,
  readBudgets,
  resetBudgets,
} from '../../campaigns/budgets.ts';
import { describeRate } from '../../runtime/wording.ts';
import { type BudgetWish, readBudgetWish } from '../flags/budget.ts';
import { accountOption, configOption, jsonOption } from '../flags/common.ts';
import { printBudgets } from '../print/budgets.ts';
import type { Output } from '../print/output.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface BudgetFlags extends CommonOptions {
  readonly burst?: number;
  readonly account?: string;
}

export function define(command: Command): Command {
  return command
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
  { burst, account, ...flags }: BudgetFlags,
): Promise<void> {
  const wish = readBudgetWish(operation, rate, burst);
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const budgets = budgetsOfAccount(runtime, account);
  await carryOut(wish, output, budgets);
  printBudgets(output, await readBudgets(budgets), budgets.book);
}

/** Does it, and says what was done. */
async function carryOut(wish: BudgetWish, output: Output, budgets: AccountBudgets): Promise<void> {
  if (wish.kind === 'change') {
    const { burst } = await changeBudget(budgets, wish.operation, wish);
    const rate = describeRate(wish.perSecond);
    output.say(`${wish.operation}: ${rate}, ${burst} at once, in all processes, until it is reset.`);
  } else if (wish.kind === 'reset') {
    const gone = await resetBudgets(budgets, wish.operation);
    output.say(gone.length > 0 ? `As the settings say again: ${gone.join(', ')}` : 'None had been changed.');
  }
}
