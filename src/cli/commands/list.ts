/** `campaigns list`: all campaigns, newest first. */

import { campaignDocument } from '../../app/campaigns/find.ts';
import { findForgotten } from '../../app/campaigns/journal.ts';
import { listCampaigns, unreachableIn } from '../../app/campaigns/list.ts';
import { readDeliveries } from '../../app/campaigns/post-status.ts';
import {
  describePausedQueues,
  describeUnreachable,
  unreadableNote,
} from '../../app/campaigns/progress/notes.ts';
import { unreachableDocument, workersDocument } from '../../app/campaigns/queues.ts';
import type { Define } from '../flags/common.ts';
import { describeCounts, describeWorkers, printPause, stateName } from '../print/campaign.ts';
import { printForgotten, printNoCampaign } from '../print/progress.ts';
import { inSession, type Session } from '../session.ts';

export const list: Define = (command) =>
  command.notes('\nExample:\n  campaigns list --json').action(inSession({}, listAll));

async function listAll({ runtime, output }: Session): Promise<void> {
  const { campaigns, unreadable, pausedQueues, ...seen } = await listCampaigns(runtime);
  const unreachable = await unreachableIn(runtime, campaigns);
  const forgotten = await findForgotten(runtime, campaigns.length + unreadable.length);
  output.document('list', {
    campaigns: campaigns.map(campaignDocument),
    unreadable,
    ...workersDocument(seen),
    pausedQueues,
    unreachable: unreachable.map(unreachableDocument),
    forgotten: forgotten.map(({ text }) => text),
  });
  if (campaigns.length + unreadable.length === 0) {
    const redis = runtime.redis.description;
    printNoCampaign(output, `No campaigns yet (${redis}).`, { redis, forgotten });
  } else if (campaigns.length > 0) {
    const deliveries = await readDeliveries(runtime, campaigns);
    const rows = campaigns.map((campaign, index) => [
      campaign.id,
      campaign.name,
      stateName(campaign),
      String(campaign.rows),
      describeCounts(campaign, deliveries[index]),
    ]);
    output.table(['ID', 'NAME', 'STATE', 'ROWS', 'COUNTS'], rows);
  }
  printForgotten(output, unreadable.map(unreadableNote));
  if (campaigns.length > 0) printForgotten(output, forgotten);
  for (const campaign of campaigns.filter(({ pauseReason }) => pauseReason !== undefined)) {
    output.print(`\nCampaign ${campaign.id} (${campaign.name})`);
    printPause(output, campaign);
  }
  for (const note of [describeWorkers(seen, campaigns), describePausedQueues(pausedQueues)]) {
    if (note !== undefined) output.print(`\n${note}`);
  }
  for (const service of unreachable) output.print(`\n${describeUnreachable(service)}`);
}
