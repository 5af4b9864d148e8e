/** Fails the rows of posts that the service accepted but, by the publishing records, did not publish. */

import type { PostedResult } from '../../ledger/rows/results.ts';
import type { PostFailure } from '../../ledger/transitions/failed-posts.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import type { RecordTools } from './source.ts';

/** A post whose record says that it was not published. */
export interface FailedPost {
  readonly key: string;
  readonly row: number;
  readonly before: PostedResult;
  readonly postStatus: string;
  /** As given by the records. */
  readonly reason: string | undefined;
}

export function isFailed({ settings }: Pick<RecordTools, 'settings'>, status: string): boolean {
  return settings.records.failed.includes(status);
}

/**
 * Fails the rows of these posts. Logs the event `post.failed` for each.
 * @returns the posts whose row has not changed meanwhile.
 */
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
      message:
        post.reason ??
        `The service accepted the post, but its record says ${post.postStatus}: not published.`,
      cure:
        'Retry the row: only the post is made again. If the message names a fault of the row, correct it in the sheet instead. ' +
        'A row with a time that has passed needs a new one.',
      at: now(),
    },
  }));
  const failed = await ledger.failedPosts.fail(campaign.id, failures);
  for (const { key, row, before, postStatus, reason } of failed) {
    const facts = { campaign: campaign.id, row: row + 1, key, postId: before.postId, status: postStatus };
    log.warn({ event: 'post.failed', ...facts, reason }, 'post not published');
  }
  return failed;
}
