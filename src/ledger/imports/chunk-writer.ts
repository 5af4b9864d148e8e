/**
 * Writes rows in chunks of 500. A chunk is one compressed string. With long rows, it is a hash of parts instead, by the position
 * of their first row, so that neither writers nor readers need the whole chunk in memory.
 */
import type { Redis } from 'ioredis';
import { chunkSize } from '../keys.ts';
import { encodeChunk, type StoredRow } from '../rows/row-codec.ts';

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
