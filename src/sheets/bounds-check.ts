/** Finds cells and rows that are longer than a manifest may have, and files that unpack to too much. */
import { type CellProblem, showValue } from '../manifest/problems/problem.ts';
import { longestCell, longestRow, mostColumns } from '../manifest/sheet-bounds.ts';
import { thousands } from '../manifest/wording.ts';
import { type CellFault, type UnreadableSheetError, unreadable } from './sheet.ts';

/** A fault even of a cell that is not read: no sheet could be written with it. */
export const cellTooLongCode = 'cell_too_long';

export function cellTooLong(text: string): Omit<CellFault, 'position'> {
  return {
    code: cellTooLongCode,
    value: showValue(text),
    problem: `the cell has ${thousands(text.length)} characters; ${thousands(longestCell)} are allowed`,
    fix: 'Shorten the text.',
  };
}

export function findLongCells(cells: readonly string[]): readonly CellFault[] | undefined {
  if (!cells.some((cell) => cell.length > longestCell)) return undefined;
  return cells.flatMap((cell, position) =>
    cell.length > longestCell ? [{ position, ...cellTooLong(cell) }] : [],
  );
}

/** Whether the cells of a row take more than 1 MB together. @param size of them. */
export function isRowTooLong(cells: readonly string[], size: number): boolean {
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (size * 3 <= longestRow) return false;
  return size > longestRow || cells.reduce((sum, cell) => sum + Buffer.byteLength(cell), 0) > longestRow;
}

/** A file may unpack to this many times its size: real sheets stay below 100. */
export const highestRatio = 200;
/** Cells of a file may take this much whatever its size: a moment's work, and far more than a small sheet has. */
const harmlessSize = 32 * 1024 * 1024;

/** Adds up the rows of a file whose cells may repeat text that is in it once: shared texts, merged cells, defaults. */
export class Expansion {
  readonly #most: number;
  #size = 0;

  constructor(fileBytes: number) {
    this.#most = Math.max(harmlessSize, fileBytes * highestRatio);
  }

  /** @returns whether the sizes so far are too much. */
  add(size: number): boolean {
    this.#size += size;
    return this.#size > this.#most;
  }
}

export function tooManyColumns(line: number): UnreadableSheetError {
  return unreadable(
    line,
    'too_many_columns',
    `the sheet has more than ${mostColumns} columns`,
    'Remove the columns that are not for posts.',
  );
}

export const rowTooLong: CellProblem = {
  column: null,
  code: 'row_too_long',
  value: '',
  problem: 'this row is longer than 1 MB',
  fix: 'Shorten its texts. In JSON, look for a missing bracket.',
};
