/** Edits of a sheet: new texts of cells, and rows to leave out. The sheet itself is not changed. */
import type { RowEdits } from '../../../importers/check/checked-row.ts';
import { literalCell, unguardFormula } from '../../../manifest/cells/formula-guard.ts';
import type { SheetRow } from '../../../sheets/sheet.ts';
import { type AddedColumn, type CellEdit, type EditEntry, rowsOf } from './edit.ts';

export interface WrittenCell {
  readonly text: string;
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface EditsSummary {
  readonly rows: number;
  readonly leftOut: number;
  readonly columns: number;
  /** The last change: what an undo takes back. */
  readonly last:
    | {
        readonly by: string;
        readonly at: number;
        /** What it wrote; empty if that is very much. */
        readonly cells: readonly CellEdit[];
      }
    | undefined;
}

const mostOfLast = 100;

export class Edits implements RowEdits {
  readonly #entries: EditEntry[] = [];
  readonly #cells = new Map<number, Map<number, WrittenCell>>();
  readonly #leftOut = new Set<number>();
  readonly #skippedAgain = new Set<number>();
  readonly #faulty = new Map<number, readonly string[]>();
  readonly #again = new Set<number>();
  readonly #mayBe = new Map<number, string>();
  readonly #added: AddedColumn[] = [];
  /** How many columns the sheet itself has; known once one was added. */
  #width = 0;
  /** Whether a person took back what an update keeps. */
  isCarriedUndone = false;
  /** As `edits` of the draft. */
  revision: number;

  /** @param entries in order, undos among them. */
  constructor(entries: Iterable<EditEntry> = [], revision = 0) {
    this.revision = revision;
    for (const entry of entries) this.#put(entry);
    // Only what was not taken back: each undo by itself would apply all before it again.
    for (const entry of this.#entries) this.#apply(entry);
  }

  /** @param revision the one with it. @returns the numbers of the rows that it touches. */
  add(entry: EditEntry, revision = 0): ReadonlySet<number> {
    this.revision = revision;
    const undone = entry.undo ? this.#lastChange : [entry];
    this.#put(entry);
    if (!entry.undo && !entry.isCarried) {
      this.#apply(entry);
      return rowsOf(entry);
    }
    this.#cells.clear();
    this.#leftOut.clear();
    this.#skippedAgain.clear();
    this.#faulty.clear();
    this.#again.clear();
    this.#mayBe.clear();
    this.#added.length = 0;
    for (const kept of this.#entries) this.#apply(kept);
    return new Set(undone.flatMap((each) => [...rowsOf(each)]));
  }

  /** What an update keeps comes first, whenever it is made anew: edits of people are on top of it. */
  #put(entry: EditEntry): void {
    if (entry.undo) {
      const undone = this.#entries.splice(this.#entries.length - this.#lastChange.length);
      this.isCarriedUndone ||= undone.some(({ isCarried }) => isCarried);
    } else if (entry.isCarried) this.#entries.splice(0, this.carried === undefined ? 0 : 1, entry);
    else this.#entries.push(entry);
  }

  get rekeyed(): number {
    return this.carried?.rekeyed ?? 0;
  }

  /** What an update keeps, unless that was taken back. */
  get carried(): EditEntry | undefined {
    return this.#entries.find(({ isCarried }) => isCarried);
  }

  get last(): EditEntry | undefined {
    return this.#entries.at(-1);
  }

  /** What an undo takes back, in order. */
  get #lastChange(): readonly EditEntry[] {
    const begin = this.#entries.findLastIndex(({ isFurther }) => !isFurther);
    return this.#entries.slice(Math.max(0, begin));
  }

  get summary(): EditsSummary {
    const change = this.#lastChange;
    const [last] = change;
    const many = change.reduce((sum, { cells = [] }) => sum + cells.length, 0);
    const cells = many > mostOfLast ? [] : change.flatMap((each) => each.cells ?? []);
    return {
      rows: this.#cells.size,
      leftOut: this.#leftOut.size,
      columns: this.#added.length,
      last: last && { by: last.by, at: last.at, cells },
    };
  }

