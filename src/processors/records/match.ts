/** Compares a publishing record with the post that a row would have made. A pure function. */
import type { PublishingRecord } from '../../api/posts.ts';

/** The post of a row whose outcome is unknown. Times are Unix epoch in milliseconds. */
export interface SoughtPost {
  readonly creatorId: string;
  readonly title: string;
  /** In display order. */
  readonly fileIds: readonly string[];
  readonly productId: string;
  /** Undefined for a post to be published at once. */
  readonly scheduledAt: number | undefined;
  readonly sentAt: number;
}

export interface MatchOptions {
  /** How far the time of a record may be from the attempt, in milliseconds. */
  readonly window: number;
  /** Whether only this creator's records were read. */
  readonly ofCreator: boolean;
}

/** `incomparable`: the record lacks fields that are needed to decide. */
export type Comparison = 'same' | 'other' | 'incomparable';

/** Some services store times in seconds. */
const roundingMs = 1000;

/**
 * Every field that the record has must fit. It must have its creator (unless only that creator's records were read), its time of
 * creation, and its files or caption: without them, any post would fit.
 */
export function compareRecord(
  record: PublishingRecord,
  sought: SoughtPost,
  { window, ofCreator }: MatchOptions,
): Comparison {
  const { creatorId, title, productId, createdAt } = record;
  const differs =
    (creatorId !== undefined && creatorId !== sought.creatorId) ||
    (title !== undefined && title !== sought.title) ||
    (productId !== undefined && productId !== sought.productId) ||
    !hasFiles(record, sought) ||
    (createdAt !== undefined && Math.abs(createdAt - sought.sentAt) > window) ||
    !isScheduledAlike(record, sought, window);
  if (differs) return 'other';
  const tellsCreator = ofCreator || creatorId !== undefined;
  const tellsContent = title !== undefined || record.businessId !== undefined;
  return tellsCreator && tellsContent && createdAt !== undefined ? 'same' : 'incomparable';
}

function hasFiles({ businessId, businessIds }: PublishingRecord, { fileIds }: SoughtPost): boolean {
  if (businessId !== undefined && businessId !== fileIds[0]) return false;
  if (businessIds === undefined || businessIds.length === 0) return true;
  return businessIds.length === fileIds.length && businessIds.every((id, index) => id === fileIds[index]);
}

/** A post without a schedule may be shown as scheduled for the moment of its creation. */
function isScheduledAlike(record: PublishingRecord, { scheduledAt }: SoughtPost, window: number): boolean {
  if (record.scheduledAt === undefined) return true;
  if (scheduledAt !== undefined) return Math.abs(record.scheduledAt - scheduledAt) < roundingMs;
  return record.createdAt === undefined || record.scheduledAt <= record.createdAt + window;
}
