/** Rows as they are stored: the manifest's own cells, a few hundred rows to a compressed chunk (about 50 bytes a row). */
import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { chunkSize, type LedgerKeys } from './keys.ts';

const decompress = promisify(zstdDecompress);

/** Where rows are stored. */
export interface RowSheet {
  readonly store: string;
  /** How often the stored rows were changed: what was read before the last change is not read from memory again. */
  readonly sheetVersion: number;
}

/** One row of a manifest as it was written. */
export interface StoredRow {
  /** Its number in the manifest, from 1; the header does not count. */
  readonly number: number;
  /** One per column of the header. */
  readonly cells: readonly string[];
}

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
/** What is to be compressed stands here meanwhile: Node holds on to the input of a compression until the next full collection. */
let scratch = Buffer.allocUnsafeSlow(256 * 1024);

export function encodeChunk(rows: readonly StoredRow[]): Buffer {
  const json = JSON.stringify(rows.map((row) => [row.number, row.cells]));
  // A UTF-16 unit takes three bytes of UTF-8 at most.
  if (json.length * 3 > scratch.length) scratch = Buffer.allocUnsafeSlow(json.length * 3);
  return zstdCompressSync(scratch.subarray(0, scratch.write(json)), compression);
}

async function decodeChunk(chunk: Buffer): Promise<readonly StoredRow[]> {
  const rows = JSON.parse((await decompress(chunk)).toString()) as [number, string[]][];
  return rows.map(([number, cells]) => ({ number, cells }));
}

/** Reads stored rows, and keeps the chunks read last: neighbouring rows are at work at the same time. */
export class RowStore {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #chunks = new LRUCache<string, Promise<readonly StoredRow[]>>({ max: 32 });

  constructor(redis: Redis, keys: LedgerKeys) {
    this.#redis = redis;
    this.#keys = keys;
  }

  /** @throws {RangeError} when the campaign has no such row (any more). */
  async read(sheet: RowSheet, row: number): Promise<StoredRow> {
    const chunk = await this.readChunk(sheet, Math.floor(row / chunkSize));
    const stored = chunk[row % chunkSize];
    if (stored === undefined) throw new RangeError(`store ${sheet.store} has no row ${row}`);
    return stored;
  }

  /** The rows of one chunk, in order; none beyond the end. */
  readChunk({ store, sheetVersion }: RowSheet, chunk: number): Promise<readonly StoredRow[]> {
    const key = this.#keys.rows(store, chunk);
    const name = `${key} ${sheetVersion}`;
    const known = this.#chunks.get(name);
    if (known) return known;
    const reading = this.#redis.getBuffer(key).then((bytes) => (bytes ? decodeChunk(bytes) : []));
    this.#chunks.set(name, reading);
    // A read that failed must not be remembered.
    reading.catch(() => this.#chunks.delete(name));
    return reading;
  }
}
