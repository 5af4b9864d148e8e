/** Posts that were accepted but not published. Such a row fails, and keeps the post for ever as an earlier one. */

import type { RowRef } from '../../manifest/row-ref.ts';
import type { ScriptArgument } from '../../platform/redis/script.ts';
import { LedgerPart } from '../ledger-part.ts';
import { parts } from '../parts.ts';
import { type PostedResult, packResult, packResults, unpackResults } from '../rows/results.ts';
import type { RowError } from '../states.ts';
import type { PostChange } from './publishing.ts';
import type { FinishReply } from './steps.ts';

/** A posted row whose post was not published. */
export interface PostFailure extends PostChange {
  readonly error: RowError;
}

/** Earlier posts of a row, the latest last. */
export type EarlierPosts = readonly PostedResult[];

const rowsAtOnce = 500;

export class FailedPostsLedger extends LedgerPart {
  /** Makes posted rows failed, and restores their progress. @returns the failed rows, without rows that changed meanwhile. */
  async fail<Failure extends PostFailure>(
    campaign: string,
    failures: readonly Failure[],
  ): Promise<readonly Failure[]> {
    if (failures.length === 0) return [];
    const args: ScriptArgument[] = [campaign, this.clock];
    for (const { row, before, postStatus, error } of failures) {
      args.push(row, packResult(before), packResult({ ...before, postStatus }), JSON.stringify(error));
    }
    const written = await this.run<string[]>('transitions/fail-posts', args);
    return failures.filter((_failure, index) => written[index] === '1');
  }

  /** By an earlier post that was published after all. @param earlier posts as they were read. @returns `stale` if the row has changed. */
  async postAgain(
    { campaign, row, revision }: RowRef,
    earlier: EarlierPosts,
    result: PostedResult,
  ): Promise<FinishReply> {
    const args = [campaign, this.clock, row, revision, packResults(earlier), packResult(result)];
    return this.run('transitions/post-again', args);
  }

  /** Notes that none of these posts is published, as of now. Without a recent look, the scripts do not send such a row again. */
  async noteLooks(campaign: string, looked: ReadonlyMap<number, EarlierPosts>): Promise<void> {
    for (const batch of parts([...looked], rowsAtOnce)) {
      const rows = batch.flatMap(([row, posts]) => [row, posts.map(({ postId }) => postId).join('\n')]);
      await this.run('rows/note-looks', [campaign, this.clock, ...rows]);
    }
  }

  async all(campaign: string): Promise<ReadonlyMap<number, EarlierPosts>> {
    const packed = await this.redis.hgetall(this.keys.earlier(campaign));
    return new Map(Object.entries(packed).map(([row, text]) => [Number(row), unpackResults(text)]));
  }
}
