/**
 * Deletes campaigns. One script hides the campaign and leaves a tombstone. Then its keys are removed in bounded parts, which
 * may be repeated after a crash. The tombstone is removed last.
 */
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { RunScript } from '../redis/script.ts';
import type { LedgerContext } from './context.ts';
import { chunkSize, type LedgerKeys } from './keys.ts';
import { statusAt } from './states.ts';
import type { RowVersion } from './steps.ts';
import { readAllStored } from './stored-json.ts';

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

export class DeletionLedger {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #bury: RunScript;

  constructor({ redis, keys, script }: LedgerContext) {
    this.#redis = redis;
    this.#keys = keys;
    this.#bury = script('bury-campaign');
  }

  /**
   * Hides a campaign that has no running rows.
   * @param options `force`: even with rows in review, whose doubt is lost; `endedBefore`: only if it ended earlier (Unix epoch, ms).
   * @returns undefined when done, else why not.
   */
  async bury(
    id: string,
    options: { readonly force?: boolean; readonly endedBefore?: number | undefined } = {},
  ): Promise<Refusal | undefined> {
    const reply = await this.#bury([id, options.force ? '1' : '0', options.endedBefore ?? '']);
    return reply === 'buried' ? undefined : (reply as Refusal);
  }

  async remains(): Promise<readonly Remains[]> {
    const all = await this.#redis.hgetall(this.#keys.buried);
    return readAllStored(tombstone, Object.entries(all)).map(([id, facts]) => ({ id, ...facts }));
  }

  /** Rows that failed or were in review, in parts. Their jobs may still exist. */
  async *unposted({ id }: Remains): AsyncGenerator<readonly RowVersion[]> {
    for (const state of ['failed', 'review'] as const) {
      const index = this.#keys.index(id, state);
      for (let first = 0; ; first += keysAtOnce) {
        const rows = (await this.#redis.zrange(index, String(first), String(first + keysAtOnce - 1))).map(
          Number,
        );
        if (rows.length === 0) break;
        yield await this.#revisions(id, rows);
      }
    }
  }

  async #revisions(id: string, rows: readonly number[]): Promise<readonly RowVersion[]> {
    const pipeline = this.#redis.pipeline();
    for (const row of rows) pipeline.getrangeBuffer(this.#keys.buriedStates(id), row * 2, row * 2 + 1);
    const replies = (await pipeline.exec()) ?? [];
    return rows.flatMap((row, index) => {
      const bytes = replies[index]?.[1];
      const status = Buffer.isBuffer(bytes) ? statusAt(bytes, 0) : undefined;
      return status ? [{ row, revision: status.revision }] : [];
    });
  }

  /** Removes all keys of a deleted campaign, the tombstone last. */
  async remove(remains: Remains): Promise<void> {
    const { id, store, rows } = remains;
    const chunks = Array.from({ length: Math.ceil(rows / chunkSize) }, (_, chunk) => chunk);
    for await (const records of this.#progressKeys(remains)) await this.#unlink(records);
    await this.#unlink(
      chunks.flatMap((chunk) => [this.#keys.rows(store, chunk), this.#keys.results(id, chunk)]),
    );
    await this.#unlink(chunks.map((chunk) => this.#keys.kept(id, chunk)));
    await this.#unlink(chunks.map((chunk) => this.#keys.stagedPosts(store, chunk)));
    await this.#unlink(this.#keys.ofCampaign(id));
    await this.#redis.hdel(this.#keys.buried, id);
  }

  /** Keys of the rows' progress, in parts. Every row has one, except posted rows and rows that never began. */
  async *#progressKeys({ id, rows }: Remains): AsyncGenerator<readonly string[]> {
    for (let first = 0; first < rows; first += rowsAtOnce) {
      const last = (first + rowsAtOnce) * 2 - 1;
      const bytes = await this.#redis.getrangeBuffer(this.#keys.buriedStates(id), first * 2, last);
      const records: string[] = [];
      for (let index = 0; index * 2 + 1 < bytes.length; index++) {
        const status = statusAt(bytes, index);
        const begun =
          status && status.state !== 'posted' && (status.state !== 'waiting' || status.revision > 0);
        if (begun) records.push(this.#keys.progress(id, first + index));
      }
      yield records;
    }
  }

  async #unlink(keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += keysAtOnce) {
      await this.#redis.unlink(...keys.slice(start, start + keysAtOnce));
    }
  }
}