  /** Cells of a row that were edited, by position. */
  of(row: number): ReadonlyMap<number, WrittenCell> | undefined {
    return this.#cells.get(row);
  }

  /** Numbers of the rows whose cell in a column was edited, ascending. */
  rowsWith(position: number): readonly number[] {
    const rows = [...this.#cells].flatMap(([row, written]) => (written.has(position) ? [row] : []));
    return rows.sort((one, other) => one - other);
  }

  isTyped(row: number, position: number): boolean {
    return this.#cells.get(row)?.has(position) ?? false;
  }

  skips(row: number): boolean {
    return this.#leftOut.has(row);
  }

  skippedBefore(row: number): boolean {
    return this.#skippedAgain.has(row) && this.#leftOut.has(row);
  }

  leftOutWith(row: number): readonly string[] | undefined {
    return this.#faulty.get(row);
  }

  postsAgain(row: number): boolean {
    return this.#again.has(row);
  }

  mayBe(row: number): string | undefined {
    return this.#mayBe.get(row);
  }

  /** Number of rows that are to be posted although they are posts of other campaigns. */
  get again(): number {
    return this.#again.size;
  }

  get added(): readonly AddedColumn[] {
    return this.#added;
  }

  /** The header of the sheet, with the columns that were added. */
  header(cells: readonly string[]): readonly string[] {
    return this.#added.length === 0
      ? cells
      : [...cells.slice(0, this.#width), ...this.#added.map(({ name }) => name)];
  }

  apply(row: SheetRow, number: number): SheetRow {
    const edited = this.#cells.get(number);
    if (edited === undefined && this.#added.length === 0) return row;
    const cells = this.#widened(row.cells);
    if (edited === undefined) return { ...row, cells };
    const wasShort = cells.length < this.#width;
    for (const [position, { text }] of edited) {
      while (cells.length < position) cells.push('');
      cells[position] = literalCell(text);
    }
    if (wasShort && cells.length >= this.#width) {
      for (const [index, { text = '' }] of this.#added.entries()) {
        const position = this.#width + index;
        if (!edited.has(position)) cells[position] = literalCell(text);
      }
    }
    const cellFaults = row.cellFaults?.filter(({ position }) => !edited.has(position));
    return { ...row, cells, cellFaults: cellFaults?.length === 0 ? undefined : cellFaults };
  }

  textsOf(row: SheetRow, number: number): readonly string[] {
    return this.apply(row, number).cells.map(unguardFormula);
  }

  /**
   * Adds cells for the added columns. A row with too many or too few cells keeps that fault: behind too few, they would stand in columns of
   * the sheet.
   */
  #widened(cells: readonly string[]): string[] {
    const isBlank = cells.length > this.#width && cells.slice(this.#width).every((cell) => cell === '');
    const own = this.#added.length > 0 && isBlank ? cells.slice(0, this.#width) : cells;
    if (own.length < this.#width) return [...own];
    return [...own, ...this.#added.map(({ text = '' }) => literalCell(text))];
  }

  #apply({ cells = [], by, at, addColumns, isCarried, mayBe = [], ...marks }: EditEntry): void {
    if (addColumns !== undefined) {
      if (this.#added.length === 0) this.#width = addColumns.at;
      this.#added.push(...addColumns.columns);
    }
    for (const { row, key } of mayBe) this.#mayBe.set(row, key);
    for (const { row, codes } of marks.leaveFaulty ?? []) this.#faulty.set(row, codes);
    for (const { row, position, text } of cells) {
      const written = this.#cells.get(row) ?? new Map<number, WrittenCell>();
      this.#cells.set(row, written.set(position, { text, by, at }));
    }
    const { leaveOut = [], takeIn = [], postAgain = [], postOnce = [] } = marks;
    for (const row of leaveOut) this.#leftOut.add(row);
    if (isCarried) for (const row of leaveOut) this.#skippedAgain.add(row);
    for (const row of takeIn) {
      this.#leftOut.delete(row);
      this.#faulty.delete(row);
    }
    for (const row of postAgain) this.#again.add(row);
    for (const row of postOnce) this.#again.delete(row);
  }
}
