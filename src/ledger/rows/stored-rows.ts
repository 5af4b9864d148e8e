/** Stored rows: the manifest's own cells, in compressed chunks of a few hundred rows. */

import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';
import { Mutex } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import { textOfCell } from '../../manifest/cells/formula-guard.ts';
import type { Header } from '../../manifest/headers/header.ts';
import { describePlace } from '../../manifest/problems/problem.ts';
import type { RowIndex, RowNumber } from '../../manifest/row.ts';
import { chunkSize } from '../keys.ts';
import { LedgerPart } from '../ledger-part.ts';
import { isOfOtherType, UnreadableRecordError } from '../stored-json.ts';

export interface RowSheet {
  readonly store: string;
  /** Changes with every change of the stored rows. Chunks cached before the last one are not used again. */
  readonly sheetVersion: string;
}

/** Rows stored together: a chunk, or a part of one. */
interface Part {
  readonly rows: readonly StoredRow[];
  /** Position in the chunk of the first row, and of the first row after them. */
  readonly first: number;
  readonly end: number;
  /** Approximate size in memory. */
  readonly bytes: number;
}

/** A chunk of long rows: where its parts begin, ascending. */
interface Layout {
  readonly starts: readonly number[];
}

/** Data to read: a chunk by its key, or a part of one. */
interface Wanted {
  readonly key: string;
  readonly part?: Pick<Part, 'first' | 'end'> | undefined;
}

/** Size of the cache in bytes: about thirty usual chunks. */
const mostKept = 8 * 1024 * 1024;

/** Reads stored rows. Caches the latest, because neighbouring rows are worked on at the same time. */
export class RowStore extends LedgerPart {
  readonly #cache = new LRUCache<string, Part | Layout, Wanted>({
    max: 64,
    maxSize: mostKept,
    sizeCalculation: (found) => ('bytes' in found ? found.bytes + 1 : 1),
    fetchMethod: (_name, _stale, { context }) => this.#fetch(context),
    ignoreFetchAbort: true,
  });
  /** Parts have long rows, and a hundred jobs at once would need them all in memory: they are read one after another. */
  readonly #reading = new Mutex();

  /** @returns undefined when the campaign has no such row. */
  async find(sheet: RowSheet, row: RowIndex): Promise<StoredRow | undefined> {
    const { rows, first } = await this.around(sheet, row);
    return rows[row - first];
  }

  /** The rows that are stored together with a row. @returns them, with the first index, and that behind the last one. */
  async around(sheet: RowSheet, row: RowIndex): Promise<Pick<Part, 'rows' | 'first' | 'end'>> {
    const position = row % chunkSize;
    const { rows, first, end } = await this.#part(sheet, Math.floor(row / chunkSize), position);
    const start = row - position;
    return { rows, first: start + first, end: start + end };
  }

  /** @throws {RangeError} when the campaign has no such row. */
  async read(sheet: RowSheet, row: RowIndex): Promise<StoredRow> {
    const stored = await this.find(sheet, row);
    if (stored === undefined) throw new RangeError(`store ${sheet.store} has no row ${row}`);
    return stored;
  }

  /** The rows of a campaign, in order, as `parts`. */
  async *all(sheet: RowSheet & { readonly rows: number }): AsyncGenerator<readonly PlacedRow[]> {
    for (let chunk = 0; chunk * chunkSize < sheet.rows; chunk += 1) {
      // Behind them, an update may be adding others.
      for await (const part of this.parts(sheet, chunk)) yield part.filter(([row]) => row < sheet.rows);
    }
  }

  /** The rows of one chunk, in order: all at once, or in several parts if they are long. None beyond the end. */
  async *parts(sheet: RowSheet, chunk: number): AsyncGenerator<readonly PlacedRow[]> {
    for (let position = 0; position < chunkSize; ) {
      const { rows, first, end } = await this.#part(sheet, chunk, position);
      const row = chunk * chunkSize + first;
      if (rows.length > 0) yield rows.map((stored, index) => [row + index, stored]);
      position = end;
    }
  }

  forget(): void {
    this.#cache.clear();
  }

  async #part({ store, sheetVersion }: RowSheet, chunk: number, position: number): Promise<Part> {
    const key = this.keys.rows(store, chunk);
    const name = `${key} ${sheetVersion}`;
    // `get` first, because a fetch costs several times as much, even of a cached entry.
    const found = this.#cache.get(name) ?? (await this.#cache.forceFetch(name, { context: { key } }));
    if ('rows' in found) return found;
    const { starts } = found;
    const first = starts.findLast((start) => start <= position) ?? 0;
    const end = starts.find((start) => start > position) ?? chunkSize;
    const context = { key, part: { first, end } };
    return (await this.#cache.forceFetch(`${name} ${first}`, { context })) as Part;
  }

  async #fetch({ key, part }: Wanted): Promise<Part | Layout> {
    if (part === undefined) return this.#fetchChunk(key);
    return this.#reading.runExclusive(async () => {
      const bytes = await this.redis.hgetBuffer(key, String(part.first));
      return { ...part, ...(await decodeAt(key, bytes)) };
    });
  }

  /** A chunk is a string; one of long rows is a hash of its parts. */
  async #fetchChunk(key: string): Promise<Part | Layout> {
    try {
      return { first: 0, end: chunkSize, ...(await decodeAt(key, await this.redis.getBuffer(key))) };
    } catch (error) {
      if (!isOfOtherType(error)) throw error;
      const firsts = await this.redis.hkeys(key);
      return { starts: firsts.map(Number).sort((one, other) => one - other) };
    }
  }
}

