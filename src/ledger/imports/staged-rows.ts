/**
 * Rows of an import, written in chunks under a temporary name while the manifest is read. Data left behind by a killed import
 * expires.
 */
import { randomUUID } from 'node:crypto';
import { stagedForSeconds } from '../keys.ts';
import { type LedgerContext, LedgerPart } from '../part.ts';
import type { PlannedPosts } from '../planned-posts/planned-posts.ts';
import { StagedPosts } from '../planned-posts/staged-posts.ts';
import type { StoredRow } from '../rows/row-codec.ts';
import { ChunkWriter } from './chunk-writer.ts';

export interface ImportedRow extends StoredRow {
  /** Identity of its post: see `PlannedPosts`. */
  readonly post?: Buffer | undefined;
}

export class StagedRows extends LedgerPart {
  readonly store: string = randomUUID();
  readonly #writer: ChunkWriter;
  readonly posts: StagedPosts;
  #rows = 0;

  constructor(context: LedgerContext, index: PlannedPosts) {
    super(context);
    this.posts = new StagedPosts(context, index, this.store);
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
      if (post !== undefined) await this.posts.add(this.#rows, post);
      this.#rows += 1;
      await this.#writer.add({ number, cells });
    }
  }

  /** Writes the last, incomplete chunk. Call it once all rows are added. */
  async flush(): Promise<void> {
    await this.#writer.end();
    await this.posts.flush();
  }

  async discard(): Promise<void> {
    for (let chunk = 0; chunk < this.chunks; chunk++) {
      await this.redis.unlink(this.keys.rows(this.store, chunk));
    }
    await this.posts.discard();
  }
}
