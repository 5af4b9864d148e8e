/** Compares a publishing record with the post that a row would have made. Pure functions. */
import type { PublishingRecord } from '../../service/posts.ts';

/** The post of a row whose outcome is unknown. Times are Unix epoch in milliseconds. */
export interface SoughtPost {
  readonly creatorId: string;
  readonly title: string;
  /** In display order; undefined if they are not known. */
  readonly fileIds: readonly string[] | undefined;
  readonly productId: string;
  /** Undefined for a post to be published at once. */
  readonly scheduledAt: number | undefined;
  readonly sentAt: number;
  /** Latest time at which it may have been sent; default: `sentAt`. */
  readonly sentUntil?: number | undefined;
}

/** `similar`: the captions are only alike, so a person has to check. `incomparable`: the record lacks the fields to decide. */
type Comparison = 'same' | 'similar' | 'other' | 'incomparable';

/** Services round schedules, at most to the minute. */
const scheduleRoundingMs = 60_000;

/**
 * Every field that the record has must fit. Without creator, time of creation and files or caption, any post would fit.
 * @param options `window`: how far the time of a record may be from the attempt (ms). `ofCreator`: only this creator's records were read.
 */
export function compareRecord(
  record: PublishingRecord,
  sought: SoughtPost,
  { window, ofCreator }: { readonly window: number; readonly ofCreator: boolean },
): Comparison {
  const { creatorId, title, productId, createdAt } = record;
  const differs =
    (creatorId !== undefined && creatorId !== sought.creatorId) ||
    (productId !== undefined && productId !== sought.productId) ||
    !hasFiles(record, sought) ||
    (createdAt !== undefined && !isOfTime(createdAt, sought, window)) ||
    !isScheduledAlike(record, sought, window);
  if (differs) return 'other';
  // Last, because it is slow: each of many records is compared with many rows.
  const titles = title === undefined ? 'same' : compareTitles(title, sought.title);
  if (titles === 'other') return 'other';
  const tellsCreator = ofCreator || creatorId !== undefined;
  const tellsFiles = record.businessId !== undefined && sought.fileIds !== undefined;
  const tellsContent = title !== undefined || tellsFiles;
  return tellsCreator && tellsContent && createdAt !== undefined ? titles : 'incomparable';
}

/** `similar`: only letters and digits are the same, ignoring case, or one caption is the beginning of the other. */
function compareTitles(one: string, other: string): 'same' | 'similar' | 'other' {
  if (normalized(one) === normalized(other)) return 'same';
  const [letters, others] = [lettersOf(one), lettersOf(other)];
  return letters.startsWith(others) || others.startsWith(letters) ? 'similar' : 'other';
}

/** A service may store a caption in another Unicode form, with other spaces, or without invisible characters. */
function normalized(title: string): string {
  return title
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function lettersOf(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function isOfTime(createdAt: number, { sentAt, sentUntil = sentAt }: SoughtPost, window: number): boolean {
  return createdAt >= sentAt - window && createdAt <= sentUntil + window;
}

function hasFiles({ businessId, businessIds }: PublishingRecord, { fileIds }: SoughtPost): boolean {
  if (fileIds === undefined) return true;
  if (businessId !== undefined && businessId !== fileIds[0]) return false;
  if (businessIds === undefined || businessIds.length === 0) return true;
  return businessIds.length === fileIds.length && businessIds.every((id, index) => id === fileIds[index]);
}

/** A post without a schedule may be shown as scheduled for the moment of its creation. Sent after its time, it has no schedule. */
function isScheduledAlike(
  record: PublishingRecord,
  { scheduledAt, sentAt, sentUntil = sentAt }: SoughtPost,
  window: number,
): boolean {
  if (record.scheduledAt === undefined) return true;
  if (scheduledAt !== undefined) {
    if (Math.abs(record.scheduledAt - scheduledAt) < scheduleRoundingMs) return true;
    if (scheduledAt > sentUntil) return false;
  }
  return record.createdAt === undefined || record.scheduledAt <= record.createdAt + window;
}
