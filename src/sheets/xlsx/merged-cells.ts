/**
 * Handles merged cells. A workbook keeps the value in the first cell only. Cells merged downwards: every row gets the value. Cells merged
 * sideways: a fault, because the planner may mean either column. A worksheet lists its merged cells after its rows, so they are found
 * before the rows are read.
 */
import { mostProblemsOfRow } from '../../manifest/sheet-bounds.ts';
import { type CellFault, columnLetters } from '../sheet.ts';
import { readBelowRows } from './below-rows.ts';
import type { Package } from './workbook.ts';
import { tooLarge } from './workbook-error.ts';
import type { XmlHandler } from './xml.ts';

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

  /** As wide as the header; rows in order, without blank ones. @param faults so far. @returns those from merged cells. */
  fill(line: number, cells: string[], faults: readonly CellFault[] = none): readonly CellFault[] {
    const found = this.#open.size > 0 ? this.#resume(line, cells) : none;
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

  #resume(line: number, cells: string[]): readonly CellFault[] {
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
    fix: 'Unmerge the cells and fill in each of them. If the row is a heading, remove it.',
  };
}

const mostMerges = 100_000;
/** Sorted by first row. @throws {WorkbookError} above 100,000. */
export async function readMerges(parts: Package, part: string): Promise<readonly CellRange[]> {
  const merges: CellRange[] = [];
  await readBelowRows(parts, part, collector(merges));
  return merges.sort((one, other) => one.top - other.top);
}

function collector(merges: CellRange[]): XmlHandler {
  return {
    open(element, { ref = '' }) {
      if (element !== 'mergeCell') return;
      if (merges.length === mostMerges) throw tooLarge(`it has more than ${mostMerges} merged cells`);
      const range = parseRange(ref);
      if (range !== undefined) merges.push(range);
    },
  };
}

/** Columns count from 0, rows from 1. Both ends are included. */
interface CellRange {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The column of a reference such as `AB12`, from 0; -1 if it has none. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let index = 0; index < reference.length; index += 1) {
    const letter = reference.charCodeAt(index) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/** @returns `undefined` unless the text is a range of cells. */
function parseRange(text: string): CellRange | undefined {
  const { from = '', top = '', to = '', bottom = '' } = range.exec(text)?.groups ?? {};
  if (from === '') return undefined;
  return { left: columnOf(from), right: columnOf(to), top: Number(top), bottom: Number(bottom) };
}

const range = /^(?<from>[A-Z]{1,3})(?<top>\d{1,7}):(?<to>[A-Z]{1,3})(?<bottom>\d{1,7})$/;
