/** All campaigns, the workers, and paused queues. */
import type { Campaign, UnreadableCampaign } from '../ledger/campaigns/campaigns.ts';
import type { QueueName } from '../queues/queues.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { readWorkers, type SeenWorkers } from './progress/presence.ts';

export interface CampaignList extends SeenWorkers {
  /** Newest first. */
  readonly campaigns: readonly Campaign[];
  /** Their records in Redis are damaged. */
  readonly unreadable: readonly UnreadableCampaign[];
  /** Queues that somebody paused. */
  readonly pausedQueues: readonly QueueName[];
}

export async function listCampaigns(runtime: Pick<Runtime, 'ledger' | 'queues'>): Promise<CampaignList> {
  const [all, seen, pausedQueues] = await Promise.all([
    runtime.ledger.campaigns.readAll(),
    readWorkers(runtime),
    runtime.queues.paused(),
  ]);
  return { ...all, ...seen, pausedQueues };
}
