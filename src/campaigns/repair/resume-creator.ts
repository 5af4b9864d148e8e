/** Takes up a creator who has authorized anew: closes the breaker, and does the rows again that it failed. */
import { authorizationExpiredCode } from '../../api/contract/showcase.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import { type RetryTools, retryRows } from './retry.ts';

export interface ResumedCreator {
  readonly wasOpen: boolean;
  /** Rows sent back to waiting. */
  readonly rows: number;
}

/** @param name as the manifest writes the creator. @returns undefined when the campaign has no such creator. */
export async function resumeCreator(
  tools: RetryTools,
  campaign: Campaign,
  name: string,
): Promise<ResumedCreator | undefined> {
  const account = (await tools.ledger.campaigns.creators(campaign.id)).get(name);
  if (!account) return undefined;
  const wasOpen = await tools.ledger.creators.closeBreaker(campaign.account, account.creatorId);
  // Nothing of a campaign that was called off is sent again; the breaker concerns the others as well.
  if (campaign.cancelledAt !== undefined) return { wasOpen, rows: 0 };
  const filter = { error: String(authorizationExpiredCode), creator: name };
  const retried = await retryRows(tools, campaign, filter, { dryRun: false });
  return { wasOpen, rows: retried?.rows ?? 0 };
}
