/** Resumes a creator who has authorized again: closes the breaker, and retries the rows that it failed. */
import { authorizationExpiredCode } from '../../api/contract/showcase.ts';
import type { Campaign, CampaignState } from '../../ledger/campaigns/campaigns.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { type CampaignRef, findCampaign } from '../find.ts';
import { type RetryFilter, type RetryResult, type RetryRuntime, retryRows } from './retry.ts';

/** What became of a creator's rows. */
export interface ResumedCreator {
  readonly wasOpen: boolean;
  /** Rows sent back to waiting. */
  readonly rows: number;
  /** State of the campaign. In a paused one, the rows wait until it is resumed. */
  readonly state: CampaignState;
}

/**
 * Plans to resume a creator who has authorized again. Changes nothing.
 * @throws {UseCaseError} `creator_not_found`, `campaign_cancelled`.
 */
export async function planCreator(
  runtime: RetryRuntime,
  campaign: Campaign,
  name: string,
): Promise<RetryResult> {
  await accountOf(runtime, campaign, name);
  return retryRows(runtime, campaign, stoppedRows(name), { dryRun: true, released: name });
}

/**
 * Resumes a creator who has authorized again: retries the rows that failed for it.
 * @param name as written in the manifest.
 * @throws {UseCaseError} `creator_not_found`.
 */
export async function resumeCreator(
  runtime: RetryRuntime,
  ref: CampaignRef,
  name: string,
): Promise<ResumedCreator> {
  const campaign = await findCampaign(runtime, ref);
  const { ledger } = runtime;
  const account = await accountOf(runtime, campaign, name);
  const wasOpen = await ledger.creators.closeBreaker(campaign.account, account.creatorId);
  // Rows of a cancelled campaign are not sent again, but the breaker also concerns other campaigns.
  if (campaign.cancelledAt !== undefined) return { wasOpen, rows: 0, state: campaign.state };
  const { rows, state } = await retryRows(runtime, campaign, stoppedRows(name));
  return { wasOpen, rows, state };
}

function stoppedRows(creator: string): RetryFilter {
  return { error: String(authorizationExpiredCode), creator };
}

async function accountOf({ ledger }: RetryRuntime, { id }: Campaign, name: string) {
  const account = (await ledger.campaigns.creators(id)).get(name);
  if (account !== undefined) return account;
  throw new UseCaseError('creator_not_found', `campaign ${id} has no creator ${name}`, {
    cure: 'Give the creator as written in the sheet.',
  });
}
