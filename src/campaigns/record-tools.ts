/** Tools for reading the publishing records of a campaign's account. */
import type { Campaign } from '../ledger/campaigns/campaigns.ts';
import type { RecordTools } from '../processors/records/source.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** The parts of a `Runtime` that reading the publishing records takes. */
export type RecordRuntime = Pick<Runtime, 'ledger' | 'settings' | 'views' | 'now' | 'log'> & {
  readonly accounts: Pick<Runtime['accounts'], 'need'>;
};

/** @throws {UseCaseError} when the campaign's account is not configured. */
export function recordTools<T extends RecordRuntime>(runtime: T, campaign: Campaign): T & RecordTools {
  return { ...runtime, ...runtime.accounts.need(campaign.account) };
}
