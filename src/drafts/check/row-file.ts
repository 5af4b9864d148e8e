/**
 * The rows of a draft's sheet as written by the planner, in compressed chunks. A window or single rows of a large sheet are read
 * without reading the sheet. The file can be created again at any time; its index is in memory only.
 */
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { SheetRow } from '../../sheets/sheet.ts';

export interface NumberedRow extends SheetRow {
  /** Number of the row in the file, from 1. */
  readonly number: number;
}

/** Whether a file in a draft's folder is a row file, by its name: `rows-` and a hexadecimal number. */
export function isRowFile(name: string): boolean {
  return /^rows-[0-9a-f]+$/.test(name);
}

const rowsPerChunk = 250;
/** A chunk of long rows ends early, at this size. Characters. */
const largestChunk = 512 * 1024;
/** Bound of a decompressed chunk. No chunk is larger, because rows have bounds of their own. Bytes. */
const largestUnpacked = 512 * 1024 * 1024;

const decompress = promisify(zstdDecompress);
const fast = { [constants.ZSTD_c_compressionLevel]: 1 };

interface Chunk {
  /** Number of its first row. */
  readonly first: number;
  /** In bytes. */
  readonly start: number;
  readonly length: number;
}

export class RowFile {
  readonly path: string;
  readonly count: number;
  readonly #chunks: readonly Chunk[];

  constructor(path: string, count: number, chunks: readonly Chunk[]) {
    this.path = path;
    this.count = count;
    this.#chunks = chunks;
  }

  /**
   * @param numbers in ascending order. Numbers without a row are ignored.
   * @param mostCharacters of all cells together, in UTF-16 units: a row may have a million. The first row is always returned.
   */
  async read(
    numbers: readonly number[],
    mostCharacters = Number.POSITIVE_INFINITY,
  ): Promise<readonly NumberedRow[]> {
    const rows: NumberedRow[] = [];
    let characters = 0;
    const asked = new Set(numbers);
    await using file = await open(this.path);
    const chunks = new Set(numbers.map((number) => this.#chunks.findLast(({ first }) => first <= number)));
    for (const chunk of chunks) {
      if (chunk === undefined) continue;
      for (const row of await readChunk(file, chunk)) {
        if (!asked.has(row.number)) continue;
        characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
        if (characters > mostCharacters && rows.length > 0) return rows;
        rows.push(row);
      }
    }
    return rows;
  }

  /** All rows in order, a chunk at a time. @param after number of a row: chunks that end with it or before are not read. */
  async *scan(after = 0): AsyncGenerator<readonly NumberedRow[]> {
    await using file = await open(this.path);
    for (const [index, chunk] of this.#chunks.entries()) {
      const next = this.#chunks[index + 1]?.first ?? this.count + 1;
      if (next > after + 1) yield await readChunk(file, chunk);
    }
  }
}

async function readChunk(file: FileHandle, { first, start, length }: Chunk): Promise<readonly NumberedRow[]> {
  const packed = Buffer.alloc(length);
  await file.read(packed, 0, length, start);
  const text = (await decompress(packed, { maxOutputLength: largestUnpacked })).toString();
  const rows = JSON.parse(text) as readonly SheetRow[];
  return rows.map((row, index) => ({ ...row, number: first + index }));
}

/** Removes a file of rows that nobody needs any more. */
export async function removeRows(path: string | undefined): Promise<void> {
  if (path !== undefined) await unlink(path).catch(() => undefined);
}

/** Writes rows in order. `await using` closes it, and removes a file that was not finished. */
export class RowFileWriter implements AsyncDisposable {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #chunks: Chunk[] = [];
  #open: SheetRow[] = [];
  #openSize = 0;
  #count = 0;
  #end = 0;
  #isFinished = false;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** @throws a file system error; also if there is a file of this name. */
  static async create(path: string): Promise<RowFileWriter> {
    return new RowFileWriter(path, await open(path, 'wx', 0o600));
  }

  /** @throws a file system error, such as a full disk. */
  async add(rows: readonly SheetRow[]): Promise<void> {
    for (const row of rows) {
      this.#open.push(row);
      for (const cell of row.cells) this.#openSize += cell.length;
      if (this.#open.length === rowsPerChunk || this.#openSize > largestChunk) await this.#flush();
    }
  }

  async finish(): Promise<RowFile> {
    if (this.#open.length > 0) await this.#flush();
    this.#isFinished = true;
    return new RowFile(this.#path, this.#count, this.#chunks);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
    if (!this.#isFinished) await removeRows(this.#path);
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(this.#open));
    // Synchronous, because another thread would take longer to start than this takes. Knowing the size, the compressor uses
    // small tables.
    const packed = zstdCompressSync(bytes, { params: fast, pledgedSrcSize: bytes.length });
    this.#chunks.push({ first: this.#count + 1, start: this.#end, length: packed.length });
    this.#count += this.#open.length;
    this.#end += packed.length;
    this.#open = [];
    this.#openSize = 0;
    await this.#file.appendFile(packed);
  }
}
