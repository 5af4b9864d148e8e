/**
 * What merged cells mean to a planner. A workbook keeps a value in the first of them only. Merged downwards, it is meant for each of the
 * rows, and they all get it. Merged sideways, nobody can tell which columns are meant: that is a fault.
 */
import { columnLetters } from '../../manifest/column-letters.ts';
import type { CellFault } from '../sheet.ts';
import type { CellRange } from './cell-reference.ts';

/** A merge whose first row was read. */
interface OpenMerge {
  readonly range: CellRange;
  readonly value: string;
  readonly fault: CellFault | undefined;
}

export class MergedCells {
  readonly #ranges: readonly CellRange[];
  /** Those before it begin above the row that was read last. */
  #next = 0;
  /** By their first column: no two stand over each other, whatever the workbook says. */
  readonly #open = new Map<number, OpenMerge>();

  /** @param ranges by their first row. */
  constructor(ranges: readonly CellRange[]) {
    this.#ranges = ranges;
  }

  /** Leaves out what begins in the header or above: names of columns are not for the rows. */
  skipHeader(line: number): void {
    while (this.#isAbove(line + 1)) this.#next += 1;
  }

  /**
   * Fills in a row, as wide as the header. Rows are to come in their order; blank ones may be left out.
   * @param faults of the row so far.
   * @returns those that it has by its merged cells.
   */
  fill(line: number, cells: string[], faults: readonly CellFault[] = none): readonly CellFault[] {
    const found = this.#open.size > 0 ? this.#goOn(line, cells) : none;
    while (this.#isAbove(line)) this.#next += 1;
    if (!this.#isAbove(line + 1)) return found;
    const more = [...found];
    for (; this.#isAbove(line + 1); this.#next += 1) {
      const range = this.#ranges[this.#next] as CellRange;
      if (this.#begin(range, cells, faults) && isWide(range)) more.push(mergedSideways(range));
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
    problem: `${columnLetters(left)}${top} to ${columnLetters(right)}${bottom} are merged into one cell, and only the first has its value`,
    cure: 'Unmerge the cells, and fill in each of them; take out a row that is a heading.',
  };
}
