/** Calls a campaign off: what waits or runs is cancelled, what is in doubt goes to review, what has ended stays. */
import type { CampaignState } from '../ledger/campaigns.ts';
import { type Cancellation, type CancellationTools, cancelRows } from '../processors/upkeep/cancellation.ts';

export interface CancelResult extends Cancellation {
  /** `ended` before as well: there was nothing to call off. */
  readonly was: CampaignState;
  readonly state: CampaignState;
}

/** @returns undefined when there is no such campaign. A crash in between is made good by the keeper, or by the same call. */
export async function cancelCampaign(
  tools: CancellationTools,
  id: string,
): Promise<CancelResult | undefined> {
  const { campaigns, cancellation } = tools.ledger;
  const campaign = await campaigns.find(id);
  if (!campaign) return undefined;
  const { state: was } = campaign;
  const began = await cancellation.begin(id);
  const rows = began === 'cancelling' ? await cancelRows(tools, campaign) : { cancelled: 0, review: 0 };
  return { ...rows, was, state: (await campaigns.find(id))?.state ?? 'ended' };
}