/** @throws {UnreadableRecordError} */
async function decodeAt(key: string, bytes: Uint8Array | null): Promise<DecodedRows> {
  try {
    return await decodeChunk(bytes);
  } catch {
    throw new UnreadableRecordError(key);
  }
}

const decompress = promisify(zstdDecompress);

export type PlacedRow = readonly [row: RowIndex, stored: StoredRow];

export interface StoredRow {
  /** Its number in the manifest, without the header. */
  readonly number: RowNumber;
  /** Its line in the file of the manifest; undefined for the usual one, below one line of headers. */
  readonly line?: number | undefined;
  /** Name of its worksheet; undefined unless several were read. */
  readonly worksheet?: string | undefined;
  /** One per column of the header. */
  readonly cells: readonly string[];
}

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

export function encodeChunk(rows: readonly StoredRow[]): Buffer {
  return zstdCompressSync(JSON.stringify(rows.map(packRow)), compression);
}

function packRow(row: StoredRow): readonly unknown[] {
  const { number, cells, worksheet } = row;
  const line = lineOf(row);
  if (worksheet !== undefined) return [number, cells, line, worksheet];
  return line === number + 1 ? [number, cells] : [number, cells, line];
}

/** Line of a row in the file of its manifest, from 1: its place as people see it. */
export function lineOf({ number, line = number + 1 }: Pick<StoredRow, 'number' | 'line'>): number {
  return line;
}

/** `line 5`, of a row that has no key of its own; the number that stands for it is ours. */
export function placeIfKeyless({ indexes }: Header, row: StoredRow): string | undefined {
  if (textOfCell(row.cells, indexes.key) !== '') return undefined;
  return describePlace({ line: lineOf(row), worksheet: row.worksheet });
}

interface DecodedRows {
  readonly rows: readonly StoredRow[];
  /** Approximate size in memory. */
  readonly bytes: number;
}

/** @param chunk `null` if there is none. */
async function decodeChunk(chunk: Uint8Array | null): Promise<DecodedRows> {
  if (chunk === null) return { rows: [], bytes: 0 };
  const json = await decompress(chunk);
  const rows = readRows(json);
  const cells = rows.reduce((sum, { cells: { length } }) => sum + length, 0);
  return { rows, bytes: json.length + cells * cellBytes };
}

function readRows(json: Buffer): readonly StoredRow[] {
  const rows = JSON.parse(json.toString()) as [number, string[], number?, string?][];
  return rows.map(([number, cells, line, worksheet]) => ({
    number,
    cells,
    ...(line !== undefined && { line }),
    ...(worksheet !== undefined && { worksheet }),
  }));
}

/** Approximate memory of a cell without its text. */
const cellBytes = 8;
