/** `campaigns list`: all campaigns, newest first. */
import type { Command } from 'commander';
import { campaignDocument } from '../../campaigns/documents/campaign.ts';
import { unreachableDocument, workerDocument } from '../../campaigns/documents/progress.ts';
import { listCampaigns, unreachableIn } from '../../campaigns/list.ts';
import { describePausedQueues, describeUnreachable } from '../../campaigns/progress/notes.ts';
import { describeCounts, printPause, stateName } from '../print/campaign.ts';
import { table } from '../print/output.ts';
import { describeWorkers } from '../print/workers.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function define(command: Command): Command {
  return command.addHelpText('after', '\nExample:\n  campaigns list --json').action(list);
}

async function list(flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const { campaigns, unreadable, workers, redisRefuses, pausedQueues } = await listCampaigns(runtime);
  const unreachable = await unreachableIn(runtime, campaigns);
  output.document('list', {
    campaigns: campaigns.map(campaignDocument),
    unreadable,
    workers: workers.map(workerDocument),
    redisRefuses: redisRefuses ?? null,
    pausedQueues,
    unreachable: [...unreachable].flatMap(([account, services]) =>
      services.map((service) => ({ account, ...unreachableDocument(service) })),
    ),
  });
  if (campaigns.length === 0)
    output.print(`No campaigns yet (${runtime.redis.description}). Start one:\n  campaigns run FILE`);
  else {
    const rows = campaigns.map((campaign) => [
      campaign.id,
      campaign.name,
      stateName(campaign),
      campaign.account,
      String(campaign.rows),
      describeCounts(campaign),
    ]);
    for (const line of table(['ID', 'NAME', 'STATE', 'ACCOUNT', 'ROWS', 'COUNTS'], rows)) output.print(line);
  }
  for (const campaign of campaigns.filter(({ pauseReason }) => pauseReason !== undefined)) {
    output.print(`\nCampaign ${campaign.id} (${campaign.name})`);
    printPause(output, campaign);
  }
  for (const { id, reason } of unreadable)
    output.print(`\nCampaign ${id} is damaged in Redis: ${reason}. See docs/backup.md`);
  for (const note of [
    describeWorkers({ workers, redisRefuses }, campaigns),
    describePausedQueues(pausedQueues),
  ]) {
    if (note !== undefined) output.print(`\n${note}`);
  }
  for (const [account, services] of unreachable) {
    for (const service of services) output.print(`\naccount ${account}: ${describeUnreachable(service)}`);
  }
}
