/** Rows in review, with what a decision needs to know, and what a person needs to compare them with the service. */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { latestGeneration, type RowProgress } from '../../ledger/rows/row-progress.ts';
import type { RowError } from '../../ledger/states.ts';
import type { RowVersion } from '../../manifest/row.ts';
import { isPausedForLoss } from '../campaigns/lost-rows.ts';
import { type Decidable, decidableOf } from '../campaigns/repair.ts';
import { describeRows, rowErrorDocument, rowErrorSchema } from '../campaigns/rows/list.ts';
import { listMedia, mediumSchema } from '../campaigns/rows/media.ts';
import { type Document, isoTime, isoTimeOrNull } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';

export interface ReviewRow extends RowVersion {
  readonly error: RowError | undefined;
  readonly progress: RowProgress;
  readonly about: Decidable;
}

/** What the last search of the publishing records found for a row. */
export type FoundInRecords = {
  readonly isNotFound?: boolean | undefined;
  readonly candidates?: readonly unknown[] | undefined;
};

/** When the row came to review (Unix epoch, milliseconds). */
export function inReviewSince({ error }: Pick<ReviewRow, 'error'>): number {
  return error?.at ?? 0;
}

/** @returns the rows that are in review, in their order. */
export async function readReviewRows(
  ledger: Ledger,
  { id }: Campaign,
  rows: readonly number[],
): Promise<readonly ReviewRow[]> {
  const [statuses, errors, records] = await Promise.all([
    ledger.rows.statusesOf(id, rows),
    ledger.rows.errors(id, rows),
    ledger.rows.progressOf(id, rows),
  ]);
  return rows.flatMap((row, index): ReviewRow[] => {
    const [status, error, progress] = [statuses[index], errors[index], records[index]];
    if (status?.state !== 'review' || !progress) return [];
    const about = aboutOf(error, progress);
    return about === undefined ? [] : [{ row, revision: status.revision, error, progress, about }];
  });
}

/** Its waiting, running and ready rows, while it is paused because Redis lost records, as if their posts were of unknown outcome. */
export async function readLostRows(
  ledger: Ledger,
  campaign: Campaign,
  rows: readonly number[],
): Promise<readonly ReviewRow[]> {
  const { id } = campaign;
  if (!isPausedForLoss(campaign) || rows.length === 0) return [];
  const [statuses, records] = await Promise.all([
    ledger.rows.statusesOf(id, rows),
    ledger.rows.progressOf(id, rows),
  ]);
  return rows.flatMap((row, index): ReviewRow[] => {
    const [status, progress] = [statuses[index], records[index]];
    if (status === undefined || !['waiting', 'running', 'ready'].includes(status.state) || !progress)
      return [];
    const { revision } = status;
    return [
      { row, revision, error: undefined, progress: { ...progress, unknownEffect: 'post' }, about: 'post' },
    ];
  });
}

/**
 * An unknown outcome: a call that still has a journal entry (a post or a generation). Without an entry: a generation that was not complete in
 * time, or a post whose time had passed. Undefined if neither is left: somebody has just decided about the row.
 */
function aboutOf(error: RowError | undefined, { unknownEffect }: RowProgress): Decidable | undefined {
  if (unknownEffect !== undefined) return unknownEffect === 'post' ? 'post' : 'generation';
  return error && decidableOf(error);
}

/** A publishing record that may be the post of the row. */
const candidateSchema = z.strictObject({
  postId: z.string(),
  status: z.string().nullable(),
  title: z.string().nullable(),
  /** The caption is only alike. */
  isSimilar: z.boolean(),
  productId: z.string().nullable(),
  /** The record names files, and they are those of the row. */
  hasFiles: z.boolean(),
  scheduledAt: isoTime.nullable(),
  createdAt: isoTime.nullable(),
});

