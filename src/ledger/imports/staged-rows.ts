/**
 * Rows of an import, written in chunks under a temporary name while the manifest is read. Data left behind by a killed import
 * expires.
 */
import { randomUUID } from 'node:crypto';
import type { PlannedPosts } from '../campaigns/planned-posts.ts';
import { type LedgerContext, LedgerPart } from '../part.ts';
import type { StoredRow } from '../rows/row-codec.ts';
import { ChunkWriter } from './chunk-writer.ts';

export const stagedForSeconds = 3600;

export interface ImportedRow extends StoredRow {
  /** Identity of its post, 8 bytes: see `PlannedPosts`. */
  readonly post?: Buffer | undefined;
}

export class StagedRows extends LedgerPart {
  readonly store: string = randomUUID();
  readonly #writer: ChunkWriter;
  /** Posts of the chunk that is being written. */
  #posts: Buffer[] = [];
  #rows = 0;

  constructor(context: LedgerContext) {
    super(context);
    this.#writer = new ChunkWriter({
      redis: this.redis,
      keyOf: (chunk) => this.keys.rows(this.store, chunk),
      expiresAfter: stagedForSeconds,
    });
  }

  get chunks(): number {
    return this.#writer.chunks;
  }

  get rows(): number {
    return this.#rows;
  }

  async add(rows: readonly ImportedRow[]): Promise<void> {
    for (const { number, cells, post } of rows) {
      this.#rows += 1;
      if (post !== undefined) this.#posts.push(post);
      if (await this.#writer.add({ number, cells })) await this.#writePosts();
    }
  }

  /** Writes the last, incomplete chunk. Call it once all rows are added. */
  async flush(): Promise<void> {
    await this.#writer.end();
    await this.#writePosts();
  }

  /** Writes the posts of the last chunk. */
  async #writePosts(): Promise<void> {
    const posts = this.#posts;
    if (posts.length === 0) return;
    this.#posts = [];
    const key = this.keys.stagedPosts(this.store, this.chunks - 1);
    await this.redis.set(key, Buffer.concat(posts), 'EX', stagedForSeconds);
  }

  /**
   * Records the posts of the rows as the campaign's. Call it once the campaign has the rows: otherwise an import that fails
   * leaves posts of no campaign. A crash in between only costs warnings, and so does an error: it is logged.
   */
  async rememberPosts(posts: PlannedPosts, account: string, campaign: string): Promise<void> {
    try {
      await this.#movePosts(posts, account, campaign);
    } catch (error) {
      const message = 'posts not remembered: an import of the same posts will not warn of this campaign';
      this.warn({ campaign, error: String(error) }, message);
    }
  }

  async #movePosts(posts: PlannedPosts, account: string, campaign: string): Promise<void> {
    for (let chunk = 0; chunk < this.chunks; chunk++) {
      const key = this.keys.stagedPosts(this.store, chunk);
      const identities = await this.redis.getBuffer(key);
      if (identities === null) continue;
      await posts.add(account, campaign, identities);
      await this.redis.unlink(key);
    }
  }

  async discard(): Promise<void> {
    for (let chunk = 0; chunk < this.chunks; chunk++) {
      await this.redis.unlink(this.keys.rows(this.store, chunk));
      await this.redis.unlink(this.keys.stagedPosts(this.store, chunk));
    }
  }
}
