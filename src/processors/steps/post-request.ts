/** The request that creates a row's publishing task (contract, section 4.1). */

import type { CreatorRef } from '../../ledger/campaigns/campaign.ts';
import type { CoverRecord, RowProgress } from '../../ledger/rows/row-progress.ts';
import type { Row } from '../../manifest/row.ts';
import type { CreateCreatorPost } from '../../service/contract/posts.ts';

/** How many files a row's post needs. */
export function filesNeeded(row: Row): number {
  return row.generation ? row.generation.count : row.media.length;
}

/** File ids of a row's post in display order; undefined while one is missing. */
export function fileIdsOf(row: Row, progress: RowProgress): readonly string[] | undefined {
  const ids: string[] = [];
  for (let index = 0; index < filesNeeded(row); index++) {
    const id = progress.files.get(index);
    if (id === undefined) return undefined;
    ids.push(id);
  }
  return ids;
}

export interface PostRequestInput {
  readonly row: Row;
  readonly creator: CreatorRef;
  /** At least one, in display order. */
  readonly fileIds: readonly string[];
  readonly cover: CoverRecord | undefined;
  /** Omit the schedule: its time has passed, and the row is posted now. */
  readonly unscheduled: boolean;
}

export function postRequest({
  row,
  creator,
  fileIds,
  cover,
  unscheduled,
}: PostRequestInput): CreateCreatorPost {
  const product = { productId: row.product.id, title: row.product.title, source: row.product.source };
  const { id, ...details } = row.music ?? { id: '' };
  const music = row.music && { musicInfo: { id, ...defined(details) } };
  const schedule = unscheduled ? undefined : row.schedule;
  const common = {
    businessId: fileIds[0] ?? '',
    businessType: 'FILE' as const,
    creatorId: creator.creatorId,
    title: row.caption,
    platform: 'SOCIAL_SHOP' as const,
    ...defined({
      scheduledAt: schedule?.at,
      scheduledTz: schedule?.tz,
      oauthRegion: row.oauthRegion,
    }),
  };
  if (row.mediaType === 'PHOTO') {
    return {
      ...common,
      mediaType: 'PHOTO',
      socialShopPhoto: {
        postType: 'MULTI_PHOTO_ONE_ANCHOR',
        businessIds: [...fileIds],
        productLinks: [product],
        ...music,
      },
    };
  }
  const uploaded = row.cover?.kind === 'uploaded' ? row.cover : cover;
  return {
    ...common,
    mediaType: 'VIDEO',
    ...(uploaded && { coverFileId: uploaded.fileId }),
    socialShop: {
      ...defined({
        preCheck: row.preCheck,
        preCheckOvertime: row.preCheckOvertime,
        isAiGenerated: row.isAiGenerated,
      }),
      ...(uploaded && { coverUri: uploaded.uri }),
      ...(row.cover?.kind === 'frame' && { coverTimestampMs: row.cover.timestampMs }),
      ...music,
      productInfo: product,
    },
  };
}

/** A copy without the fields that are undefined. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
