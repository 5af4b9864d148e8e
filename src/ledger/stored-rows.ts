/** Stored rows: the manifest's own cells, in compressed chunks of a few hundred rows (about 50 bytes a row). */
import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { chunkSize } from './keys.ts';
import { LedgerPart } from './part.ts';
import { remembered } from './remembered.ts';

const decompress = promisify(zstdDecompress);

/** Where rows are stored. */
export interface RowSheet {
  readonly store: string;
  /** How often the stored rows were changed. Chunks cached before the last change are not used again. */
  readonly sheetVersion: number;
}

/** One row as written in the manifest. */
export interface StoredRow {
  /** Row number in the manifest, from 1, without the header. */
  readonly number: number;
  /** One per column of the header. */
  readonly cells: readonly string[];
}

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
/** Reused as the input of every compression: Node keeps each input buffer alive until the next full garbage collection. */
let scratch = Buffer.allocUnsafeSlow(256 * 1024);

export function encodeChunk(rows: readonly StoredRow[]): Buffer {
  const json = JSON.stringify(rows.map((row) => [row.number, row.cells]));
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (json.length * 3 > scratch.length) scratch = Buffer.allocUnsafeSlow(json.length * 3);
  return zstdCompressSync(scratch.subarray(0, scratch.write(json)), compression);
}

async function decodeChunk(chunk: Buffer): Promise<readonly StoredRow[]> {
  const rows = JSON.parse((await decompress(chunk)).toString()) as [number, string[]][];
  return rows.map(([number, cells]) => ({ number, cells }));
}

/** Reads stored rows. Caches the latest chunks, because neighbouring rows are worked on at the same time. */
export class RowStore extends LedgerPart {
  readonly #chunks = new LRUCache<string, Promise<readonly StoredRow[]>>({ max: 32 });

  /** @throws {RangeError} when the campaign has no such row. */
  async read(sheet: RowSheet, row: number): Promise<StoredRow> {
    const chunk = await this.readChunk(sheet, Math.floor(row / chunkSize));
    const stored = chunk[row % chunkSize];
    if (stored === undefined) throw new RangeError(`store ${sheet.store} has no row ${row}`);
    return stored;
  }

  /** The rows of one chunk, in order; empty beyond the end. */
  readChunk({ store, sheetVersion }: RowSheet, chunk: number): Promise<readonly StoredRow[]> {
    const key = this.keys.rows(store, chunk);
    return remembered(this.#chunks, `${key} ${sheetVersion}`, async () => {
      const bytes = await this.redis.getBuffer(key);
      return bytes ? decodeChunk(bytes) : [];
    });
  }
}
