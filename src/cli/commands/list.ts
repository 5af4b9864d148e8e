/** `campaigns list`: all campaigns, newest first. */
import { Command } from 'commander';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';

export function listCommand(): Command {
  return new Command('list')
    .description('list all campaigns, newest first')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns list --json')
    .action(list);
}

async function list(options: CommonOptions): Promise<void> {
  const [
    { openLedger },
    { campaignDocument, describeCounts, stateName },
    { table },
    { describeWorkers, workerDocument },
    { describePausedQueues },
  ] = await Promise.all([
    import('../../runtime/runtime.ts'),
    import('../print/campaign.ts'),
    import('../print/output.ts'),
    import('../print/worker-presence.ts'),
    import('../print/paused-queues.ts'),
  ]);
  await using session = await openLedger(options);
  const { output } = session;
  const campaigns = await session.ledger.campaigns.list();
  const workers = await session.ledger.presence.workers();
  const pausedQueues = await session.queues.paused();
  output.document({
    campaigns: campaigns.map(campaignDocument),
    workers: workers.map(workerDocument),
    pausedQueues,
  });
  if (campaigns.length === 0) output.print('No campaigns yet. Start one with: campaigns run FILE');
  else {
    const rows = campaigns.map((campaign) => [
      campaign.id,
      campaign.name,
      stateName(campaign),
      String(campaign.rows),
      describeCounts(campaign.counts),
    ]);
    for (const line of table(['ID', 'NAME', 'STATE', 'ROWS', 'OF THEM'], rows)) output.print(line);
  }
  for (const note of [describeWorkers(workers, campaigns), describePausedQueues(pausedQueues)]) {
    if (note !== undefined) output.print(`\n${note}`);
  }
}
