/** `campaigns budgets`: shows the budgets, and changes them while campaigns run. */
import { Command, InvalidArgumentError } from 'commander';
import type { Budget, BudgetBook, BudgetStatus } from '../../queues/budget-book.ts';
import type { CommonOptions, LedgerSession } from '../ledger-session.ts';
import { configOption, jsonOption } from '../options.ts';

interface BudgetsOptions extends CommonOptions {
  readonly burst?: number;
}

export function budgetsCommand(): Command {
  return new Command('budgets')
    .description('see the rate of each operation, and change it while campaigns run')
    .argument('[operation]', 'operation to change, or `reset`: back to the settings')
    .argument('[rate]', 'calls in a time, as 20/s or 300/min; after `reset`: the operation')
    .option('--burst <calls>', 'calls at once (default: as before, at most a second of the rate)', readBurst)
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
  options: BudgetsOptions,
): Promise<void> {
  const [{ openLedger }, { openBudgetBook }, { checkOperation }] = await Promise.all([
    import('../ledger-session.ts'),
    import('../budget-book.ts'),
    import('../operation-name.ts'),
  ]);
  const resets = operation === 'reset';
  if (!resets && operation !== undefined) checkOperation(operation);
  if (resets && rate !== undefined) checkOperation(rate);
  const perSecond = resets ? undefined : await readRate(operation, rate, options);
  await using session = await openLedger(options);
  const book = openBudgetBook(session);
  if (resets) await reset(session, book, rate);
  else if (operation !== undefined && perSecond !== undefined) {
    await change(session, book, operation, perSecond, options.burst);
  }
  await show(session, book);
}

/** @returns calls a second; undefined when the budgets are only to be shown. */
async function readRate(
  operation: string | undefined,
  rate: string | undefined,
  { burst }: BudgetsOptions,
): Promise<number | undefined> {
  const [{ parseRate }, { CommandError }] = await Promise.all([import('../rate.ts'), import('../exit.ts')]);
  if (operation === undefined && burst === undefined) return undefined;
  const perSecond = parseRate(rate ?? '');
  if (operation !== undefined && perSecond !== undefined) return perSecond;
  throw new CommandError(rate === undefined ? 'the rate is missing' : `"${rate}" is no rate`, {
    cure: `Write it as 20/s, 300/min or 1000/h: campaigns budgets ${operation ?? 'createCreatorPost'} 20/s`,
  });
}

async function change(
  { output, queues }: LedgerSession,
  book: BudgetBook,
  operation: string,
  perSecond: number,
  burst: number | undefined,
): Promise<void> {
  const { describeRate } = await import('../rate.ts');
  const [before] = await book.read([operation]);
  // A burst beyond a second of the rate would let a lowered budget run on as if nothing had changed.
  const atMost = Math.max(1, Math.ceil(perSecond));
  const budget: Budget = { perSecond, burst: burst ?? Math.min(before?.budget.burst ?? atMost, atMost) };
  await book.change(operation, budget);
  await queues.unpark();
  output.say(`${operation}: ${describeRate(perSecond)}, ${budget.burst} at once, until it is reset.`);
}

async function reset({ output, queues }: LedgerSession, book: BudgetBook, operation: string | undefined) {
  const gone = await book.reset(operation);
  await queues.unpark();
  output.say(
    gone.length === 0 ? 'No budget had been changed.' : `As the settings say again: ${gone.join(', ')}`,
  );
}

async function show({ output }: LedgerSession, book: BudgetBook): Promise<void> {
  const [{ budgetedOperations }, { table }] = await Promise.all([
    import('../operation-name.ts'),
    import('../output.ts'),
  ]);
  const statuses = await book.read(budgetedOperations);
  const rows = await Promise.all(statuses.map((status) => rowOf(status, book)));
  output.document({ account: book.account, budgets: statuses.map((status) => documentOf(status, book)) });
  for (const line of table(['OPERATION', 'RATE', 'AT ONCE', 'FROM', 'NOW'], rows)) {
    output.print(line.trimEnd());
  }
}

async function rowOf(status: BudgetStatus, book: BudgetBook): Promise<readonly string[]> {
  const { operation, budget, isChanged } = status;
  const { describeRate } = await import('../rate.ts');
  const from = isChanged ? `changed, was ${describeRate(book.configured(operation).perSecond)}` : 'settings';
  return [operation, describeRate(budget.perSecond), String(budget.burst), from, await nowText(status)];
}

/** What 429s have made of it. */
async function nowText({ budget, share, pausedMs, throttledForMs }: BudgetStatus): Promise<string> {
  const [{ describeRate }, { describeDuration }] = await Promise.all([
    import('../rate.ts'),
    import('../output.ts'),
  ]);
  const parts = [
    ...(pausedMs > 0 ? [`pauses for ${describeDuration(pausedMs)} after a 429`] : []),
    ...(share < 1 ? [`${describeRate(budget.perSecond * share)} after a 429`] : []),
    ...(throttledForMs === undefined ? [] : [`nothing but 429 for ${describeDuration(throttledForMs)}`]),
  ];
  return parts.join(', ');
}

function documentOf({ budget, isChanged, share, ...status }: BudgetStatus, book: BudgetBook) {
  return {
    operation: status.operation,
    perSecond: budget.perSecond,
    burst: budget.burst,
    changed: isChanged,
    settings: book.configured(status.operation),
    effectivePerSecond: budget.perSecond * share,
    pausedMs: status.pausedMs,
    throttledForMs: status.throttledForMs ?? null,
  };
}
