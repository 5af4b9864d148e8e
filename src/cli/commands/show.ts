/** `campaigns show ID`: one campaign, and why rows failed or need a decision. */
import type { Command } from 'commander';
import { campaignDocument } from '../../campaigns/documents/campaign.ts';
import { describePausedQueues } from '../../campaigns/progress/presence.ts';
import { showCampaign } from '../../campaigns/show.ts';
import { printSummary } from '../print/campaign.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign id, as `campaigns list` shows it')
    .addHelpText('after', '\nExample:\n  campaigns show c1')
    .action(show);
}

async function show(id: string, flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const { campaign, causes, pausedQueues, isUnderWay } = await showCampaign(runtime, id);
  output.document('show', { ...campaignDocument(campaign), causes, pausedQueues });
  printSummary(output, campaign, causes);
  const note = describePausedQueues(pausedQueues);
  if (note !== undefined && isUnderWay) output.print(`\n${note}`);
}
