/** The rows of a draft's sheet as written by the planner, in compressed chunks: a window is read without reading the sheet. */
import { zstdDecompressSync } from 'node:zlib';
import { turn } from '../../../manifest/turn.ts';
import type { SheetRow } from '../../../sheets/sheet.ts';
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
