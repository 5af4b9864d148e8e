/** Campaigns that a run without a manifest continues. */
import type { Campaign } from '../ledger/campaigns/campaigns.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { requireService } from '../runtime/service/errors.ts';

/** Campaigns to go on with. */
export interface Unfinished {
  /** Newest first. */
  readonly unfinished: readonly Campaign[];
  /** Campaigns whose account is configured here, oldest first. The others wait. */
  readonly workable: readonly Campaign[];
  /** The campaign that ended last. */
  readonly endedLast: Campaign | undefined;
}

/**
 * Finds the campaigns that have not ended.
 * @param options.account only campaigns of this account; default: all.
 * @throws {UseCaseError} `account_*` when no campaign's account is configured; `service_unreachable`.
 */
export async function findUnfinished(
  runtime: Runtime,
  { account }: { readonly account?: string | undefined } = {},
): Promise<Unfinished> {
  const { accounts, ledger } = runtime;
  const campaigns = await ledger.campaigns.list();
  const ofAccount = campaigns.filter((campaign) => (account ?? campaign.account) === campaign.account);
  const unfinished = ofAccount.filter(({ state }) => state !== 'ended');
  const [endedLast] = ofAccount
    .filter(({ state }) => state === 'ended')
    .sort((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0));
  const workable = unfinished.filter((campaign) => accounts.names.includes(campaign.account)).toReversed();
  const [first] = unfinished;
  if (first && workable.length === 0) accounts.need(first.account);
  for (const name of new Set(workable.map((campaign) => campaign.account))) {
    await requireService(accounts.need(name));
  }
  return { unfinished, workable, endedLast };
}
