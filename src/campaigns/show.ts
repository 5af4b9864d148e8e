/** One campaign, why rows were not posted, and paused queues. */
import { type Campaign, isUnderWay } from '../ledger/campaigns/campaigns.ts';
import type { UnreachableService } from '../ledger/service/service-reach.ts';
import type { QueueName } from '../queues/queues.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type Cause, causesOf } from './causes/causes.ts';
import { type CampaignRef, findCampaign } from './find.ts';

/** A campaign as `showCampaign` shows it. */
export interface ShownCampaign {
  readonly campaign: Campaign;
  /** The one with the most rows first. */
  readonly causes: readonly Cause[];
  /** Running rows that the rescuer finds without a live job again and again. */
  readonly rowsWithoutJobs: number;
  /** Queues that somebody paused, for all campaigns. */
  readonly pausedQueues: readonly QueueName[];
  /** Machines whose calls get no answer from the service; none for a campaign that does not run. */
  readonly unreachable: readonly UnreachableService[];
  /** Whether its rows may be running. */
  readonly isUnderWay: boolean;
}

/** A campaign with its causes of failure, and what it waits for. @throws {UseCaseError} `campaign_not_found`. */
export async function showCampaign(
  runtime: Pick<Runtime, 'ledger' | 'queues'>,
  ref: CampaignRef,
): Promise<ShownCampaign> {
  const campaign = await findCampaign(runtime, ref);
  const isRunning = campaign.state === 'running';
  const [causes, stranded, pausedQueues, unreachable] = await Promise.all([
    causesOf(runtime.ledger, campaign),
    runtime.ledger.stranded.told(),
    runtime.queues.paused(),
    isRunning ? runtime.ledger.reachOf(campaign.account).unreachable() : [],
  ]);
  const rowsWithoutJobs = stranded.get(campaign.id)?.rows ?? 0;
  return {
    campaign,
    causes,
    rowsWithoutJobs,
    pausedQueues,
    unreachable,
    isUnderWay: isUnderWay(campaign),
  };
}
