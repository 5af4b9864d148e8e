/**
 * Facts from the service's publishing records: the outcome of rows in review, and the status of posts.
 *
 * A post belongs to at most one row: one index has every post (`lua/posts.lua`). A job claims a record for a row there
 * first, and then makes the row posted with it. An answer that comes in between finds the claim and has the last word.
 *
 * A post that was accepted but not published: its row fails, and keeps the post for ever as an earlier one.
 */
import { createHash } from 'node:crypto';
import type { RowIndex, RowRef } from '../../manifest/row.ts';
import { isDamage } from '../../platform/redis/refusal.ts';
import type { ScriptArgument } from '../../platform/redis/script.ts';
import { chunkSize } from '../keys.ts';
import { batches, LedgerPart } from '../ledger-part.ts';
import { type PostedResult, packResult, packResults, unpackResult, unpackResults } from '../rows/results.ts';
import type { RowError } from '../states.ts';
import { type FinishReply, sendWithinMs } from './steps.ts';

/** The journal entry of a post with an unknown outcome. */
export interface UnknownCall {
  /** The entry as read: a later write is valid only while the journal still has this entry. */
  readonly entry: string;
  /** When the attempt began (Unix epoch, milliseconds); undefined if nobody knows. */
  readonly sentAt: number | undefined;
  /** Until when it may have been sent; undefined if the entry does not say. */
  readonly sentUntil: number | undefined;
  readonly isLost: boolean;
}

export interface PostOwner {
  readonly campaign: string;
  readonly row: RowIndex;
}

/** Facts from the records about one posted row. */
export interface PostChange {
  readonly row: RowIndex;
  readonly before: PostedResult;
  readonly postStatus: string;
  /** As in `PostedResult`, from now on; undefined also once it is out. */
  readonly plannedAt?: number | undefined;
}

interface FollowState {
  /** How many rows were posted when the records were last read. */
  readonly posted: number;
  /** When the next post is due (Unix epoch, milliseconds); undefined when all have a final status. */
  readonly next: number | undefined;
}

/** How long a reconciled row keeps its journal entry. An answer that comes later corrects nothing. */
const entryKeptMs = 7 * 24 * 3_600_000;

export class PublishingLedger extends LedgerPart {
  /** For each row, the journal entry of a post that may have been sent; undefined for none. */
  async unknownCalls(
    campaign: string,
    rows: readonly RowIndex[],
  ): Promise<readonly (UnknownCall | undefined)[]> {
    if (rows.length === 0) return [];
    const pipeline = this.redis.pipeline();
    for (const row of rows) pipeline.hget(this.keys.progress(campaign, row), 'journal:post');
    const replies = (await pipeline.exec()) ?? [];
    return replies.map(([error, entry]) => {
      // A damaged row must not hide the others.
      if (error && !isDamage(error)) throw error;
      return typeof entry === 'string' ? readUnknownCall(entry) : undefined;
    });
  }

  /** Claims a record for a row. @returns false when another row has it. */
  async claim({ campaign, row }: RowRef, postId: string): Promise<boolean> {
    return (await this.run('transitions/claim-record', [campaign, row, postId])) === '1';
  }

  /** By the record claimed for it. @returns false when row or claim has changed, or the row turns out to be posted twice. */
  async reconcile(
    { campaign, row, revision }: RowRef,
    { entry }: UnknownCall,
    result: PostedResult,
  ): Promise<boolean> {
    const args = [campaign, row, revision, entry, result.postId, this.clock, entryKeptMs, packResult(result)];
    return (await this.run('transitions/reconcile-post', args)) === 'posted';
  }

  async owners(postIds: readonly string[]): Promise<ReadonlyMap<string, PostOwner>> {
    if (postIds.length === 0) return new Map();
    const pipeline = this.redis.pipeline();
    for (const postId of postIds) pipeline.hget(this.keys.posts(shardOf(postId)), postId);
    const held = await this.exec(pipeline);
    return new Map(
      postIds.flatMap((postId, at) => {
        const [campaign, row] = String(held[at] ?? '').split(' ');
        return campaign && row ? [[postId, { campaign, row: Number(row) }]] : [];
      }),
    );
  }

