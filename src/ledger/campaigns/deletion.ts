/**
 * Deletes campaigns. One script hides the campaign and leaves a tombstone. Then its keys are removed in bounded parts, which
 * may be repeated after a crash. The tombstone is removed last.
 */
import { z } from 'zod';
import type { RowVersion } from '../../manifest/row.ts';
import { chunkSize, singleKeysOf } from '../keys.ts';
import { batches, LedgerPart, readVersions } from '../ledger-part.ts';
import { unpackResult } from '../rows/results.ts';
import { readAllStored } from '../stored-json.ts';
import { shardOf } from '../transitions/publishing.ts';
import type { CampaignState } from './campaign.ts';

/** Why a campaign is not deleted: it does not exist, rows wait or run, rows need a decision, or it ended too recently. */
export type Refusal = 'gone' | 'unfinished' | 'review' | 'recent';

/** A deleted campaign whose keys are still to be removed. */
export interface Remains {
  readonly id: string;
  readonly store: string;
  readonly rows: number;
}

const tombstone = z.object({ store: z.string(), rows: z.int().min(0) });

const keysAtOnce = 500;
const rowsAtOnce = 10_000;

export class DeletionLedger extends LedgerPart {
  /** @param options `force`: rows in review do not matter. `endedBefore`: if it ended earlier (Unix epoch, ms). @returns why not, if not. */
  async tombstone(
    id: string,
    options: { readonly force?: boolean; readonly endedBefore?: number | undefined } = {},
  ): Promise<Refusal | undefined> {
    const args = [id, options.force ? '1' : '0', options.endedBefore ?? ''];
    const reply = await this.run<Refusal | 'tombstoned'>('campaigns/tombstone-campaign', args);
    return reply === 'tombstoned' ? undefined : reply;
  }

  async remains(): Promise<readonly Remains[]> {
    const all = await this.redis.hgetall(this.keys.tombstones);
    return readAllStored(tombstone, Object.entries(all)).map(([id, facts]) => ({ id, ...facts }));
  }

  /** Rows that failed or were in review, in parts. Their jobs may still exist. */
  async *unposted({ id }: Remains): AsyncGenerator<readonly RowVersion[]> {
    for (const state of ['failed', 'review'] as const) {
      const index = this.keys.index(id, state);
      for (let first = 0; ; first += keysAtOnce) {
        const found = await this.redis.zrange(index, String(first), String(first + keysAtOnce - 1));
        if (found.length === 0) break;
        const rows = found.map(Number);
        const statuses = await this.statusesAt(this.keys.tombstoneStates(id), rows);
        yield rows.flatMap((row, at) => {
          const status = statuses[at];
          return status ? [{ row, revision: status.revision }] : [];
        });
      }
    }
  }

  /** Removes all keys of a deleted campaign, the tombstone last. Its posts are no longer recognized. */
  async remove(remains: Remains): Promise<void> {
    const { id, store, rows } = remains;
    const chunks = Array.from({ length: Math.ceil(rows / chunkSize) }, (_, chunk) => chunk);
    for await (const records of this.#progressKeys(remains)) await this.#unlink(records);
    await this.#forgetPosts(remains);
    await this.#unlink(
      chunks.flatMap((chunk) => [this.keys.rows(store, chunk), this.keys.results(id, chunk)]),
    );
    await this.#unlink(chunks.map((chunk) => this.keys.kept(id, chunk)));
    await this.#unlink(singleKeysOf(this.keys, id));
    await this.redis.hdel(this.keys.stranded, id);
    await this.redis.hdel(this.keys.tombstones, id);
  }

  async #forgetPosts({ id, rows }: Remains): Promise<void> {
    const forget = async (packed: readonly string[]) => {
      const postIds = packed.map((text) => unpackResult(text).postId);
      const posts = postIds.map((postId) => [this.keys.posts(shardOf(postId)), postId] as const);
      const held = this.redis.pipeline();
      for (const [key, postId] of posts) held.hget(key, postId);
      const holders = await this.exec(held);
      const freed = this.redis.pipeline();
      for (const [at, [key, postId]] of posts.entries()) {
        if (String(holders[at]).startsWith(`${id} `)) freed.hdel(key, postId);
      }
      await this.exec(freed);
    };
    for (let chunk = 0; chunk * chunkSize < rows; chunk++) {
      await forget(await this.redis.hvals(this.keys.results(id, chunk)));
    }
    const earlier = await this.redis.hvals(this.keys.earlier(id));
    await forget(earlier.flatMap((lines) => lines.split('\n')));
  }

  /** Keys of the rows' progress, in parts. Every row has one, except posted rows and rows that never began. */
  async *#progressKeys({ id, rows }: Remains): AsyncGenerator<readonly string[]> {
    for (let first = 0; first < rows; first += rowsAtOnce) {
      const statuses = await this.statusesFrom(this.keys.tombstoneStates(id), first, rowsAtOnce);
      yield statuses.flatMap(({ state, revision }, index) => {
        const begun = state !== 'posted' && (state !== 'waiting' || revision > 0);
        return begun ? [this.keys.progress(id, first + index)] : [];
      });
    }
  }

  async #unlink(keys: readonly string[]): Promise<void> {
    for (const batch of batches(keys, keysAtOnce)) await this.redis.unlink(...batch);
  }
}

export class CancellationLedger extends LedgerPart {
  /** No row is admitted and no step begins from now on. It ends once its rows are cancelled. @returns undefined for no such campaign. */
  async begin(id: string): Promise<CampaignState | undefined> {
    return (await this.run<CampaignState | null>('campaigns/cancel', [id, this.clock])) ?? undefined;
  }

  /**
   * Cancels the waiting and running ones among `count` rows from `first`. Idempotent.
   * @returns `review`: rows that went there, because a call is under way or of unknown outcome. `ran`: cancelled rows that were running:
   * their jobs are no longer needed.
   */
  async cancelRows(id: string, first: number, count: number) {
    const reply = await this.run<number[]>('campaigns/cancel-rows', [id, first, count, this.clock]);
    const [cancelled = 0, review = 0, ...rest] = reply;
    return { cancelled, review, ran: readVersions(rest) };
  }
}
