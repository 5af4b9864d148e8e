/**
 * Handles merged cells. A workbook keeps the value in the first cell only. Cells merged downwards: every row gets the value. Cells merged
 * sideways: a fault, because the planner may mean either column.
 */
import { columnLetters } from '../../manifest/headers/column-letters.ts';
import { mostProblemsOfRow } from '../../manifest/limits.ts';
import type { CellFault } from '../sheet.ts';
import type { CellRange } from './cell-reference.ts';

/** A merge that reaches below its first row. */
interface OpenMerge {
  readonly range: CellRange;
  readonly value: string;
  readonly fault: CellFault | undefined;
}

export class MergedCells {
  readonly #ranges: readonly CellRange[];
  /** Index of the first range that begins below the last row read. */
  #next = 0;
  /** By first column: at most one per column, even if the workbook says otherwise. */
  readonly #open = new Map<number, OpenMerge>();

  /** @param ranges sorted by first row. */
  constructor(ranges: readonly CellRange[]) {
    this.#ranges = ranges;
  }

  /** Skips merges that begin in the header or above it: the name of a column is not a value. */
  skipHeader(line: number): void {
    while (this.#isAbove(line + 1)) this.#next += 1;
  }

  /**
   * Fills in a row that is as wide as the header. Rows must come in order; blank rows may be missing.
   * @param faults of the row so far.
   * @returns its further faults, from merged cells.
   */
  fill(line: number, cells: string[], faults: readonly CellFault[] = none): readonly CellFault[] {
    const found = this.#open.size > 0 ? this.#goOn(line, cells) : none;
    while (this.#isAbove(line)) this.#next += 1;
    if (!this.#isAbove(line + 1)) return found;
    const more = [...found];
    for (; this.#isAbove(line + 1); this.#next += 1) {
      const range = this.#ranges[this.#next] as CellRange;
      const isFault = this.#begin(range, cells, faults) && isWide(range);
      if (isFault && more.length < mostProblemsOfRow) more.push(mergedSideways(range));
    }
    return more;
  }

  #isAbove(line: number): boolean {
    const range = this.#ranges[this.#next];
    return range !== undefined && range.top < line;
  }

  #goOn(line: number, cells: string[]): readonly CellFault[] {
    const found: CellFault[] = [];
    for (const [left, { range, value, fault }] of this.#open) {
      if (range.bottom < line) this.#open.delete(left);
      else if (isWide(range)) found.push(mergedSideways(range));
      else if (cells[left] === '') {
        cells[left] = value;
        if (fault !== undefined) found.push(fault);
      }
    }
    return found;
  }

  /** @returns whether the merge has a value under the header. */
  #begin(range: CellRange, cells: readonly string[], faults: readonly CellFault[]): boolean {
    const { left, top, bottom } = range;
    const fault = faults.find(({ position }) => position === left);
    const value = cells[left] ?? '';
    if (left >= cells.length || (value === '' && fault === undefined)) return false;
    if (bottom > top) this.#open.set(left, { range, value, fault });
    return true;
  }
}

const none: readonly CellFault[] = [];

function isWide({ left, right }: CellRange): boolean {
  return right > left;
}

function mergedSideways({ left, right, top, bottom }: CellRange): CellFault {
  return {
    position: left,
    code: 'merged_cells',
    value: '',
    problem: `${columnLetters(left)}${top} to ${columnLetters(right)}${bottom} are merged, and only the first cell has the value`,
    cure: 'Unmerge the cells and fill in each of them. If the row is a heading, remove it.',
  };
}
