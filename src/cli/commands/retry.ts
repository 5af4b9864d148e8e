/** `campaigns retry ID`: does failed rows again. What the ledger knows as done is not done again. */
import { Command, Option } from 'commander';
import type { RetryFilter } from '../../operating/retry.ts';
import type { CommonOptions } from '../ledger-session.ts';
import { configOption, jsonOption } from '../options.ts';

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
    .option('--dry-run', 'only say how many rows it would be')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns retry c1 --error http_400')
    .action(retry);
}

async function retry(id: string, options: RetryOptions): Promise<void> {
  const [{ findCampaign, openLedger }, { retryRows }, { CampaignViews }, { plural }] = await Promise.all([
    import('../ledger-session.ts'),
    import('../../operating/retry.ts'),
    import('../../processors/campaign-view.ts'),
    import('../output.ts'),
  ]);
  await using session = await openLedger(options);
  const { ledger, queues, output } = session;
  const campaign = await findCampaign(session, id);
  const { error, creator, step, row, dryRun = false } = options;
  const tools = { ledger, queues, views: new CampaignViews(ledger) };
  const result = await retryRows(tools, campaign, { error, creator, step, row }, { dryRun });
  output.document({ id, ...result, dryRun });
  if (result.matched === 0) {
    output.print('No failed row matches.');
    const { review } = campaign.counts;
    if (review > 0)
      output.print(
        `${plural(review, 'row')} in review: nobody can tell whether they were sent, so they are not sent again.`,
      );
  } else if (dryRun) output.print(`${plural(result.matched, 'row')} would be done again.`);
  else {
    output.print(`${plural(result.rows, 'row')} will be done again.`);
    output.print('Workers take them up by themselves; without any: campaigns run');
  }
}
