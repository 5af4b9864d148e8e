/** `campaigns retry ID`: does failed rows again, but no step that the ledger knows as done. `campaigns refresh ID`: looks up posts in the publishing records (contract, section 4.9). */
import { Option } from 'commander';
import type { Refreshed } from '../../app/campaigns/publishing-records.ts';
import type { RetryFilter, RetryResult } from '../../app/campaigns/retry/retry.ts';
import { limitOperations } from '../../app/operations/limits.ts';
import { rowOperations } from '../../app/operations/rows.ts';
import { commandsOf } from '../../app/runtime/command-line.ts';
import { steps } from '../../manifest/steps.ts';
import { plural } from '../../manifest/wording.ts';
import { campaignId, type Define } from '../flags/common.ts';
import { reportCommand, undoCommand } from '../hints.ts';
import { takenUpOf } from '../print/campaign.ts';
import { namesOf, type Output } from '../print/output.ts';
import { type CommonOptions, inSession, openSession } from '../session.ts';

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
    .option('--dry-run', 'only show which rows and calls it would take')
    .notes(
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
      `${plural(held, 'row')} whose earlier post was not published: resent ${sent}. Until then, you can undo the retry of a row:\n  ${undoCommand(id)}`,
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
    const why =
      left.state === 'posted'
        ? 'already posted or scheduled'
        : `${left.state === 'review' ? 'in review' : left.state}: ${left.why}`;
    const text = `${plural(left.rows, 'row')} ${why}${end}`;
    output.printText('  skipped: ', [text, ...left.commands.flatMap(commandsOf)].join('\n'));
  }
  if (retried > 0 && (rows > 0 || state === 'paused')) output.print(takenUpOf({ id, state }));
}

export const refresh: Define = (command) =>
  command
    .argument(...campaignId)
    .notes(`
Needs the setting api.listPosts. A row in review becomes posted if exactly one record fits it and no other row has that
record. It is never resent. The state of each post goes into the column post_status of the results sheet. The row of a
post that was not published fails; it becomes posted again if its post is published after all.

Example:
  campaigns refresh c1 && campaigns report c1 --out posts.results.csv`)
    .action(
      inSession({ writes: true }, async ({ output, carryOut }, id: string) => {
        printRefreshed(output, id, await carryOut(limitOperations.refreshCampaign, { id }));
      }),
    );

function printRefreshed(output: Output, id: string, { rows, posts }: Refreshed): void {
  if (rows.length === 0 && posts.length === 0) {
    output.print('The publishing records show nothing new.');
    return;
  }
  for (const row of rows) {
    const lead = `row ${row.key}  `;
    if (row.state === 'review') output.printText(`${lead}in review  `, row.note);
    else if (row.state === 'posted') output.print(`${lead}-> posted as ${row.postId}`);
    else output.print(`${lead}-> failed: post ${row.postId} was not published`);
  }
  for (const { before, after, posts: count, examples } of posts) {
    const keys = examples.map(({ key }) => key);
    const those = namesOf(keys, keys.length, count);
    output.print(`${plural(count, 'post')} ${before || '(no state)'} -> ${after}: ${those}`);
    for (const { key, failure } of examples) if (failure) output.printText(`  ${key}  `, failure);
  }
  output.print(`Write the sheet again:\n  ${reportCommand(id)}`);
}
