/** `campaigns show ID`: one campaign, with the causes of what did not come through. */
import { Command } from 'commander';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';

export function showCommand(): Command {
  return new Command('show')
    .description('show one campaign: its counts, and why rows failed or wait for a decision')
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns show c1')
    .action(show);
}

async function show(id: string, options: CommonOptions): Promise<void> {
  const [
    { findCampaign, openLedger },
    { campaignDocument, printSummary },
    { causesOf },
    { describePausedQueues },
    { isUnderWay },
  ] = await Promise.all([
    import('../../runtime/runtime.ts'),
    import('../print/campaign.ts'),
    import('../../campaigns/repair/causes.ts'),
    import('../print/paused-queues.ts'),
    import('../../ledger/campaigns.ts'),
  ]);
  await using session = await openLedger(options);
  const campaign = await findCampaign(session, id);
  const causes = await causesOf(session.ledger, campaign);
  const pausedQueues = await session.queues.paused();
  session.output.document({ ...campaignDocument(campaign), causes, pausedQueues });
  printSummary(session.output, campaign, causes);
  const note = describePausedQueues(pausedQueues);
  if (note !== undefined && isUnderWay(campaign)) session.output.print(`\n${note}`);
}
