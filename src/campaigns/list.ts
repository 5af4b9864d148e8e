/** All campaigns, the workers, and paused queues. */
import type { Campaign, UnreadableCampaign } from '../ledger/campaigns/campaigns.ts';
import type { UnreachableService } from '../ledger/service/service-reach.ts';
import type { QueueName } from '../queues/queues.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { readWorkers, type SeenWorkers } from './progress/workers.ts';

/** All campaigns, the workers, and paused queues. */
export interface CampaignList extends SeenWorkers {
  /** Newest first. */
  readonly campaigns: readonly Campaign[];
  /** Their records in Redis are damaged. */
  readonly unreadable: readonly UnreadableCampaign[];
  /** Queues that somebody paused. */
  readonly pausedQueues: readonly QueueName[];
}

/** Machines whose calls get no answer, by account of a running campaign. */
export async function unreachableIn(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly Campaign[],
): Promise<ReadonlyMap<string, readonly UnreachableService[]>> {
  const running = campaigns.filter(({ state }) => state === 'running').map(({ account }) => account);
  const accounts = [...new Set(running)];
  const found = await Promise.all(accounts.map((account) => ledger.reachOf(account).unreachable()));
  return new Map(accounts.map((account, index) => [account, found[index] ?? []]));
}

/** Lists all campaigns, the workers, and paused queues. */
export async function listCampaigns(runtime: Pick<Runtime, 'ledger' | 'queues'>): Promise<CampaignList> {
  const [all, seen, pausedQueues] = await Promise.all([
    runtime.ledger.campaigns.readAll(),
    readWorkers(runtime),
    runtime.queues.paused(),
  ]);
  return { ...all, ...seen, pausedQueues };
}
