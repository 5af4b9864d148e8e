/**
 * The rows of a draft's sheet as written by the planner, in compressed chunks: a window is read without reading the sheet. They are
 * stored unless an earlier check has done so.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { mostStored, refuseTooMuch } from '../../../ledger/imports/staged-rows.ts';
import { turn } from '../../../manifest/event-loop.ts';
import { FreeDisk } from '../../../platform/files/disk.ts';
import type { SheetRow } from '../../../sheets/sheet.ts';
import { type Draft, onDisk, readingId } from '../draft.ts';
import { type DraftRuntime, draftFolder } from '../folder.ts';
import type { DraftDatabase } from './database.ts';

export interface NumberedRow extends SheetRow {
  /** Number of the row in the file, from 1. */
  readonly number: number;
}

/** Bound of a decompressed chunk. No chunk is larger, because rows have bounds of their own. Bytes. */
const largestUnpacked = 512 * 1024 * 1024;

interface Chunk {
  readonly first: number;
  readonly packed: Uint8Array;
}

export class StoredRows {
  readonly #database: DraftDatabase;

  constructor(database: DraftDatabase) {
    this.#database = database;
  }

  get count(): number {
    const last = this.#database.get<{ first: number; rows: number }>(
      'SELECT first, rows FROM chunks ORDER BY first DESC LIMIT 1',
    );
    return last === undefined ? 0 : last.first + last.rows - 1;
  }

  /** @param numbers ascending. @param mostCharacters of all cells, in UTF-16 units. The first row is always returned. */
  async read(
    numbers: readonly number[],
    mostCharacters = Number.POSITIVE_INFINITY,
  ): Promise<readonly NumberedRow[]> {
    const rows: NumberedRow[] = [];
    let characters = 0;
    let chunk: readonly NumberedRow[] = [];
    for (const number of numbers) {
      if (number > (chunk.at(-1)?.number ?? 0)) chunk = await this.#chunkOf(number);
      const row = chunk.find((each) => each.number === number);
      if (row === undefined) continue;
      characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (characters > mostCharacters && rows.length > 0) return rows;
      rows.push(row);
    }
    return rows;
  }

  /** Rows in order, a chunk at a time. @param after number of a row: chunks that end with it or before are not read. */
  async *scan(after = 0): AsyncGenerator<readonly NumberedRow[]> {
    for (let next = after + 1; ; ) {
      const chunk = await this.#chunkOf(next);
      const last = chunk.at(-1);
      if (last === undefined || last.number < next) return;
      yield chunk;
      next = last.number + 1;
    }
  }

  async #chunkOf(number: number): Promise<readonly NumberedRow[]> {
    await turn.pause();
    const chunk = this.#database.get<Chunk>(
      'SELECT first, packed FROM chunks WHERE first <= ? ORDER BY first DESC LIMIT 1',
      number,
    );
    return chunk === undefined ? [] : this.#database.decode(() => unpack(chunk));
  }
}

function unpack({ first, packed }: Chunk): readonly NumberedRow[] {
  const text = zstdDecompressSync(packed, { maxOutputLength: largestUnpacked }).toString();
  const rows = JSON.parse(text) as readonly SheetRow[];
  return rows.map((row, index) => ({ ...row, number: first + index }));
}

/** Few, because a page may need one row of each of many chunks. */
const rowsPerChunk = 50;
/** A chunk of long rows ends early, at this size. Characters. */
const largestChunk = 128 * 1024;

const fast = { [constants.ZSTD_c_compressionLevel]: 1 };

/** Which reading the stored rows are of, and whether they are all. */
interface StoredReading {
  readonly reading: string | undefined;
  readonly isWhole: boolean;
}

export class RowsWriter {
  readonly #database: DraftDatabase;
  readonly #reading: string | undefined;
  readonly #isStored: boolean;
  readonly #most: number;
  readonly #room: FreeDisk;
  #open: SheetRow[] = [];
  #openSize = 0;
  #next = 1;
  #bytes = 0;

  private constructor(runtime: Runtime, database: DraftDatabase, draft: Draft, isStored: boolean) {
    this.#database = database;
    this.#reading = readingId(draft);
    this.#isStored = isStored;
    this.#most = mostStored(draft.sheet?.bytes ?? 0);
    this.#room = new FreeDisk(draftFolder(runtime, draft.id), runtime.freeBytes);
  }

  /** Forgets the rows of another sheet, or of a check that did not end. @throws {UseCaseError} `draft_not_stored`. */
  static async open(runtime: Runtime, database: DraftDatabase, draft: Draft): Promise<RowsWriter> {
    const stored = database.fact<StoredReading>('reading');
    const isStored = stored?.reading === readingId(draft) && stored?.isWhole === true;
    if (!isStored) await forgetSheet(database);
    return new RowsWriter(runtime, database, draft, isStored);
  }

  /** Adds rows in order. @throws {UseCaseError} `draft_not_stored` for a full disk, `manifest_unreadable` for too many bytes. */
  async add(rows: readonly SheetRow[]): Promise<void> {
    if (this.#isStored) return;
    for (const row of rows) {
      this.#open.push(row);
      for (const cell of row.cells) this.#openSize += cell.length;
      if (this.#open.length === rowsPerChunk || this.#openSize > largestChunk) await this.#flush();
    }
  }

  /** Stores the last rows. @param isWhole whether these are all rows of the sheet. */
  async end(isWhole: boolean): Promise<void> {
    if (this.#isStored) return;
    await this.#flush();
    const stored: StoredReading = { reading: this.#reading, isWhole };
    await this.#database.write(() => this.#database.setFact('reading', stored));
  }

  async #flush(): Promise<void> {
    if (this.#open.length === 0) return;
    const bytes = Buffer.from(JSON.stringify(this.#open));
    // Knowing the size, the compressor uses small tables.
    const packed = zstdCompressSync(bytes, { params: fast, pledgedSrcSize: bytes.length });
    this.#bytes += packed.length;
    refuseTooMuch(this.#bytes, this.#most);
    await onDisk(() => this.#room.take(packed.length));
    const [first, rows] = [this.#next, this.#open.length];
    this.#next += rows;
    this.#open = [];
    this.#openSize = 0;
    const sql = 'INSERT INTO chunks VALUES (?, ?, ?)';
    await this.#database.write(() => this.#database.run(sql, first, rows, packed));
  }
}

type Runtime = Pick<DraftRuntime, 'environment' | 'freeBytes'>;

export async function forgetSheet(database: DraftDatabase): Promise<void> {
  await database.write(() => {
    for (const table of ['chunks', 'states', 'problems']) database.run(`DELETE FROM ${table}`);
    database.run('DELETE FROM facts');
  });
}
