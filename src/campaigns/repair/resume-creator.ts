/** Goes on with a creator who has authorized again: closes the breaker, and retries the rows that it failed. */
import { authorizationExpiredCode } from '../../api/contract/showcase.ts';
import type { Campaign, CampaignState } from '../../ledger/campaigns.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { type RetryRuntime, retryRows } from './retry.ts';

export interface ResumedCreator {
  readonly wasOpen: boolean;
  /** Rows sent back to waiting. */
  readonly rows: number;
  /** State of the campaign. In a paused one, the rows wait until it is resumed. */
  readonly state: CampaignState;
}

/** @param name as written in the manifest. @throws {UseCaseError} `creator_not_found`. */
export async function resumeCreator(
  runtime: RetryRuntime,
  campaign: Campaign,
  name: string,
): Promise<ResumedCreator> {
  const { ledger } = runtime;
  const account = (await ledger.campaigns.creators(campaign.id)).get(name);
  if (!account) {
    throw new UseCaseError('creator_not_found', `campaign ${campaign.id} has no creator ${name}`, {
      cure: 'Give the creator as written in the sheet.',
    });
  }
  const wasOpen = await ledger.creators.closeBreaker(campaign.account, account.creatorId);
  // Rows of a cancelled campaign are not sent again, but the breaker also concerns other campaigns.
  if (campaign.cancelledAt !== undefined) return { wasOpen, rows: 0, state: campaign.state };
  const filter = { error: String(authorizationExpiredCode), creator: name };
  const { rows, state } = await retryRows(runtime, campaign, filter, { dryRun: false });
  return { wasOpen, rows, state };
}
