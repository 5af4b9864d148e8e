/** All campaigns, the workers, and paused queues. */
import type { Campaign, UnreadableCampaign } from '../ledger/campaigns/campaigns.ts';
import type { WorkerPresence } from '../ledger/presence.ts';
import type { QueueName } from '../queues/queues.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** All campaigns, the workers, and paused queues. */
export interface CampaignList {
  /** Newest first. */
  readonly campaigns: readonly Campaign[];
  /** Their records in Redis are damaged. */
  readonly unreadable: readonly UnreadableCampaign[];
  /** Workers that are alive, and those that recently went silent. */
  readonly workers: readonly WorkerPresence[];
  /** Queues that somebody paused. */
  readonly pausedQueues: readonly QueueName[];
}

/** Lists all campaigns, the workers, and paused queues. */
export async function listCampaigns({
  ledger,
  queues,
}: Pick<Runtime, 'ledger' | 'queues'>): Promise<CampaignList> {
  const [all, workers, pausedQueues] = await Promise.all([
    ledger.campaigns.readAll(),
    ledger.presence.workers(),
    queues.paused(),
  ]);
  return { ...all, workers, pausedQueues };
}
