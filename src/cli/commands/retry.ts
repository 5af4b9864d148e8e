/** `campaigns retry ID`: does failed rows again, but no step that the ledger knows as done. */
import { Option } from 'commander';
import type { RetryFilter, RetryResult } from '../../app/campaigns/retry/retry.ts';
import { rowOperations } from '../../app/operations/rows.ts';
import { commandsOf } from '../../app/runtime/command-line.ts';
import { steps } from '../../manifest/steps.ts';
import { plural } from '../../manifest/wording.ts';
import { campaignId, type Define } from '../flags/common.ts';
import { undoCommand } from '../hints.ts';
import { takenUpOf } from '../print/campaign.ts';
import type { Output } from '../print/output.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface RetryFlags extends CommonOptions, RetryFilter {
  readonly dryRun?: boolean;
}

export const retry: Define = (command) =>
  command
    .argument(...campaignId)
    .option('--error <code>', 'retry only rows that failed with this code')
    .option('--creator <name>', 'retry only rows of this creator, as in the sheet')
    .addOption(new Option('--step <step>', 'retry only rows that failed at this step').choices(steps))
    .option('--row <key>', 'retry only the row with this key')
    .option('--dry-run', 'only show rows, calls, and skipped rows')
    .addHelpText(
      'after',
      '\nRows in review are left for you to decide. A row whose post was not published waits 10 seconds: until then,\n`campaigns decide ID ROW --undo` undoes its retry.\n\nExample:\n  campaigns retry c1 --error service_unreachable --dry-run',
    )
    .action(retryFailed);

async function retryFailed(id: string, flags: RetryFlags): Promise<void> {
  await using session = await openSession(flags, { writes: !flags.dryRun });
  const { error, creator, step, row, dryRun } = flags;
  const result = await session.carryOut(rowOperations.retryRows, { id, error, creator, step, row, dryRun });
  print(session.output, id, result, flags);
}

/** @param hasFailed whether other rows have failed. */
function noMatch(id: string, { error, creator, row, step }: RetryFlags, hasFailed: boolean): string {
  if (row !== undefined) return `Row ${row} of ${id} is not among those to retry.`;
  if (!hasFailed) return `${id} has no failed rows.`;
  const given = [
    ...(error === undefined ? [] : [`the code ${error}`]),
    ...(creator === undefined ? [] : [`the creator ${creator}`]),
    ...(step === undefined ? [] : [`the step ${step}`]),
  ];
  return `No failed row of ${id} has ${given.join(' and ')}.`;
}

const widestOperation = 26;

/** Says how many of the outputs are paid for a second time. */
function againOf(outputs: number, paidBefore: number): string {
  if (paidBefore === 0) return '';
  return paidBefore === outputs ? ' again' : `, ${paidBefore} of them again`;
}

function print(
  output: Output,
  id: string,
  { matched, rows, held, posted, plan, leftOut, kinds, state }: RetryResult,
  flags: RetryFlags,
): void {
  const { dryRun, error, creator, row, step } = flags;
  const matching = leftOut.filter((left) => left.creator !== undefined || left.unread || left.changed);
  const retried = matched - posted - matching.reduce((sum, left) => sum + left.rows, 0);
  if (matched > 0 && retried === 0 && posted === 0) output.print('No row can be retried now.');
  else if (matched === 0) output.print(noMatch(id, flags, kinds !== undefined));
  else if (plan) {
    output.print(`${plural(retried, 'row')} would be retried.`);
    for (const [operation, count] of Object.entries(plan.calls)) {
      output.print(`  ${operation.padEnd(widestOperation)} ${plural(count, 'call')}`);
    }
    if (plan.aiOutputs > 0)
      output.print(
        `  ${plural(plan.aiOutputs, 'AI output')} would be generated${againOf(plan.aiOutputs, plan.paidBefore)}.`,
      );
  } else if (retried > 0) output.print(`${plural(rows, 'row')} will be retried.`);
  if (held > 0) {
    const sent = state === 'paused' ? 'when the campaign resumes' : 'in 10 seconds';
    output.print(
      `${plural(held, 'row')} with a post that was not published: resent ${sent}. Until then, you can undo one:\n  ${undoCommand(id)}`,
    );
  }
  if (posted > 0)
    output.print(`${plural(posted, 'row')} posted after all: the publishing records say so now.`);
  if (kinds && error !== undefined) output.printText('  codes of failed rows: ', kinds.codes.join(', '));
  if (kinds && creator !== undefined)
    output.printText('  creators of failed rows: ', kinds.creators.join(', '));
  const isFiltered = error !== undefined || creator !== undefined || step !== undefined;
  for (const left of leftOut) {
    const isMeant = matching.includes(left) || row !== undefined;
    // Rows that do not match matter in a plan, or if nothing matches; never those that a filter did not mean.
    if (!isMeant && (matched > 0 ? !dryRun : isFiltered || left.state === 'posted')) continue;
    const end = left.creator === undefined ? '.' : '. Then:';
    const why = left.state === 'posted' ? 'already posted' : `${left.state}: ${left.why}`;
    const text = `${plural(left.rows, 'row')} ${why}${end}`;
    output.printText('  skipped: ', [text, ...left.commands.flatMap(commandsOf)].join('\n'));
  }
  if (retried > 0 && (rows > 0 || state === 'paused')) output.print(takenUpOf({ id, state }));
}
