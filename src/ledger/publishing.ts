/**
 * What the service's publishing records told: rows in review that were reconciled from them, and the state that posts have come to.
 *
 * A record belongs to one row at most. Whoever finds one claims it first, then looks whether a posted row has it, and only
 * then takes it: an answer that comes meanwhile finds the claim, and has the last word.
 */
import type { Redis } from 'ioredis';
import type { RunScript, ScriptArgument } from '../redis/script.ts';
import { chunkSize, type LedgerKeys } from './keys.ts';
import { type PostedResult, packResult, unpackResult } from './results.ts';
import type { RowError } from './states.ts';
import type { RowRef } from './steps.ts';

/** The journal entry of a post whose outcome nobody knows. */
export interface Doubt {
  /** As it stands in the journal: what is written later holds only while it still does. */
  readonly entry: string;
  /** When the attempt that may have sent it began, Unix epoch in milliseconds; undefined where the entry does not tell. */
  readonly sentAt: number | undefined;
}

/** What a look at the records found out about one posted row. */
export interface PostChange {
  readonly row: number;
  readonly before: PostedResult;
  readonly postStatus: string;
  /** Why it was not published, where the records say so. */
  readonly error: RowError | undefined;
}

/** Where following the posts of a campaign stands. */
export interface FollowState {
  /** How many rows were posted when the records were asked last. */
  readonly posted: number;
  /** When the next post is due, Unix epoch in milliseconds; undefined when all have come to their end. */
  readonly next: number | undefined;
}

/** The journal entry of a reconciled row is kept so long: a later answer finds nothing to correct. */
const entryKeptMs = 7 * 24 * 3_600_000;

export class PublishingLedger {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #scripts: {
    readonly claim: RunScript;
    readonly reconcile: RunScript;
    readonly note: RunScript;
    readonly follow: RunScript;
  };
  readonly #now: () => number;

  constructor(
    redis: Redis,
    keys: LedgerKeys,
    scripts: {
      readonly claim: RunScript;
      readonly reconcile: RunScript;
      readonly note: RunScript;
      readonly follow: RunScript;
    },
    now: () => number,
  ) {
    this.#redis = redis;
    this.#keys = keys;
    this.#scripts = scripts;
    this.#now = now;
  }

  /** For each of these rows, whether its post may have been sent; undefined where its journal holds nothing of the kind. */
  async doubts(campaign: string, rows: readonly number[]): Promise<readonly (Doubt | undefined)[]> {
    if (rows.length === 0) return [];
    const pipeline = this.#redis.pipeline();
    for (const row of rows) pipeline.hget(this.#keys.progress(campaign, row), 'journal:post');
    return replies(await pipeline.exec()).map((entry) =>
      typeof entry === 'string' ? readDoubt(entry) : undefined,
    );
  }

  /** Claims a record for a row. @returns false when another row has it. */
  async claim({ campaign, row }: RowRef, postId: string): Promise<boolean> {
    return (await this.#scripts.claim([campaign, row, postId])) === '1';
  }

  /** Lets a claimed record go. */
  async release(ref: RowRef, doubt: Doubt, postId: string): Promise<void> {
    await this.#reconcile(ref, doubt, postId, '');
  }

  /** Makes a row in review posted with the record claimed for it. @returns false when that is not so any more. */
  async reconcile(ref: RowRef, doubt: Doubt, result: PostedResult): Promise<boolean> {
    return (await this.#reconcile(ref, doubt, result.postId, packResult(result))) === 'posted';
  }

  /** Replaces the error of a row in review. @returns false when its post is not in doubt any more. */
  async note({ campaign, row }: RowRef, doubt: Doubt, error: RowError): Promise<boolean> {
    return (await this.#scripts.note([campaign, row, doubt.entry, JSON.stringify(error)])) === '1';
  }

  /** Results of the posted rows of one chunk, by row. */
  async posts(campaign: string, chunk: number): Promise<ReadonlyMap<number, PostedResult>> {
    const packed = await this.#redis.hgetall(this.#keys.results(campaign, chunk));
    return new Map(
      Object.entries(packed).map(([index, text]) => [chunk * chunkSize + Number(index), unpackResult(text)]),
    );
  }

  /** Writes states that posts have come to. @returns those written; a row that changed meanwhile is left out. */
  async follow(campaign: string, changes: readonly PostChange[]): Promise<readonly PostChange[]> {
    if (changes.length === 0) return [];
    const args: ScriptArgument[] = [campaign];
    for (const { row, before, postStatus, error } of changes) {
      args.push(row, packResult(before), packResult({ ...before, postStatus }));
      args.push(error ? JSON.stringify(error) : '');
    }
    const written = (await this.#scripts.follow(args)) as string[];
    return changes.filter((_change, index) => written[index] === '1');
  }

  async followState(campaign: string): Promise<FollowState | undefined> {
    const { posted, next } = await this.#redis.hgetall(this.#keys.follow(campaign));
    return posted === undefined
      ? undefined
      : { posted: Number(posted), next: next ? Number(next) : undefined };
  }

  async keepFollowState(campaign: string, { posted, next }: FollowState): Promise<void> {
    await this.#redis.hset(this.#keys.follow(campaign), { posted, next: next ?? '' });
  }

  /** Takes the right to ask for a campaign's posts. @returns false where somebody did within the last `everyMs`. */
  async takeTurn(campaign: string, everyMs: number): Promise<boolean> {
    return (
      (await this.#redis.set(this.#keys.followed(campaign), '1', 'PX', Math.max(1, everyMs), 'NX')) === 'OK'
    );
  }

  async #reconcile({ campaign, row, revision }: RowRef, { entry }: Doubt, postId: string, packed: string) {
    const args = [campaign, row, revision, entry, postId, this.#now(), entryKeptMs, packed];
    return (await this.#scripts.reconcile(args)) as 'posted' | 'taken' | 'free' | 'stale';
  }
}

/** `unknown <token> <ms>`, or `sending` where the row went to review for something else meanwhile. */
function readDoubt(entry: string): Doubt {
  const at = entry.split(' ')[2];
  return { entry, sentAt: at === undefined ? undefined : Number(at) };
}

function replies(results: [Error | null, unknown][] | null): readonly unknown[] {
  return (results ?? []).map(([error, reply]) => {
    if (error) throw error;
    return reply;
  });
}
