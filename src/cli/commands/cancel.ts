/** `campaigns cancel ID`: calls a campaign off. */
import { Command } from 'commander';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { configOption, jsonOption, yesOption } from '../flags/common.ts';

interface CancelOptions extends CommonOptions {
  readonly yes?: boolean;
}

export function cancelCommand(): Command {
  return new Command('cancel')
    .description('call a campaign off, for good: rows that wait or run are cancelled')
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .addOption(yesOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Rows that were posted, have failed or need a decision stay what they are. A row whose post or generation is being sent
at that moment goes to review, and its answer still settles it. Posts that the service has accepted are not taken back.

Example:
  campaigns cancel c1 --yes`,
    )
    .action(cancel);
}

async function cancel(id: string, options: CancelOptions): Promise<void> {
  const [{ findCampaign, openLedger }, { cancelCampaign }, { confirm }, { plural }] = await Promise.all([
    import('../../runtime/runtime.ts'),
    import('../../campaigns/cancel.ts'),
    import('../confirm.ts'),
    import('../print/output.ts'),
  ]);
  await using session = await openLedger(options);
  const { output } = session;
  const { counts, state } = await findCampaign(session, id);
  if (state !== 'ended') {
    const left = plural(counts.waiting + counts.running, 'row');
    await confirm(`Cancel ${id} for good? ${left} of it will not be posted.`, options);
  }
  const result = await cancelCampaign(session, id);
  // It was deleted at this very moment.
  if (!result) await findCampaign(session, id);
  output.document({ id, ...result });
  if (!result || result.was === 'ended') output.print(`${id} has ended: there is nothing to cancel.`);
  else {
    output.print(`${id} is cancelled: ${plural(result.cancelled, 'row')} will not be posted.`);
    if (result.review > 0) {
      output.print(
        `${plural(result.review, 'row')} had a call under way: in review until its answer comes, or until it is settled.`,
      );
    }
  }
}
