/**
 * Rows of an import, written in chunks under a temporary name while the manifest is read. Data left behind by a killed import
 * expires.
 */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { chunkSize, stagedForSeconds } from '../keys.ts';
import { type LedgerContext, LedgerPart } from '../part.ts';
import type { PlannedPosts } from '../planned-posts/planned-posts.ts';
import { StagedPosts } from '../planned-posts/staged-posts.ts';
import { encodeChunk, type StoredRow } from '../rows/stored-rows.ts';

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
    for (const { number, line, cells, post } of rows) {
      if (post !== undefined) await this.posts.add(this.#rows, post);
      this.#rows += 1;
      await this.#writer.add({ number, line, cells });
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

/** Most characters of one part, unless a single row is longer. Usual chunks have less than half of that. */
const partSize = 512 * 1024;

export interface ChunkWriterOptions {
  readonly redis: Redis;
  /** Key of a chunk, by its number. */
  readonly keyOf: (chunk: number) => string;
  /** When the keys expire unless they are made permanent, in seconds. */
  readonly expiresAfter: number;
}

export class ChunkWriter {
  readonly #options: ChunkWriterOptions;
  #pending: StoredRow[] = [];
  #pendingSize = 0;
  /** Position of the first pending row in its chunk. */
  #first = 0;
  #chunk = 0;

  constructor(options: ChunkWriterOptions) {
    this.#options = options;
  }

  /** Number of chunks written or begun. */
  get chunks(): number {
    return this.#first + this.#pending.length > 0 ? this.#chunk + 1 : this.#chunk;
  }

  /** @returns whether the row was the last one of its chunk. */
  async add(row: StoredRow): Promise<boolean> {
    const size = sizeOf(row);
    if (this.#pending.length > 0 && this.#pendingSize + size > partSize) await this.#writePart();
    this.#pending.push(row);
    this.#pendingSize += size;
    if (this.#first + this.#pending.length < chunkSize) return false;
    await this.end();
    return true;
  }

  /** Writes the last rows of a chunk, if there are any. */
  async end(): Promise<void> {
    if (this.#first > 0) await this.#writePart();
    else if (this.#pending.length > 0) {
      const { redis, keyOf, expiresAfter } = this.#options;
      await redis.set(keyOf(this.#chunk), encodeChunk(this.#take()), 'EX', expiresAfter);
    } else return;
    this.#first = 0;
    this.#chunk += 1;
  }

  async #writePart(): Promise<void> {
    const { redis, keyOf, expiresAfter } = this.#options;
    const key = keyOf(this.#chunk);
    const first = this.#first;
    this.#first += this.#pending.length;
    await redis.hset(key, String(first), encodeChunk(this.#take()));
    await redis.expire(key, expiresAfter);
  }

  #take(): readonly StoredRow[] {
    const rows = this.#pending;
    this.#pending = [];
    this.#pendingSize = 0;
    return rows;
  }
}

/** Approximate number of characters of its JSON. */
function sizeOf({ cells }: StoredRow): number {
  return cells.reduce((size, cell) => size + cell.length + 3, 0);
}
