/** `campaigns list`: all campaigns, newest first. */
import { readDeliveries } from '../../campaigns/deliveries.ts';
import { campaignDocument } from '../../campaigns/documents/campaign.ts';
import { unreachableDocument, workerDocument } from '../../campaigns/documents/progress.ts';
import { listCampaigns, unreachableIn } from '../../campaigns/list.ts';
import { describePausedQueues, describeUnreachable } from '../../campaigns/progress/notes.ts';
import { documentPlace } from '../../runtime/configuration.ts';
import type { Define } from '../flags/common.ts';
import { describeCounts, describeWorkers, printPause, stateName } from '../print/campaign.ts';
import { inSession, type Session } from '../session.ts';

const list: Define = (command) =>
  command.addHelpText('after', '\nExample:\n  campaigns list --json').action(inSession({}, listAll));

async function listAll({ runtime, output }: Session): Promise<void> {
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
    const deliveries = await readDeliveries(runtime, campaigns);
    const rows = campaigns.map((campaign, index) => [
      campaign.id,
      campaign.name,
      stateName(campaign, runtime.now()),
      campaign.account,
      String(campaign.rows),
      describeCounts(campaign, deliveries[index]),
    ]);
    output.table(['ID', 'NAME', 'STATE', 'ACCOUNT', 'ROWS', 'COUNTS'], rows);
  }
  for (const campaign of campaigns.filter(({ pauseReason }) => pauseReason !== undefined)) {
    output.print(`\nCampaign ${campaign.id} (${campaign.name})`);
    printPause(output, campaign);
  }
  for (const { id, reason } of unreadable)
    output.print(`\nCampaign ${id} is damaged in Redis: ${reason}. See ${documentPlace('backup.md')}`);
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

export const commands = { list };
