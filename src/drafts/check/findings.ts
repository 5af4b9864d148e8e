/** The results of a check, row by row. They are kept in memory while somebody works on the draft, and updated after each mend. */
import { type HashWords, hashText } from '../../importers/check/seen-texts.ts';
import type { ColumnMap } from '../../manifest/headers/column-map.ts';
import { type ColumnIndexes, matchHeader, meaningsOf } from '../../manifest/headers/header.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import { columnLetters } from '../../sheets/sheet.ts';
import { SheetEvidence } from '../suggestions/evidence.ts';
import type { DraftColumn } from '../view.ts';
import { ProblemDetails } from './problem-details.ts';

export class Findings {
  readonly states = new RowStates();
  readonly problems: ProblemDetails;
  readonly warnings: ProblemDetails;
  readonly header: readonly string[];
  readonly indexes: ColumnIndexes;
  /** What the good rows suggest about the others, as of the check. Mends do not change it. */
  readonly evidence: SheetEvidence;
  columns: readonly SheetColumn[] = [];

  constructor(header: readonly string[], map: ColumnMap | undefined) {
    const positionOf = positionFinder(header);
    this.indexes = matchHeader(header, { allowUnknownColumns: true, allowResultsSheet: true, map }).indexes;
    this.evidence = new SheetEvidence(this.indexes);
    this.header = header;
    this.problems = new ProblemDetails(positionOf);
    this.warnings = new ProblemDetails(positionOf);
  }

  get refused(): number {
    return this.states.countOf('refused');
  }

  get leftOut(): number {
    return this.states.countOf('leftOut');
  }

  get accepted(): number {
    return this.states.count - this.refused - this.leftOut - this.states.countOf('unchanged');
  }

  refuse(number: number, problems: readonly CellProblem[]): void {
    this.states.set(number, 'refused', true);
    this.problems.add(number, problems);
  }

  warn(number: number, warnings: readonly CellProblem[]): void {
    if (warnings.length === 0) return;
    this.states.set(number, 'warned', true);
    this.warnings.add(number, warnings);
  }

  /** Forgets what was found in a row, before it is checked again. */
  forget(number: number): void {
    for (const mark of ['refused', 'leftOut', 'warned'] as const) this.states.set(number, mark, false);
    this.problems.remove(number);
    this.warnings.remove(number);
  }
}

const refused = 1;
const leftOut = 2;
const warned = 4;
const unchanged = 8;

/** `unchanged`: the campaign that the sheet updates leaves the row alone. */
export type RowMark = 'refused' | 'leftOut' | 'warned' | 'unchanged';
const bits: Readonly<Record<RowMark, number>> = { refused, leftOut, warned, unchanged };

/** The state of each row of a draft, and a hash of its key: nine bytes a row. */
export class RowStates {
  #marks = new Uint8Array(1024);
  /** 0: the row has no key of its own. */
  #keys = new Float64Array(1024);
  readonly #hash: HashWords = new Uint32Array(2);
  readonly #counts: Record<RowMark, number> = { refused: 0, leftOut: 0, warned: 0, unchanged: 0 };
  count = 0;

  /** Appends a row, as accepted. */
  add(key: string | undefined): void {
    if (this.count === this.#marks.length) this.#grow();
    this.#keys[this.count] = this.hashOf(key);
    this.count += 1;
  }

  /** @param number of the row, from 1. */
  has(number: number, mark: RowMark): boolean {
    return ((this.#marks[number - 1] ?? 0) & bits[mark]) !== 0;
  }

  set(number: number, mark: RowMark, isSet: boolean): void {
    if (number < 1 || number > this.count || this.has(number, mark) === isSet) return;
    this.#marks[number - 1] = (this.#marks[number - 1] ?? 0) ^ bits[mark];
    this.#counts[mark] += isSet ? 1 : -1;
  }

  /** How many rows have the mark. */
  countOf(mark: RowMark): number {
    return this.#counts[mark];
  }

  /** Numbers of the rows with the mark, in order. @param from number of such rows to skip. @param most rows to return. */
  list(mark: RowMark, from: number, most: number): readonly number[] {
    const found: number[] = [];
    let skipped = 0;
    for (let number = 1; number <= this.count && found.length < most; number += 1) {
      if (!this.has(number, mark)) continue;
      if (skipped < from) skipped += 1;
      else found.push(number);
    }
    return found;
  }

  setKey(number: number, key: string | undefined): void {
    this.#keys[number - 1] = this.hashOf(key);
  }

  keyHash(number: number): number {
    return this.#keys[number - 1] ?? 0;
  }

  hashOf(key: string | undefined): number {
    if (key === undefined) return 0;
    hashText(this.#hash, key);
    return (this.#hash[0] ?? 0) * 2 ** 21 + ((this.#hash[1] ?? 0) >>> 11) + 1;
  }

  /** Numbers of the rows whose keys have these hashes, in order. */
  withKeys(hashes: ReadonlySet<number>): readonly number[] {
    const found: number[] = [];
    if (hashes.size === 0) return found;
    for (let index = 0; index < this.count; index += 1) {
      const hash = this.#keys[index] ?? 0;
      if (hash !== 0 && hashes.has(hash)) found.push(index + 1);
    }
    return found;
  }

  #grow(): void {
    const marks = new Uint8Array(this.#marks.length * 2);
    marks.set(this.#marks);
    this.#marks = marks;
    const keys = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
  }
}

export type SheetColumn = Omit<DraftColumn, 'firstTexts' | 'proposal'>;

/** The columns of a sheet, and their meaning. @param cells of the header. @param doubtful headers whose meaning must be said. @param result meaning of the columns of a results sheet. */
export function columnsOf(
  cells: readonly string[],
  map: ColumnMap | undefined,
  doubtful: ReadonlySet<string | null> = new Set(),
  result: '_' | null = null,
): readonly SheetColumn[] {
  const header = matchHeader(cells, {
    allowUnknownColumns: false,
    allowResultsSheet: true,
    map,
  });
  const { names, results, problems } = header;
  const unknown = new Set([...(result === null ? results : []), ...problems.map(({ index }) => index)]);
  const byPosition = meaningsOf(header);
  return names.map((title, position) => ({
    position,
    letters: columnLetters(position),
    title,
    column: doubtful.has(showValue(title))
      ? null
      : (byPosition.get(position) ?? (unknown.has(position) || title === '' ? null : '_')),
  }));
}

/** Finds the column that a problem names: by its header as shown, or by its letters if it has no header. */
export function positionFinder(header: readonly string[]): (column: string) => number {
  const positions = new Map<string, number>();
  header.forEach((cell, position) => {
    const name = showValue(cell.trim()) || columnLetters(position);
    if (!positions.has(name)) positions.set(name, position);
  });
  return (column) => positions.get(column) ?? -1;
}