export const reviewRowSchema = z
  .strictObject({
    /** Id of the campaign. */
    campaign: z.string(),
    campaignName: z.string(),
    key: z.string(),
    /** In the campaign, from 0. */
    position: z.int(),
    /** A decision counts only for this revision. */
    revision: z.int(),
    about: z.enum(['post', 'generation']),
    error: rowErrorSchema,
    /** As of the last look into the publishing records; `lookedAt` is null before the first one. */
    candidates: z.array(candidateSchema),
    lookedAt: isoTime.nullable(),
    /** Whether a late enough search of all records did not find the post. If false, the post may exist. */
    isNotFound: z.boolean(),
    /** When the call of unknown outcome was sent. */
    sentAt: isoTime.nullable(),
    scheduleId: z.string().nullable(),
    /** AI outputs that another generation would make. */
    outputs: z.int(),
    creator: z.string(),
    caption: z.string(),
    product: z.string(),
    productId: z.string().nullable(),
    scheduledAt: isoTime.nullable(),
    medium: mediumSchema.nullable(),
  })
  .meta({ id: 'ReviewRow' });

/** A row in review as programs get it, and what pages need besides. Times are in milliseconds since the epoch. */
export interface ReviewItem extends Document<typeof reviewRowSchema> {
  /** `line 5`, of a row without a key of its own. */
  readonly place: string | undefined;
  readonly inReviewSince: number;
  /** Until when its call may still be under way: before that, nothing is decided that sends it again. */
  readonly underWayUntil: number | undefined;
  /** AI outputs that it has, and those that it asked for in all. */
  readonly generated: { readonly made: number; readonly asked: number };
}

export type ReviewRuntime = Pick<Runtime, 'ledger' | 'views' | 'settings' | 'now'>;

/** @returns the rows that are in review, in their order. */
export async function describeReview(
  runtime: ReviewRuntime,
  campaign: Campaign,
  positions: readonly number[],
): Promise<readonly ReviewItem[]> {
  return describeReviewRows(runtime, campaign, await readReviewRows(runtime.ledger, campaign, positions));
}

export async function describeReviewRows(
  runtime: ReviewRuntime,
  campaign: Campaign,
  rows: readonly ReviewRow[],
): Promise<readonly ReviewItem[]> {
  const positions = rows.map(({ row }) => row);
  const [listed, unknownCalls, view] = await Promise.all([
    describeRows(runtime, campaign, positions),
    runtime.ledger.publishing.unknownCalls(campaign.id, positions),
    runtime.views.open(campaign.id, campaign.sheetVersion),
  ]);
  const items = rows.map(async ({ row, revision, error, progress, about }, index) => {
    const shown = listed[index];
    if (shown === undefined || error === undefined) return [];
    const [spec, [medium = null]] = await Promise.all([
      view?.uncachedRow(row),
      listMedia(runtime, campaign, row),
    ]);
    const { key, place, creator, caption, product, scheduledAt } = shown;
    const generated = { made: progress.assets.length, asked: spec?.generation?.count ?? 0 };
    return [
      {
        campaign: campaign.id,
        campaignName: campaign.name,
        key,
        place,
        position: row,
        revision,
        about,
        error: rowErrorDocument(error),
        candidates: (error.candidates ?? []).map(
          ({ status = null, title = null, productId = null, ...each }) => ({
            postId: each.postId,
            status,
            title,
            isSimilar: each.isSimilar,
            productId,
            hasFiles: each.hasFiles,
            scheduledAt: isoTimeOrNull(each.scheduledAt),
            createdAt: isoTimeOrNull(each.createdAt),
          }),
        ),
        lookedAt: isoTimeOrNull(error.notedAt),
        isNotFound: error.isNotFound === true,
        sentAt: isoTimeOrNull(unknownCalls[index]?.sentAt),
        scheduleId: progress.generations.get(latestGeneration(progress))?.scheduleId || null,
        outputs: Math.max(0, generated.asked - generated.made),
        creator,
        caption,
        product,
        productId: spec?.product.id ?? null,
        scheduledAt,
        medium,
        inReviewSince: error.at,
        underWayUntil: progress.underWayUntil,
        generated,
      },
    ];
  });
  return (await Promise.all(items)).flat();
}
