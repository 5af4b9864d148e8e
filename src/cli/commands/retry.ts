/** `campaigns retry ID`: does failed rows again. What the ledger knows as done is not done again. */
import { Command, Option } from 'commander';
import type { RetryFilter, RetryResult } from '../../campaigns/repair/retry.ts';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';
import type { Output } from '../print/output.ts';

interface RetryOptions extends CommonOptions, RetryFilter {
  readonly dryRun?: boolean;
}

export function retryCommand(): Command {
  return new Command('retry')
    .description('do failed rows of a campaign again; rows in review are left for a person to decide')
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .option('--error <code>', 'only rows that failed with this code')
    .option('--creator <name>', 'only rows of this creator, as the sheet writes it')
    .addOption(
      new Option('--step <step>', 'only rows that failed at this step').choices([
        'showcase',
        'generate',
        'poll',
        'upload',
        'post',
      ]),
    )
    .option('--row <key>', 'only the row with this key')
    .option('--dry-run', 'only say which rows it would be, what they would take, and which are left out')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns retry c1 --error service_unreachable --dry-run')
    .action(retry);
}

async function retry(id: string, options: RetryOptions): Promise<void> {
  const [{ findCampaign, openLedger }, { retryRows }, { CampaignViews }, { CommandError }] =
    await Promise.all([
      import('../../runtime/runtime.ts'),
      import('../../campaigns/repair/retry.ts'),
      import('../../processors/frame/campaign-view.ts'),
      import('../exit.ts'),
    ]);
  await using session = await openLedger(options);
  const { ledger, queues } = session;
  const campaign = await findCampaign(session, id);
  if (campaign.cancelledAt !== undefined) {
    throw new CommandError(`${id} was cancelled: nothing of it is sent any more`, {
      cure: `Hand the rows in as a manifest of their own: campaigns report ${id} --only failed --out FILE has them.`,
    });
  }
  const { error, creator, step, row, dryRun = false } = options;
  const tools = { ledger, queues, views: new CampaignViews(ledger) };
  const result = await retryRows(tools, campaign, { error, creator, step, row }, { dryRun });
  if (!result) {
    throw new CommandError(`campaign ${id} has no row ${row}`, {
      cure: 'Name the row by its key, as the sheet does.',
    });
  }
  session.output.document({ id, ...result, plan: result.plan ?? null, dryRun });
  await print(session.output, result, options);
}

async function print(
  output: Output,
  result: RetryResult,
  { dryRun, error, creator }: RetryOptions,
): Promise<void> {
  const { plural } = await import('../print/output.ts');
  const { matched, rows, plan, leftOut, kinds } = result;
  if (matched === 0) output.print('No failed row matches.');
  else if (plan) {
    output.print(`${plural(matched, 'row')} would be done again.`);
    for (const [operation, count] of Object.entries(plan.calls)) {
      output.print(`  ${operation.padEnd(widestOperation)} ${plural(count, 'call')}`);
    }
    if (plan.aiOutputs > 0) output.print(`  ${plural(plan.aiOutputs, 'AI output')} would be made anew.`);
  } else output.print(`${plural(rows, 'row')} will be done again.`);
  if (kinds && error !== undefined) output.printText('  codes of failed rows: ', kinds.codes.join(', '));
  if (kinds && creator !== undefined)
    output.printText('  creators of failed rows: ', kinds.creators.join(', '));
  // What else there is matters to whoever plans, or wonders why there is nothing.
  if (dryRun || matched === 0) {
    for (const left of leftOut) {
      output.printText('  left out: ', `${plural(left.rows, 'row')} ${left.state}: ${left.why}.`);
      for (const command of left.commands) output.print(`    ${output.paint('cyan', command)}`);
    }
  }
  if (rows > 0) output.print('Workers take them up by themselves; without any: campaigns run');
}

const widestOperation = 26;
