/** Takes up a creator who has authorized anew: closes the breaker, and does the rows again that it failed. */
import { authorizationExpiredCode } from '../../api/contract/showcase.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { retryRows } from './retry.ts';

export interface ResumedCreator {
  readonly wasOpen: boolean;
  /** Rows sent back to waiting. */
  readonly rows: number;
}

/** @param name as the manifest writes the creator. @throws {UseCaseError} `creator_not_found`. */
export async function resumeCreator(
  runtime: Pick<Runtime, 'ledger' | 'queues' | 'views'>,
  campaign: Campaign,
  name: string,
): Promise<ResumedCreator> {
  const { ledger } = runtime;
  const account = (await ledger.campaigns.creators(campaign.id)).get(name);
  if (!account) {
    throw new UseCaseError('creator_not_found', `campaign ${campaign.id} has no creator ${name}`, {
      cure: 'Name the creator as the sheet does.',
    });
  }
  const wasOpen = await ledger.creators.closeBreaker(campaign.account, account.creatorId);
  // Nothing of a campaign that was called off is sent again; the breaker concerns the others as well.
  if (campaign.cancelledAt !== undefined) return { wasOpen, rows: 0 };
  const filter = { error: String(authorizationExpiredCode), creator: name };
  const { rows } = await retryRows(runtime, campaign, filter, { dryRun: false });
  return { wasOpen, rows };
}
