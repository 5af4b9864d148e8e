/** Rows in review, with what a person needs to compare them with the service. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { latestGeneration } from '../../ledger/rows/row-progress.ts';
import type { RowError } from '../../ledger/states.ts';
import { type Document, isoTimeOrNull } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Decidable } from '../causes/commands.ts';
import type { reviewRowSchema } from '../documents/review.ts';
import { rowErrorDocument } from '../documents/row.ts';
import { describeRows } from '../rows/list.ts';
import { listMedia, mediumDocument, type ShownMedium } from '../rows/media.ts';
import { type ReviewRow, readReviewRows } from './review-rows.ts';

export interface ReviewItem {
  readonly campaign: Pick<Campaign, 'id' | 'name'>;
  /** Position in the campaign, from 0. */
  readonly position: number;
  /** A decision counts for this revision only. */
  readonly revision: number;
  readonly key: string;
  /** Subject of the decision. */
  readonly about: Decidable;
  /** With the similar records of the last search. */
  readonly error: RowError;
  /** Time of the call of unknown outcome (Unix epoch, milliseconds), if there is one. */
  readonly sentAt: number | undefined;
  /** Until when that call may still be under way (Unix epoch, milliseconds): before that, nothing is decided that sends it again. */
  readonly underWayUntil: number | undefined;
  /** Schedule id of its generation, if known. */
  readonly scheduleId: string | undefined;
  /** AI outputs that another generation would make. */
  readonly outputs: number;
  readonly creator: string;
  readonly caption: string;
  readonly product: string;
  readonly productId: string | undefined;
  /** Unix epoch, milliseconds. */
  readonly scheduledAt: number | undefined;
  /** The first of its media. */
  readonly medium: ShownMedium | undefined;
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
    const [spec, [medium]] = await Promise.all([view?.uncachedRow(row), listMedia(runtime, campaign, row)]);
    const { key, creator, caption, product, scheduledAt } = shown;
    return [
      {
        campaign,
        position: row,
        revision,
        key,
        about,
        error,
        medium,
        creator,
        caption,
        product,
        scheduledAt,
        sentAt: unknownCalls[index]?.sentAt,
        underWayUntil: progress.underWayUntil,
        scheduleId: progress.generations.get(latestGeneration(progress))?.scheduleId || undefined,
        outputs: Math.max(0, (spec?.generation?.count ?? 0) - progress.assets.length),
        productId: spec?.product.id,
      },
    ];
  });
  return (await Promise.all(items)).flat();
}

export function reviewRowDocument(item: ReviewItem): Document<typeof reviewRowSchema> {
  const { campaign, key, position, revision, about, error, creator, caption, product, medium } = item;
  return {
    campaign: campaign.id,
    campaignName: campaign.name,
    key,
    position,
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
    sentAt: isoTimeOrNull(item.sentAt),
    scheduleId: item.scheduleId ?? null,
    outputs: item.outputs,
    creator,
    caption,
    product,
    productId: item.productId ?? null,
    scheduledAt: isoTimeOrNull(item.scheduledAt),
    medium: medium === undefined ? null : mediumDocument(medium),
  };
}
