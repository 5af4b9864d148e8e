/** Reads the records of failed posts before their rows are sent again, because such a post may have been published since. */
import type { PublishingRecord } from '../../api/posts.ts';
import type { ListExtent } from '../../api/transport/paging.ts';
import type { PostedResult } from '../../ledger/rows/results.ts';
import type { EarlierPosts } from '../../ledger/transitions/failed-posts.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import { isFailed } from './failed-posts.ts';
import { describePart, type RecordTools, readRecords, readRecordsOf, type SentPost } from './source.ts';

/** What the records now say about a failed row that had posts. */
export type Recheck =
  | { readonly kind: 'failed' }
  | PublishedSince
  /** Not known, so the row must not be sent again. `why`: a clause. */
  | { readonly kind: 'unread'; readonly why: string };

/** One of the row's posts was published after all. */
export interface PublishedSince {
  readonly kind: 'posted';
  readonly key: string;
  readonly earlier: EarlierPosts;
  /** With the status of its record. */
  readonly result: PostedResult;
}

/**
 * Looks up the posts of rows, and notes in the ledger for which of them none is published: only such a row may be sent again.
 * @param sought failed rows with their earlier posts.
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
    [...sought].map(([row, earlier]) => [row, judge(tools, { key: keys.get(row), earlier, part }, records)]),
  );
  const failed = [...sought].filter(([row]) => found.get(row)?.kind === 'failed');
  await tools.ledger.failedPosts.noteLooks(view.campaign.id, new Map(failed));
  return found;
}

interface SoughtRow {
  /** Undefined if the row cannot be read. */
  readonly key: string | undefined;
  readonly earlier: EarlierPosts;
  /** What was seen of records that were not read whole. */
  readonly part: ListExtent | undefined;
}

function judge(
  tools: RecordTools,
  { key, earlier, part }: SoughtRow,
  records: ReadonlyMap<string, PublishingRecord>,
): Recheck {
  if (key === undefined) return { kind: 'unread', why: 'this version cannot read the row' };
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
