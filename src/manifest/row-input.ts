/** The cells of the current row, and its problems so far. A reader uses one instance for all rows. */
import { unguardFormula } from './cells/formula-guard.ts';
import { findIdFault, findWordFault, type IdFault } from './cells/id.ts';
import { idProblem } from './cells/id-problems.ts';
import { hasControlsOrBreaks, readBoolean, readDuration, readWhole } from './cells/scalars.ts';
import type { Zone, Zones } from './cells/zone.ts';
import { type ColumnName, columns, foldHeader, wholeExplanation } from './columns.ts';
import { type Header, textIn, titleOf } from './headers/header.ts';
import type { Fix } from './problems/hint.ts';
import { type CellProblem, showValue } from './problems/problem.ts';
import { mostProblemsOfRow } from './sheet-bounds.ts';

interface RowContext {
  readonly zones: Zones;
  /** Zone for times of rows without a zone. */
  readonly defaultZone: Zone | null;
}

/** Longer texts are no words that somebody chooses from. */
const longestWord = 40;

export class RowInput {
  readonly context: RowContext;
  /** The columns of the manifest, in catalogue order. */
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

  /** The trimmed text of a cell; empty if the manifest lacks the column. */
  text(column: ColumnName): string {
    const { indexes, moreMedia, moreCaption } = this.#header;
    if ((column === 'media' && moreMedia.length > 0) || (column === 'caption' && moreCaption.length > 0))
      return textIn(this.#header, column, this.#cells);
    const index = indexes[column];
    // Reading index -1 of an array is slow.
    const cell = index < 0 ? '' : this.#cells[index];
    return cell === undefined || cell === '' ? '' : unguardFormula(cell).trim();
  }

  get failed(): boolean {
    return this.#problems.length > 0;
  }

  /** Returns the problems of this row, and clears them for the next row. */
  takeProblems(): readonly CellProblem[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  /** @param value the wrong part; default: the cell's text. @param meant what may have been meant instead. */
  report(
    column: ColumnName,
    code: string,
    problem: string,
    fix: Fix,
    { value, meant }: { readonly value?: string; readonly meant?: string | undefined } = {},
  ): void {
    if (this.#problems.length === mostProblemsOfRow) return;
    this.#problems.push({
      column: titleOf(this.#header, column, this.#cells, value),
      code,
      value: showValue(value ?? this.text(column)),
      problem,
      fix,
      ...(meant === undefined ? {} : { meant }),
    });
  }

  reportRow(code: string, value: string, problem: string, fix: Fix): void {
    if (this.#problems.length === mostProblemsOfRow) return;
    this.#problems.push({ column: null, code, value: showValue(value), problem, fix });
  }

  /** The header of a column, by which the planner knows it; its name in the catalogue if the sheet lacks it. */
  title(column: ColumnName): string {
    return titleOf(this.#header, column, this.#cells);
  }

  /** The column of media; where the sheet has several, the headers of all. */
  mediaTitles(): string {
    const { indexes, moreMedia, names } = this.#header;
    if (moreMedia.length === 0) return 'media';
    return [indexes.media, ...moreMedia].map((position) => showValue(names[position] ?? '')).join(' nor ');
  }

  /** Text of a column that must not be empty. @param allowed what may stand in it; default: as the catalogue says. */
  required(column: ColumnName, allowed?: string): string {
    const text = this.text(column);
    if (text === '') {
      const known = columns.find(({ name }) => name === column);
      const may = allowed ?? (known === undefined ? '' : wholeExplanation(known));
      this.report(
        column,
        'missing_value',
        `${this.title(column)} is empty`,
        `Fill in ${this.title(column)}. ${may}`.trim(),
      );
    }
    return text;
  }

  /** Text on one line; may be empty. */
  line(column: ColumnName): string {
    const text = this.text(column);
    if (text !== '' && hasControlsOrBreaks(text)) {
      const problem = `${this.title(column)} contains a control character or a line break`;
      this.report(column, 'control_characters', problem, 'Type it again on one line.');
    }
    return text;
  }

  boolean(column: ColumnName): boolean | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    const value = readBoolean(text);
    if (value !== null) return value;
    const fix = 'Write yes or no, or leave it empty.';
    this.report(column, 'invalid_boolean', 'this is neither yes nor no', fix);
    return undefined;
  }

  /** A whole number within bounds, both inclusive. */
  whole(column: ColumnName, bounds: { min: number; max: number }): number | undefined {
    return this.#number(column, bounds, readWhole);
  }

  /** A duration within bounds, in its unit, both inclusive. @param unitMs the unit of a number without one. */
  duration(
    column: ColumnName,
    bounds: { min: number; max: number },
    unitMs: 1 | 1000 = 1000,
  ): number | undefined {
    return this.#number(column, bounds, (text) => readDuration(text, unitMs));
  }

  #number(
    column: ColumnName,
    bounds: { min: number; max: number },
    readNumber: (text: string) => number | null,
  ): number | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    const value = readNumber(text);
    if (value === null) {
      const fix = `Write a whole number in plain digits, from ${bounds.min} to ${bounds.max}.`;
      this.report(column, 'invalid_integer', 'this is not a whole number', fix);
      return undefined;
    }
    if (value >= bounds.min && value <= bounds.max) return value;
    const problem = `${this.title(column)} must be from ${bounds.min} to ${bounds.max}`;
    this.report(column, 'out_of_range', problem, `Write a number from ${bounds.min} to ${bounds.max}.`);
    return undefined;
  }

  /** One of the given words, in any case. @param others by their text as `foldHeader` folds it: the word that each means. */
  choice<const Word extends string>(
    column: ColumnName,
    words: readonly Word[],
    others?: ReadonlyMap<string, Word>,
  ): Word | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    const upper = text.toUpperCase();
    for (const word of words) if (word.toUpperCase() === upper) return word;
    const other = text.length <= longestWord ? others?.get(foldHeader(text)) : undefined;
    if (other !== undefined) return other;
    const allowed = words.join(' or ');
    this.report(column, 'invalid_choice', `this is not ${allowed}`, `Write ${allowed}.`);
    return undefined;
  }

  /** An id of the service as text; may be empty. Reports other texts: links, titles, ids that a spreadsheet program has changed. */
  id(column: ColumnName): string {
    return this.#judged(column, findIdFault);
  }

  /** A text without spaces, such as a URI; may be empty. */
  word(column: ColumnName): string {
    return this.#judged(column, findWordFault);
  }

  #judged(column: ColumnName, findFault: (text: string) => IdFault | null): string {
    const text = this.text(column);
    const fault = text === '' ? null : findFault(text);
    if (fault !== null) this.reportIdFault(column, fault);
    return text;
  }

  reportIdFault(column: ColumnName, fault: IdFault): void {
    const text = this.text(column);
    const { code, problem, fix, meant } = idProblem(column, text, fault);
    this.report(column, code, problem, fix, { meant });
  }
}