  /** Replaces the error of a row in review. @returns false when its post is no longer of unknown outcome. */
  async recordNote({ campaign, row }: RowRef, unknownCall: UnknownCall, error: RowError): Promise<boolean> {
    const args = [campaign, row, unknownCall.entry, JSON.stringify(error)];
    return (await this.run('transitions/note-unknown', args)) === '1';
  }

  /** Results of the posted rows of one chunk, by row. Posts that were not published are in `failedPosts`. */
  async posts(campaign: string, chunk: number): Promise<ReadonlyMap<number, PostedResult>> {
    const packed = await this.redis.hgetall(this.keys.results(campaign, chunk));
    const first = chunk * chunkSize;
    return new Map(
      Object.entries(packed).map(([index, text]) => [first + Number(index), unpackResult(text)]),
    );
  }

  /** Writes the new status of posts. @returns the changes written, without rows that changed in the meantime. */
  async follow<Change extends PostChange>(
    campaign: string,
    changes: readonly Change[],
  ): Promise<readonly Change[]> {
    if (changes.length === 0) return [];
    const args: ScriptArgument[] = [campaign];
    for (const { row, before, postStatus, plannedAt } of changes) {
      args.push(row, packResult(before), packResult({ ...before, postStatus, plannedAt }));
    }
    const written = await this.run<string[]>('transitions/follow-posts', args);
    return changes.filter((_change, index) => written[index] === '1');
  }

  async followState(campaign: string): Promise<FollowState | undefined> {
    const { posted, next } = await this.redis.hgetall(this.keys.follow(campaign));
    return posted === undefined ? undefined : { posted: Number(posted), next: Number(next) || undefined };
  }

  async keepFollowState(campaign: string, { posted, next }: FollowState): Promise<void> {
    await this.redis.hset(this.keys.follow(campaign), { posted, next: next ?? '' });
  }

  /** Claims the right to read a campaign's records. @returns false if another process claimed it within the last `everyMs`. */
  async claimFollow(campaign: string, everyMs: number): Promise<boolean> {
    const key = this.keys.followed(campaign);
    return (await this.redis.set(key, '1', 'PX', Math.max(1, everyMs), 'NX')) === 'OK';
  }
}

/** State, token, when the attempt began, ...: see `rows.lua`. */
function readUnknownCall(entry: string): UnknownCall {
  const [, token, at, until] = entry.split(' ');
  const [sentAt, sentUntil] = [at, until].map((time) => (time === undefined ? undefined : Number(time)));
  // `posts.lua` writes an entry when that of the call is gone.
  const isUndated = sentUntil === undefined && token === '-';
  if (isUndated) return { entry, sentAt: undefined, sentUntil: sentAt, isLost: true };
  // `lost-rows.lua` widens entries of calls. Any other call was sent within seconds.
  const isWidened = (sentUntil ?? 0) - (sentAt ?? 0) > sendWithinMs;
  return { entry, sentAt, sentUntil: isWidened ? sentUntil : sentAt, isLost: token === 'lost' || isWidened };
}

/** As in `posts.lua`. */
export function shardOf(postId: string): string {
  return createHash('sha1').update(postId).digest('hex').slice(0, 3);
}

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

  /**
   * Makes a row posted again, by an earlier post that was published after all.
   * @param earlier posts as they were read. @returns `stale` if the row has changed.
   */
  async postAgain(
    { campaign, row, revision }: RowRef,
    earlier: EarlierPosts,
    result: PostedResult,
  ): Promise<FinishReply> {
    const args = [campaign, this.clock, row, revision, packResults(earlier), packResult(result)];
    return this.run('transitions/post-again', args);
  }

  /** Records that none of these posts is published, as of now. Without a recent recheck, the scripts do not send such a row again. */
  async recordRechecks(campaign: string, looked: ReadonlyMap<number, EarlierPosts>): Promise<void> {
    for (const batch of batches([...looked], rowsAtOnce)) {
      const rows = batch.flatMap(([row, posts]) => [row, posts.map(({ postId }) => postId).join('\n')]);
      await this.run('rows/record-recheck', [campaign, this.clock, ...rows]);
    }
  }

  async all(campaign: string): Promise<ReadonlyMap<number, EarlierPosts>> {
    const packed = await this.redis.hgetall(this.keys.earlier(campaign));
    return new Map(Object.entries(packed).map(([row, text]) => [Number(row), unpackResults(text)]));
  }
}
