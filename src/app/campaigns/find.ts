/** Campaigns as documents have them. Finds them by id, and their rows by key. */
import { z } from 'zod';
import { type Campaign, campaignState, isUnderWay } from '../../ledger/campaigns/campaign.ts';
import { UnreadableRecordError } from '../../ledger/stored-json.ts';
import { approveRules, writeLead } from '../../manifest/campaign-options.ts';
import { hint, hintsField } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../manifest/row.ts';
import {
  type Document,
  isoTime,
  isoTimeOf,
  isoTimeOrNull,
  rowState,
  stepName,
} from '../runtime/documents.ts';
import { documentPlace } from '../runtime/package.ts';
import type { Runtime } from '../runtime/runtime.ts';

export const campaignSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    state: campaignState,
    rows: z.int(),
    counts: z.record(rowState, z.int()),
    steps: z.record(stepName, z.int()),
    paused: z.strictObject({ code: z.string(), message: z.string(), hints: hintsField }).optional(),
    /** Path of the manifest, as given by the user. */
    source: z.string(),
    sha256: z.string(),
    mediaRoot: z.string(),
    leftOut: z.int(),
    window: z.int(),
    timezone: z.string().nullable(),
    createdAt: isoTime,
    endedAt: isoTime.nullable(),
    /** The last planned time of its accepted posts: before it, an ended campaign still has posts to come. */
    plannedUntil: isoTime.nullable(),
    /** Milliseconds until its end without pauses, and without the time between an end and a retry. */
    workedMs: z.number().nullable(),
    cancelledAt: isoTime.nullable(),
    /** Rows. */
    canary: z.int().nullable(),
    /** What the rows of the canary are; null for the first ones of the sheet. */
    canaryOf: z.string().nullable(),
    /** Name of the person who started it, as far as that is known. */
    startedBy: z.string().nullable(),
    /** Percent. */
    stopAfter: z.number().nullable(),
    /** How long before their time the service gets its posts: `now`, or such as `2d`. */
    lead: z.string(),
    approve: z.enum(approveRules),
    /** Ready rows that wait for an approval. */
    unapproved: z.int(),
  })
  .meta({ id: 'Campaign' });

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
    fix: [hint('list', { what: 'campaigns' })],
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
    fix: `Give the runner its own Redis, or restore this Redis from a backup: see ${documentPlace('backup.md')}`,
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

/** As `findRow`, with one search for all keys. @returns by key, in their order. */
export async function findNamedRows(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RowIndex>> {
  const found = [...(await ledger.rowKeys.findAll(campaign, keys))];
  return new Map(
    found.map(([key, row]) => {
      if (row === undefined) throw rowNotFound(campaign.id, key);
      return [key, row];
    }),
  );
}

export function rowNotFound(campaign: string, key: string): UseCaseError {
  return new UseCaseError('row_not_found', `campaign ${campaign} has no row ${key}`, {
    fix: 'Give the key of the row as in the sheet.',
  });
}

export function campaignDocument(campaign: Campaign): Document<typeof campaignSchema> {
  const { id, name, state, rows, counts, done, source, sha256, mediaRoot, leftOut, window } = campaign;
  const { timezone, canary, stopAfter } = campaign;
  return {
    id,
    name,
    state,
    rows,
    counts,
    steps: done,
    ...(campaign.pauseReason && { paused: campaign.pauseReason }),
    source,
    sha256,
    mediaRoot,
    leftOut,
    window,
    timezone,
    createdAt: isoTimeOf(campaign.createdAt),
    endedAt: isoTimeOrNull(campaign.endedAt),
    plannedUntil: isoTimeOrNull(campaign.plannedUntil),
    workedMs: campaign.endedAt === undefined ? null : (campaign.workedMs ?? null),
    cancelledAt: isoTimeOrNull(campaign.cancelledAt),
    canary,
    canaryOf: campaign.canaryOf ?? null,
    startedBy: campaign.startedBy ?? null,
    stopAfter,
    lead: writeLead(campaign.lead),
    approve: campaign.approve,
    unapproved: campaign.unapproved,
  };
}
