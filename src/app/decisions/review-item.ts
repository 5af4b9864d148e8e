/** Rows in review, with what a person needs to compare them with the service. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { latestGeneration } from '../../ledger/rows/row-progress.ts';
import type { reviewRowSchema } from '../campaigns/documents/review.ts';
import { rowErrorDocument } from '../campaigns/documents/row.ts';
import { describeRows } from '../campaigns/rows/list.ts';
import { listMedia } from '../campaigns/rows/media.ts';
import { type Document, isoTimeOrNull } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type ReviewRow, readReviewRows } from './review-rows.ts';

/** A row in review as programs get it, and what pages need besides. Times are in milliseconds since the epoch. */
export interface ReviewItem extends Document<typeof reviewRowSchema> {
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
    const { key, creator, caption, product, scheduledAt } = shown;
    const generated = { made: progress.assets.length, asked: spec?.generation?.count ?? 0 };
    return [
      {
        campaign: campaign.id,
        campaignName: campaign.name,
        key,
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
