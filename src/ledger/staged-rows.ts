/**
 * Rows on their way into the ledger: written chunk by chunk under a name of their own, as they are read from the manifest. What a
 * killed import leaves behind expires by itself.
 */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { chunkSize, type LedgerKeys } from './keys.ts';
import type { PlannedPosts } from './planned-posts.ts';
import { encodeChunk, type StoredRow } from './stored-rows.ts';

/** How long staged rows are kept. */
export const stagedForSeconds = 3600;

/** A row to be imported. */
export interface ImportedRow extends StoredRow {
  /** What makes its post what it is, 8 bytes: `PlannedPosts`. */
  readonly post?: Buffer | undefined;
}

export class StagedRows {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  /** Name of the store that the rows are in. */
  readonly store: string = randomUUID();
  #pending: ImportedRow[] = [];
  #chunks = 0;
  #rows = 0;

  constructor(redis: Redis, keys: LedgerKeys) {
    this.#redis = redis;
    this.#keys = keys;
  }

  get chunks(): number {
    return this.#chunks;
  }

  /** Rows that were added. */
  get rows(): number {
    return this.#rows + this.#pending.length;
  }

  /** Takes rows in their order. */
  async add(rows: readonly ImportedRow[]): Promise<void> {
    for (const row of rows) {
      this.#pending.push(row);
      if (this.#pending.length === chunkSize) await this.flush();
    }
  }

  /** Writes what makes no whole chunk; to be called once all rows are added. */
  async flush(): Promise<void> {
    const rows = this.#pending;
    if (rows.length === 0) return;
    const chunk = encodeChunk(rows);
    const posts = rows.flatMap(({ post }) => post ?? []);
    this.#rows += rows.length;
    this.#pending = [];
    await Promise.all([
      this.#redis.set(this.#keys.rows(this.store, this.#chunks), chunk, 'EX', stagedForSeconds),
      posts.length === 0
        ? undefined
        : this.#redis.set(
            this.#keys.stagedPosts(this.store, this.#chunks),
            Buffer.concat(posts),
            'EX',
            stagedForSeconds,
          ),
    ]);
    this.#chunks += 1;
  }

  /**
   * Remembers the posts of the rows as those of a campaign. After the campaign has the rows: posts of one that does not come about are
   * nobody's. A crash in between costs warnings, nothing else.
   */
  async rememberPosts(posts: PlannedPosts, account: string, campaign: string): Promise<void> {
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      const key = this.#keys.stagedPosts(this.store, chunk);
      const identities = await this.#redis.getBuffer(key);
      if (identities === null) continue;
      await posts.add(account, campaign, identities);
      await this.#redis.unlink(key);
    }
  }

  /** Drops what was staged. */
  async discard(): Promise<void> {
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      await this.#redis.unlink(this.#keys.rows(this.store, chunk));
      await this.#redis.unlink(this.#keys.stagedPosts(this.store, chunk));
    }
  }
}
