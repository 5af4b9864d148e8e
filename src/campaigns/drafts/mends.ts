/** What people mended in the sheet of a draft: texts of cells, and rows that are left out. The sheet itself stays as it is. */
import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { RowMends } from '../../importers/check/checked-row.ts';
import type { SheetRow } from '../../sheets/sheet.ts';
import { type DraftRuntime, draftFiles, draftNotStored } from './folder.ts';

/** Largest record of all mends of a draft, in bytes: some hundred thousand cells. */
const maxBytes = 64 * 1024 * 1024;
const maxCellLength = 32_767;

const cellSchema = z.strictObject({
  /** First line of the row in the file, from 1. */
  line: z.int().min(1),
  /** Position of the cell in its row, from 0. */
  position: z.int().min(0).max(999),
  text: z.string().max(maxCellLength),
});
/** One change: who made it, when, and what it did. A line each in the file. */
const entrySchema = z.strictObject({
  at: z.int(),
  by: z.string().max(200),
  cells: z.array(cellSchema).optional(),
  /** Lines of rows to leave out, and to take in again. */
  leaveOut: z.array(z.int().min(1)).optional(),
  takeIn: z.array(z.int().min(1)).optional(),
  /** All earlier mends are void: the sheet is read in another way, or is another one. */
  startOver: z.literal(true).optional(),
});

export type CellMend = Readonly<z.infer<typeof cellSchema>>;
export type MendEntry = Readonly<z.infer<typeof entrySchema>>;

/** A sheet's mends, ready to be applied to its rows. */
export class Mends implements RowMends {
  readonly #cells = new Map<number, Map<number, string>>();
  readonly #leftOut = new Set<number>();

  add({ cells = [], leaveOut = [], takeIn = [], startOver }: MendEntry): void {
    if (startOver) {
      this.#cells.clear();
      this.#leftOut.clear();
    }
    for (const { line, position, text } of cells) {
      const row = this.#cells.get(line) ?? new Map<number, string>();
      this.#cells.set(line, row.set(position, text));
    }
    for (const line of leaveOut) this.#leftOut.add(line);
    for (const line of takeIn) this.#leftOut.delete(line);
  }

  get isEmpty(): boolean {
    return this.#cells.size === 0 && this.#leftOut.size === 0;
  }

  get leftOut(): ReadonlySet<number> {
    return this.#leftOut;
  }

  /** Texts by position, of the cells of a row that were mended. */
  of(line: number): ReadonlyMap<number, string> | undefined {
    return this.#cells.get(line);
  }

  leavesOut(line: number): boolean {
    return this.#leftOut.has(line);
  }

  apply(row: SheetRow): SheetRow {
    const mended = this.#cells.get(row.line);
    if (mended === undefined) return row;
    const cells = [...row.cells];
    for (const [position, text] of mended) {
      while (cells.length < position) cells.push('');
      cells[position] = text;
    }
    const cellFaults = row.cellFaults?.filter(({ position }) => !mended.has(position));
    return { ...row, cells, cellFaults: cellFaults?.length === 0 ? undefined : cellFaults };
  }
}

/** @throws {UseCaseError} `draft_not_stored`. */
export async function readMends(runtime: DraftRuntime, id: string): Promise<Mends> {
  const mends = new Mends();
  for (const line of (await readRecord(runtime, id)).split('\n')) {
    const entry = entrySchema.safeParse(parse(line));
    // The last line may be torn by a crash: that change was never answered.
    if (entry.success) mends.add(entry.data);
  }
  return mends;
}

async function readRecord(runtime: DraftRuntime, id: string): Promise<string> {
  try {
    return await readFile(draftFiles(runtime, id).mends, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw draftNotStored(error);
  }
}

/** Stores one change. Call it within `changeDraft`. @throws {UseCaseError} `draft_not_stored`. */
export async function addMend(runtime: DraftRuntime, id: string, entry: MendEntry): Promise<void> {
  const line = `${JSON.stringify(entry)}\n`;
  const earlier = await readRecord(runtime, id);
  if (Buffer.byteLength(earlier) + Buffer.byteLength(line) > maxBytes) {
    throw draftNotStored(new Error('too much was mended by hand: mend the sheet itself, and drop it again'));
  }
  try {
    // A line that a crash has torn ends here, so that it does not swallow this one.
    const isTorn = earlier !== '' && !earlier.endsWith('\n');
    await appendFile(draftFiles(runtime, id).mends, isTorn ? `\n${line}` : line, {
      mode: 0o600,
      flush: true,
    });
  } catch (error) {
    throw draftNotStored(error);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
