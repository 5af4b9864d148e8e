/** Fails the rows of posts that the service accepted but, by the publishing records, did not publish. */

import type { PostedResult } from '../../ledger/rows/results.ts';
import type { EarlierPosts, PostChange, PostFailure } from '../../ledger/transitions/publishing.ts';
import { rowNumber } from '../../manifest/row.ts';
import type { PublishingRecord } from '../../service/posts.ts';
import type { ListExtent } from '../../service/transport/paging.ts';
import type { CampaignView } from '../runner/campaign-view.ts';
import { describePart, type RecordTools, readRecords, readRecordsOf, type SentPost } from './source.ts';

/** A post whose record has news: mostly, that it was not published. */
export interface FailedPost extends PostChange {
  readonly key: string;
  /** As given by the records. */
  readonly reason: string | undefined;
}

export function isFailed({ settings }: Pick<RecordTools, 'settings'>, status: string): boolean {
  return settings.records.failed.includes(status);
}

/** When a post is to be published: undefined once it is, even if that was before its time. */
export function timeToCome(
  { settings }: Pick<RecordTools, 'settings'>,
  { postStatus, plannedAt }: Pick<PostedResult, 'postStatus' | 'plannedAt'>,
): number | undefined {
  const { final, failed } = settings.records;
  return final.includes(postStatus) && !failed.includes(postStatus) ? undefined : plannedAt;
}

/** Logs the event `post.failed` for each. @returns the posts whose row has not changed meanwhile. */
export async function failPosts(
  { ledger, log, now }: Pick<RecordTools, 'ledger' | 'log' | 'now'>,
  { campaign }: CampaignView,
  posts: readonly FailedPost[],
): Promise<readonly FailedPost[]> {
  const failures = posts.map((post): FailedPost & PostFailure => ({
    ...post,
    error: {
      step: 'post',
      code: 'publishing_failed',
      message: post.reason ?? `The post was not published: its record says ${post.postStatus}.`,
      fix:
        'Retry the row: only the post is made again. If the message names a fault in the row, fix it in the sheet instead. ' +
        'If its time has passed, give it a new one.',
      at: now(),
    },
  }));
  const failed = await ledger.failedPosts.fail(campaign.id, failures);
  for (const { key, row, before, postStatus, reason } of failed) {
    const facts = { campaign: campaign.id, row: rowNumber(row), key, postId: before.postId };
    log.warn({ event: 'post.failed', ...facts, status: postStatus, reason }, 'post not published');
  }
  return failed;
}

/** What the records now say about a failed row that had posts. */
export type Recheck =
  | { readonly kind: 'failed' }
  | PublishedSince
  /** Not known, so the row must not be sent again. `why`: a clause. */
  | { readonly kind: 'unread'; readonly why: string };

export interface PublishedSince {
  readonly kind: 'posted';
  readonly key: string;
  readonly earlier: EarlierPosts;
  /** The post, with the status of its record. */
  readonly result: PostedResult;
}

/**
 * Reads the records of rows' earlier posts. Records which rows have no published post: only those may be sent again.
 * @throws {ApiError} when the records cannot be read.
 */
export async function recheckPosts(
  tools: RecordTools,
  view: CampaignView,
  sought: ReadonlyMap<number, EarlierPosts>,
): Promise<ReadonlyMap<number, Recheck>> {
  const keys = new Map<number, string>();
  const posts = new Map<string, SentPost>();
  for (const [row, earlier] of sought) {
    const read = await view.readableWithCreator(row);
    if (!read) continue;
    keys.set(row, read.row.key);
    const { creatorId } = read.creator;
    for (const result of earlier) posts.set(result.postId, { creatorId, result });
  }
  const records = new Map<string, PublishingRecord>();
  const keep = (record: PublishingRecord) => {
    if (posts.has(record.postId)) records.set(record.postId, record);
  };
  let part: ListExtent | undefined;
  const onEnd = (extent: ListExtent) => {
    if (!extent.isWhole) part = extent;
  };
  for await (const record of readRecordsOf(tools, [...posts.values()], onEnd)) keep(record);
  // An import into the campaign may have given the row another creator since.
  if (tools.client.posts.narrowsBy('postId')) {
    for (const postId of posts.keys()) {
      if (records.has(postId)) continue;
      for await (const record of readRecords(tools, { postId }, onEnd)) keep(record);
    }
  }
  const found = new Map(
    [...sought].map(([row, earlier]): [number, Recheck] => {
      const key = keys.get(row);
      if (key === undefined) return [row, { kind: 'unread', why: 'this version cannot read the row' }];
      return [row, judge(tools, key, earlier, records, part)];
    }),
  );
  const failed = [...sought].filter(([row]) => found.get(row)?.kind === 'failed');
  await tools.ledger.failedPosts.recordRechecks(view.campaign.id, new Map(failed));
  return found;
}

/** @param part what was seen of records that were not read whole. */
function judge(
  tools: RecordTools,
  key: string,
  earlier: EarlierPosts,
  records: ReadonlyMap<string, PublishingRecord>,
  part: ListExtent | undefined,
): Recheck {
  let unread: Recheck | undefined;
  for (const result of earlier) {
    const { postId } = result;
    const record = records.get(postId);
    if (!record) {
      unread = { kind: 'unread', why: `its post is not in the publishing records${describePart(part)}` };
    } else if (record.status === undefined) {
      unread = { kind: 'unread', why: 'the record of its post has no status' };
    } else if (!isFailed(tools, record.status)) {
      return { kind: 'posted', key, earlier, result: { ...result, postStatus: record.status } };
    }
  }
  return unread ?? { kind: 'failed' };
}
