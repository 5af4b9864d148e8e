/** Stored rows as bytes: JSON, compressed (about 50 bytes a row). */
import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';

const decompress = promisify(zstdDecompress);

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

export interface DecodedRows {
  readonly rows: readonly StoredRow[];
  /** Approximate size in memory. */
  readonly bytes: number;
}

/** @param chunk `null` if there is none. */
export async function decodeChunk(chunk: Uint8Array | null): Promise<DecodedRows> {
  if (chunk === null) return { rows: [], bytes: 0 };
  const json = await decompress(chunk);
  const rows = readRows(json);
  const cells = rows.reduce((sum, { cells: { length } }) => sum + length, 0);
  return { rows, bytes: json.length + cells * cellBytes };
}

function readRows(json: Buffer): readonly StoredRow[] {
  const rows = JSON.parse(json.toString()) as [number, string[]][];
  return rows.map(([number, cells]) => ({ number, cells }));
}

/** Approximate memory of a cell without its text. */
const cellBytes = 8;
