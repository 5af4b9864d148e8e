/** One campaign, why rows of it did not come through, and what holds it up. */
import { type Campaign, isUnderWay } from '../ledger/campaigns.ts';
import type { QueueName } from '../queues/queues.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { findCampaign } from './find.ts';
import { type Cause, causesOf } from './repair/causes.ts';

export interface ShownCampaign {
  readonly campaign: Campaign;
  /** The most rows first. */
  readonly causes: readonly Cause[];
  /** Queues that somebody has paused on Bull Board, for all campaigns. */
  readonly pausedQueues: readonly QueueName[];
  /** Rows of it are, or may be, at work. */
  readonly isUnderWay: boolean;
}

/** @throws {UseCaseError} `campaign_not_found`. */
export async function showCampaign(
  runtime: Pick<Runtime, 'ledger' | 'queues'>,
  id: string,
): Promise<ShownCampaign> {
  const campaign = await findCampaign(runtime, id);
  const [causes, pausedQueues] = await Promise.all([
    causesOf(runtime.ledger, campaign),
    runtime.queues.paused(),
  ]);
  return { campaign, causes, pausedQueues, isUnderWay: isUnderWay(campaign) };
}
