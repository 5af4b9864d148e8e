/**
 * Rows of an import, staged in chunks under a temporary name while the manifest is read. Those of a killed import expire. What they take
 * is bounded by the size of the file and by the memory that is left: a file may name a text once, and have it in every row (shared texts
 * of a workbook, merged cells, defaults of JSON).
 */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { describeSize } from '../../manifest/printable.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { parseInfo } from '../../platform/redis/durability.ts';
import { chunkSize, stagedForSeconds } from '../keys.ts';
import { type LedgerContext, LedgerPart } from '../ledger-part.ts';
import { PostList } from '../planned-posts.ts';
import { encodeChunk, type StoredRow } from '../rows/stored-rows.ts';

export interface ImportedRow extends StoredRow {
  /** Identity of its post: see `PlannedPosts`. */
  readonly post?: Buffer | undefined;
  /** A person wants it although another row is the same post. */
  readonly again?: boolean | undefined;
}

export class StagedRows extends LedgerPart {
  readonly store: string = randomUUID();
  readonly #writer: ChunkWriter;
  readonly posts = new PostList();
  /** Rows that may be the same post as another row. */
  readonly again: RowIndex[] = [];

  /** @param most bytes that the rows may take, packed; default: any. */
  constructor(context: LedgerContext, most = Number.POSITIVE_INFINITY) {
    super(context);
    const bound = new StoredBytes(most, () => this.redis.info('memory'));
    this.#writer = new ChunkWriter({
      redis: this.redis,
      keyOf: (chunk) => this.keys.rows(this.store, chunk),
      expiresAfter: stagedForSeconds,
      onWrite: (bytes) => bound.add(bytes),
    });
  }

  get chunks(): number {
    return this.#writer.chunks;
  }

  get rows(): number {
    return this.posts.length;
  }

  async add(rows: readonly ImportedRow[]): Promise<void> {
    for (const { number, line, worksheet, cells, post, again } of rows) {
      if (again) this.again.push(this.rows);
      this.posts.push(post);
      await this.#writer.add({ number, line, worksheet, cells });
    }
  }

  /** Writes the last, incomplete chunk. Call it once all rows are added. */
  async flush(): Promise<void> {
    await this.#writer.end();
  }

  async discard(): Promise<void> {
    for (let chunk = 0; chunk < this.chunks; chunk++) {
      await this.redis.unlink(this.keys.rows(this.store, chunk));
    }
  }
}

/** Most characters of one part, unless a single row is longer. Usual chunks have less than half of that. */
const partSize = 512 * 1024;

interface ChunkWriterOptions {
  readonly redis: Redis;
  readonly keyOf: (chunk: number) => string;
  /** When the keys expire unless they are made permanent, in seconds. */
  readonly expiresAfter: number;
  /** Called with the size of each part before it is written. Throws to prevent it. */
  readonly onWrite?: (bytes: number) => Promise<void>;
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

  get chunks(): number {
    return this.#first + this.#pending.length > 0 ? this.#chunk + 1 : this.#chunk;
  }

  /** @returns whether the row was the last one of its chunk. */
  async add(row: StoredRow): Promise<boolean> {
    // About the characters of its JSON.
    const size = row.cells.reduce((sum, cell) => sum + cell.length + 3, 0);
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
      const { redis, keyOf, expiresAfter, onWrite } = this.#options;
      const packed = encodeChunk(this.#take());
      await onWrite?.(packed.length);
      await redis.set(keyOf(this.#chunk), packed, 'EX', expiresAfter);
    } else return;
    this.#first = 0;
    this.#chunk += 1;
  }

  async #writePart(): Promise<void> {
    const { redis, keyOf, expiresAfter, onWrite } = this.#options;
    const key = keyOf(this.#chunk);
    const first = this.#first;
    this.#first += this.#pending.length;
    const packed = encodeChunk(this.#take());
    await onWrite?.(packed.length);
    await redis.hset(key, String(first), packed);
    await redis.expire(key, expiresAfter);
  }

  #take(): readonly StoredRow[] {
    const rows = this.#pending;
    this.#pending = [];
    this.#pendingSize = 0;
    return rows;
  }
}

/** Rows of a file may take this many times its size: packed as they are, real ones take about as much as the file. */
const highestFactor = 10;
/** Rows may take this much whatever the size of their file. */
const harmlessBytes = 32 * 1024 * 1024;
/** The memory of Redis is checked each time after this many bytes: others may write at the same time. */
const checkEvery = 8 * 1024 * 1024;
/** Share of `maxmemory` that an import leaves to the work of all campaigns. */
const leastFree = 0.1;

/** @param fileBytes size of the file of the rows. @returns most bytes that its rows may take, packed. */
export function mostStored(fileBytes: number): number {
  return Math.max(harmlessBytes, fileBytes * highestFactor);
}

/** @param why a clause. */
function storedTooMuch(why: string): UseCaseError {
  return new UseCaseError('manifest_unreadable', `the sheet cannot be imported: ${why}`, {
    fix: 'Nothing was imported. Split the sheet, or ask an operator for more memory for Redis.',
  });
}

export class StoredBytes {
  readonly #most: number;
  readonly #info: () => Promise<string>;
  #written = 0;
  #nextCheck = checkEvery;

  /** @param most bytes allowed. @param info asks Redis for its section `memory`. */
  constructor(most: number, info: () => Promise<string>) {
    this.#most = most;
    this.#info = info;
  }

  /** Call it before bytes are written. @throws {UseCaseError} `manifest_unreadable` for too many. */
  async add(bytes: number): Promise<void> {
    this.#written += bytes;
    refuseTooMuch(this.#written, this.#most);
    if (this.#written < this.#nextCheck) return;
    this.#nextCheck = this.#written + checkEvery;
    const facts = parseInfo(await this.#info());
    const [used, most] = [Number(facts.get('used_memory') ?? 0), Number(facts.get('maxmemory') ?? 0)];
    if (most > 0 && used + bytes > most * (1 - leastFree)) {
      throw storedTooMuch(
        `Redis has no room for its rows: ${describeSize(used)} of ${describeSize(most)} are in use`,
      );
    }
  }
}

/** @throws {UseCaseError} `manifest_unreadable` if more than `most` bytes are written. */
export function refuseTooMuch(written: number, most: number): void {
  if (written <= most) return;
  throw storedTooMuch(
    `its rows take more than ${describeSize(most)}, far more than its file: it repeats long texts in many rows`,
  );
}
