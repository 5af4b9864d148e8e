/**
 * Rows of an import, written in chunks under a temporary name while the manifest is read. What a killed import leaves behind
 * expires.
 */
import { randomUUID } from 'node:crypto';
import { chunkSize } from './keys.ts';
import { LedgerPart } from './part.ts';
import type { PlannedPosts } from './planned-posts.ts';
import { encodeChunk, type StoredRow } from './stored-rows.ts';

export const stagedForSeconds = 3600;

export interface ImportedRow extends StoredRow {
  /** Identity of its post, 8 bytes: see `PlannedPosts`. */
  readonly post?: Buffer | undefined;
}

export class StagedRows extends LedgerPart {
  readonly store: string = randomUUID();
  #pending: ImportedRow[] = [];
  #chunks = 0;
  #rows = 0;

  get chunks(): number {
    return this.#chunks;
  }

  get rows(): number {
    return this.#rows + this.#pending.length;
  }

  async add(rows: readonly ImportedRow[]): Promise<void> {
    for (const row of rows) {
      this.#pending.push(row);
      if (this.#pending.length === chunkSize) await this.flush();
    }
  }

  /** Writes the last, incomplete chunk. Call it once all rows are added. */
  async flush(): Promise<void> {
    const rows = this.#pending;
    if (rows.length === 0) return;
    const chunk = encodeChunk(rows);
    const posts = rows.flatMap(({ post }) => post ?? []);
    this.#rows += rows.length;
    this.#pending = [];
    await Promise.all([
      this.redis.set(this.keys.rows(this.store, this.#chunks), chunk, 'EX', stagedForSeconds),
      posts.length > 0 &&
        this.redis.set(
          this.keys.stagedPosts(this.store, this.#chunks),
          Buffer.concat(posts),
          'EX',
          stagedForSeconds,
        ),
    ]);
    this.#chunks += 1;
  }

  /**
   * Records the posts of the rows as the campaign's. Call it once the campaign has the rows: otherwise an import that fails
   * leaves posts of no campaign. A crash in between only costs warnings.
   */
  async rememberPosts(posts: PlannedPosts, account: string, campaign: string): Promise<void> {
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      const key = this.keys.stagedPosts(this.store, chunk);
      const identities = await this.redis.getBuffer(key);
      if (identities === null) continue;
      await posts.add(account, campaign, identities);
      await this.redis.unlink(key);
    }
  }

  async discard(): Promise<void> {
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      await this.redis.unlink(this.keys.rows(this.store, chunk));
      await this.redis.unlink(this.keys.stagedPosts(this.store, chunk));
    }
  }
}
