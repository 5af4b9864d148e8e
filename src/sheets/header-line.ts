/** Finds the line of the headers: planners write a title above them. */
import { countNamed } from '../manifest/headers/header.ts';
import { longestRow, sizeOf } from '../manifest/sheet-bounds.ts';
import type { SheetOptions, SheetRow } from './sheet.ts';

/** Rows from the start of a sheet among which the headers are looked for. */
export const rowsLookedAt = 20;

/** Rows that are read ahead of a header, and characters of their cells. */
const rowsAhead = 200;
const charactersAhead = longestRow;

/** Cells that are names of columns: no title has so many. */
const surelyNamed = 3;

/**
 * The first of the rows of which half of the cells are names of columns, and at least three; else the first that is half as wide as the
 * widest and looks like headers; else the first row.
 * @param rows from the start of the sheet, without blank ones.
 */
export function findHeaderRow(
  rows: readonly SheetRow[],
  { map }: Pick<SheetOptions, 'map'>,
): SheetRow | undefined {
  const looked = rows
    .slice(0, rowsLookedAt)
    .map((row) => ({ row, filled: row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '') }));
  const widest = Math.max(0, ...looked.map(({ filled }) => filled.length));
  const namesIn = (filled: readonly string[]) => {
    const count = countNamed(filled, map);
    return count * 2 >= filled.length ? count : 0;
  };
  const found =
    looked.find(({ filled }) => namesIn(filled) >= surelyNamed) ??
    looked.find(
      ({ filled }) => filled.length * 2 >= widest && (namesIn(filled) > 0 || lookLikeHeaders(filled)),
    );
  return found?.row ?? rows[0];
}

/** Longer texts are no headers, and neither are those of more lines. */
const longestHeader = 60;
const mostLines = 3;
/** Names, links, files, numbers and dates: cells of a row. */
const dataLike = /^@|^https?:|\.[a-z][a-z0-9]{2,3}$|^[\d\s.,:/+-]+$|\d{4}/i;

/** At least two different texts, of which most are no data. */
function lookLikeHeaders(filled: readonly string[]): boolean {
  if (filled.length < 2 || new Set(filled).size < filled.length) return false;
  const plain = filled.filter(
    (cell) =>
      cell.length <= longestHeader && !dataLike.test(cell) && cell.split(/\r\n?|\n/).length <= mostLines,
  );
  return plain.length * 4 >= filled.length * 3;
}

/** Line of the first row that is twice as wide as the row that was taken as the headers, which may be a title; undefined if no row is. */
export function findWiderRow(header: SheetRow, below: readonly SheetRow[]): number | undefined {
  const widthOf = ({ cells }: SheetRow) => cells.filter((cell) => cell.trim() !== '').length;
  return below.slice(0, rowsLookedAt).find((row) => widthOf(row) >= 2 * widthOf(header))?.line;
}

interface ReadAhead {
  readonly first: readonly SheetRow[];
  /** All rows, the first ones too. Fails where the sheet becomes unreadable. Can be read once. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
  close(): Promise<void>;
}

/** Reads the first rows. What fails then fails again when the rows before it are read. */
export async function readAhead(batches: AsyncIterable<readonly SheetRow[]>): Promise<ReadAhead> {
  const source = batches[Symbol.asyncIterator]();
  const first: SheetRow[] = [];
  let failed: { readonly error: unknown } | undefined;
  let size = 0;
  try {
    while (first.length < rowsAhead && size < charactersAhead) {
      const { done, value } = await source.next();
      if (done) break;
      first.push(...value);
      for (const { cells } of value) size += sizeOf(cells);
    }
  } catch (error) {
    failed = { error };
  }
  return { first, rows: allRows(first, failed, source), close: async () => void (await source.return?.()) };
}

async function* allRows(
  first: readonly SheetRow[],
  failed: { readonly error: unknown } | undefined,
  source: AsyncIterator<readonly SheetRow[]>,
): AsyncGenerator<readonly SheetRow[]> {
  try {
    if (first.length > 0) yield first;
    if (failed !== undefined) throw failed.error;
    yield* { [Symbol.asyncIterator]: () => source };
  } finally {
    // A reader that stops at the first rows has not come to the source yet.
    await source.return?.();
  }
}
