/** The cells of the row that is being read, and the problems found in it so far. One is used for every row of a reader. */
import { type ColumnName, columns } from './columns.ts';
import { unguardFormula } from './formula.ts';
import { type Header, titleOf } from './header.ts';
import { type CellProblem, showValue } from './problem.ts';
import {
  findIdFault,
  hasControlsOrBreaks,
  type IdFault,
  maxIdLength,
  readBoolean,
  readWhole,
} from './scalars.ts';
import type { Zone, Zones } from './zone.ts';

export interface RowContext {
  readonly zones: Zones;
  /** Zone of times in rows that name none. */
  readonly defaultZone: Zone | null;
}

export class RowInput {
  readonly context: RowContext;
  /** The columns that the manifest has, in the order of the catalogue. */
  readonly present: readonly ColumnName[];
  readonly #header: Header;
  #cells: readonly string[] = [];
  #problems: CellProblem[] = [];

  constructor(header: Header, context: RowContext) {
    this.#header = header;
    this.context = context;
    this.present = columns.map((column) => column.name).filter((name) => header.indexes[name] >= 0);
  }

  begin(cells: readonly string[]): void {
    this.#cells = cells;
  }

  /** The cell's text without the spaces around it; empty where the manifest has no such column. */
  text(column: ColumnName): string {
    const index = this.#header.indexes[column];
    // An array is slow to say that it has nothing at -1.
    const cell = index < 0 ? '' : this.#cells[index];
    return cell === undefined || cell === '' ? '' : unguardFormula(cell).trim();
  }

  get failed(): boolean {
    return this.#problems.length > 0;
  }

  /** The problems of this row; the next row begins without any. */
  takeProblems(): readonly CellProblem[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  /** Says that the value of a column is wrong. `value` is the cell's text, unless a part of it is meant. */
  report(column: ColumnName, code: string, problem: string, cure: string, value?: string): void {
    this.#problems.push({
      column: titleOf(this.#header, column),
      code,
      value: showValue(value ?? this.text(column)),
      problem,
      cure,
    });
  }

  /** Says that the row as a whole is wrong. */
  reportRow(code: string, value: string, problem: string, cure: string): void {
    this.#problems.push({ column: null, code, value: showValue(value), problem, cure });
  }

  /** A column that may not be empty. */
  required(column: ColumnName): string {
    const text = this.text(column);
    if (text === '') this.report(column, 'missing_value', `${column} is empty`, `Fill in ${column}.`);
    return text;
  }

  /** A text of one line, empty where the cell is. */
  line(column: ColumnName): string {
    const text = this.text(column);
    if (text !== '' && hasControlsOrBreaks(text)) {
      const problem = `${column} holds a control character or a line break`;
      this.report(column, 'control_characters', problem, 'Type it anew, in one line.');
    }
    return text;
  }

  boolean(column: ColumnName): boolean | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    const value = readBoolean(text);
    if (value !== null) return value;
    this.report(
      column,
      'invalid_boolean',
      'this is neither yes nor no',
      'Write yes or no, or leave it empty.',
    );
    return undefined;
  }

  /** A whole number within bounds, both included. */
  whole(column: ColumnName, bounds: { min: number; max: number }): number | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    const value = readWhole(text);
    if (value === null) {
      const cure = `Write a whole number in plain digits, from ${bounds.min} to ${bounds.max}.`;
      this.report(column, 'invalid_integer', 'this is not a whole number', cure);
      return undefined;
    }
    if (value >= bounds.min && value <= bounds.max) return value;
    const problem = `${column} must be from ${bounds.min} to ${bounds.max}`;
    this.report(column, 'out_of_range', problem, `Write a number from ${bounds.min} to ${bounds.max}.`);
    return undefined;
  }

  /** One of a few words, in any case. */
  choice<const Word extends string>(column: ColumnName, words: readonly Word[]): Word | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    const upper = text.toUpperCase();
    for (const word of words) if (word === upper) return word;
    const allowed = words.join(' or ');
    this.report(column, 'invalid_choice', `this is not ${allowed}`, `Write ${allowed}.`);
    return undefined;
  }

  /** An id as text, empty where the cell is; one that a spreadsheet has spoilt is reported. */
  id(column: ColumnName): string {
    const text = this.text(column);
    if (text === '') return '';
    const fault = findIdFault(text);
    if (fault !== null) this.reportIdFault(column, fault);
    return text;
  }

  reportIdFault(column: ColumnName, fault: IdFault): void {
    const { code, problem, cure } = idFaults[fault];
    this.report(column, code, problem, cure);
  }
}

const idFaults: { readonly [Fault in IdFault]: { code: string; problem: string; cure: string } } = {
  scientific: {
    code: 'scientific_id',
    problem: 'a spreadsheet has turned this id into a number and lost its last digits',
    cure: 'Format the column as text, then enter the id anew.',
  },
  invisible: {
    code: 'invisible_characters',
    problem: 'this id holds control, zero-width or text-direction characters',
    cure: 'Type the id anew, or copy it as plain text.',
  },
  space: {
    code: 'space_in_id',
    problem: 'this id has a space in it',
    cure: 'Remove the space.',
  },
  too_long: {
    code: 'too_long',
    problem: `this is longer than ${maxIdLength} characters`,
    cure: 'Look whether another text has slipped into this column.',
  },
};
