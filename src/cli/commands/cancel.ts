/** `campaigns cancel ID`: calls a campaign off. */
import type { Command } from 'commander';
import { cancelCampaign } from '../../campaigns/cancel.ts';
import { findCampaign } from '../../campaigns/find.ts';
import { plural } from '../../runtime/wording.ts';
import { confirm } from '../confirm.ts';
import { configOption, jsonOption, yesOption } from '../flags/common.ts';
import { printRowsAnew } from '../print/campaign.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface CancelFlags extends CommonOptions {
  readonly yes?: boolean;
}

export function define(command: Command): Command {
  return command
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

async function cancel(id: string, flags: CancelFlags): Promise<void> {
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const { counts, state } = await findCampaign(runtime, id);
  if (state !== 'ended') {
    const left = plural(counts.waiting + counts.running, 'row');
    await confirm(`Cancel ${id} for good? ${left} of it will not be posted.`, flags);
  }
  const result = await cancelCampaign(runtime, id);
  output.document('cancel', { id, ...result });
  if (result.was === 'ended') {
    output.print(`${id} has ended: there is nothing to cancel.`);
    return;
  }
  output.print(`${id} is cancelled: ${plural(result.cancelled, 'row')} will not be posted.`);
  if (result.review > 0) {
    output.print(
      `${plural(result.review, 'row')} had a call under way: in review until its answer comes, or until it is settled.`,
    );
  }
  printRowsAnew(output, await findCampaign(runtime, id));
}
