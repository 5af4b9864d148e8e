/** Finds campaigns by id, and their rows by key. */
import { type Campaign, isUnderWay } from '../../ledger/campaigns/campaign.ts';
import { UnreadableRecordError } from '../../ledger/stored-json.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { documentPlace } from '../runtime/configuration.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** A campaign, or its id. */
export type CampaignRef = Campaign | string;

export function idOf(campaign: CampaignRef): string {
  return typeof campaign === 'string' ? campaign : campaign.id;
}

/** Reads a campaign as it is now, whenever the one that is given was read. @throws {UseCaseError} `campaign_not_found`, `campaign_unreadable`. */
export async function findCampaign(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: CampaignRef,
): Promise<Campaign> {
  const id = idOf(campaign);
  const found = await ledger.campaigns.find(id).catch(refuseUnreadable);
  if (found) return found;
  throw new UseCaseError('campaign_not_found', `there is no campaign ${id}`, {
    cure: [hint('list', { what: 'campaigns' })],
  });
}

/** Reads campaigns; leaves out those that do not exist. */
export async function readCampaigns(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly CampaignRef[],
): Promise<readonly Campaign[]> {
  const found = await Promise.all(campaigns.map((campaign) => ledger.campaigns.find(idOf(campaign))));
  return found.filter((campaign) => campaign !== undefined);
}

/** @throws {UseCaseError} `campaign_unreadable` for a record that the ledger did not write; rethrows other errors. */
export function refuseUnreadable(error: unknown): never {
  if (!(error instanceof UnreadableRecordError)) throw error;
  throw new UseCaseError('campaign_unreadable', `a campaign cannot be read: ${error.message}`, {
    cure: `Give the runner a Redis of its own, or restore this one from a backup: see ${documentPlace('backup.md')}`,
    cause: error,
  });
}

/** Rows by state as people see it: in a campaign that does not run, begun rows wait. */
export function shownCounts({ state, counts }: Pick<Campaign, 'state' | 'counts'>): Campaign['counts'] {
  if (isUnderWay({ state })) return counts;
  return { ...counts, waiting: counts.waiting + counts.running, running: 0 };
}

/** @returns the position of a row, from 0. @throws {UseCaseError} `row_not_found`. */
export async function findRow(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  key: string,
): Promise<number> {
  const row = await ledger.rowKeys.find(campaign, key);
  if (row === undefined) throw rowNotFound(campaign.id, key);
  return row;
}

export function rowNotFound(campaign: string, key: string): UseCaseError {
  return new UseCaseError('row_not_found', `campaign ${campaign} has no row ${key}`, {
    cure: 'Give the key of the row as in the sheet.',
  });
}
