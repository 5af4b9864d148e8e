/** `campaigns cancel ID`: cancels a campaign for good. */
import type { Command } from 'commander';
import { cancelCampaign } from '../../campaigns/cancel.ts';
import { findCampaign } from '../../campaigns/find.ts';
import { plural } from '../../runtime/wording.ts';
import { confirm } from '../confirm.ts';
import { yesOption } from '../flags/common.ts';
import { printRowsAnew } from '../print/campaign.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface CancelFlags extends CommonOptions {
  readonly yes?: boolean;
}

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign id, as `campaigns list` shows it')
    .addOption(yesOption())
    .addHelpText(
      'after',
      `
Rows that are posted, failed or in review stay as they are. A row whose post or generation is just being sent goes to
review; its answer still decides it. Posts that the service has accepted stay there. Nothing is sent again afterwards: a
row in review that you decide as not posted is cancelled. Cancel an ended campaign for that reason, too.

Example:
  campaigns cancel c1 --yes`,
    )
    .action(cancel);
}

async function cancel(id: string, flags: CancelFlags): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  const { counts, state, cancelledAt } = await findCampaign(runtime, id);
  if (state !== 'ended') {
    const left = plural(counts.waiting + counts.running, 'row');
    await confirm(`Cancel ${id} for good? ${left} will not be posted.`, flags);
  } else if (counts.review > 0 && cancelledAt === undefined) {
    const kept = [
      `${plural(counts.review, 'row')} in review`,
      ...(counts.failed > 0 ? [`${plural(counts.failed, 'failed row')}`] : []),
    ];
    await confirm(`Cancel ${id} for good? It has ended: ${kept.join(' and ')} can no longer be sent.`, flags);
  }
  const result = await cancelCampaign(runtime, id);
  const { was, cancelled, review } = result;
  const isDone = was !== 'ended' || review > 0;
  if (isDone)
    await session.record(`Cancelled ${plural(was === 'ended' ? review : cancelled, 'row')} of ${id}.`);
  output.document('cancel', { id, ...result });
  if (!isDone) {
    output.print(`${id} has already ended. There is nothing to cancel.`);
    return;
  }
  if (was === 'ended') {
    output.print(
      `${id} is cancelled: ${plural(review, 'row')} in review will not be sent again. Still decide about ${review === 1 ? 'it' : 'them'}: what is not posted is cancelled.`,
    );
  } else output.print(`${id} is cancelled: ${plural(cancelled, 'row')} will not be posted.`);
  if (was !== 'ended' && review > 0) {
    output.print(
      `${plural(review, 'row')} may have been sent: in review until an answer or the publishing records tell, or you decide.`,
    );
  }
  printRowsAnew(output, await findCampaign(runtime, id));
}
