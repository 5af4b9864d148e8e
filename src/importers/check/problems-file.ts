/** The problems file: refused rows as in the manifest, with line, column, problem and fix. */
import { stringify } from 'csv-stringify/sync';
import { guardFormula, unguardFormula } from '../../manifest/cells/formula-guard.ts';
import { foldHeader } from '../../manifest/columns.ts';
import { isProblemsFile } from '../../manifest/headers/header.ts';
import { plainFix } from '../../manifest/problems/hint.ts';
import { describePlace, type Problem, type RowPlace } from '../../manifest/problems/problem.ts';
import { problemColumns } from '../../manifest/result-columns.ts';
import { AtomicFile } from '../../platform/files/write-file.ts';
import type { Delimiter } from '../../sheets/csv/delimiter.ts';
import type { SheetFormat } from '../../sheets/sheet.ts';
import type { RefusedRow } from './checked-row.ts';

/** Spreadsheet programs need this to read the file as UTF-8. */
const byteOrderMark = '\ufeff';
const [lineColumn] = problemColumns;
const bufferedCharacters = 64 * 1024;
/** Between the problems of one row. */
const separator = ' | ';

/** The lines of a problems file: the manifest's own columns, then `line`, `column`, `problem` and `fix`. */
export class ProblemLines {
  readonly header: readonly string[];
  /** Positions of the manifest's own columns. */
  readonly #kept: readonly number[];
  /** Position of the column with the lines of the planner's own sheet, if the manifest is a problems file. */
  readonly #line: number;

  /** @param names the header of the manifest. A corrected problems file that still has problems already has the further columns. */
  constructor(names: readonly string[]) {
    const own: ReadonlySet<string> = new Set(problemColumns);
    this.#line = isProblemsFile(names) ? names.map(foldHeader).indexOf(lineColumn) : -1;
    this.#kept = names.flatMap((name, index) => (own.has(foldHeader(name)) ? [] : [index]));
    this.header = [...this.#kept.map((index) => unguardFormula(names[index] ?? '')), ...problemColumns];
  }

  /** One row with all its problems. */
  of(cells: readonly string[], place: RowPlace, problems: readonly ProblemText[]): string[] {
    const join = (of: (problem: ProblemText) => string | null) =>
      problems.map((problem) => of(problem) ?? '').join(separator);
    return [
      ...this.#kept.map((index) => unguardFormula(cells[index] ?? '')),
      cells[this.#line] || writePlace(place),
      join(({ column }) => column),
      join(({ problem }) => problem),
      join(({ fix }) => plainFix(fix)),
    ];
  }
}

function writePlace(place: RowPlace): string {
  return place.worksheet === undefined ? String(place.line) : describePlace(place);
}

/** Reads the column `line` of a problems file. @returns undefined for a text that a person wrote there. */
export function readPlace(text: string): RowPlace | undefined {
  const mark = text.lastIndexOf(', line ');
  const line = text.slice(mark < 0 ? 0 : mark + ', line '.length);
  if (!/^\d{1,9}$/.test(line)) return undefined;
  return { line: Number(line), worksheet: mark < 0 ? undefined : text.slice(0, mark) };
}

export type ProblemText = Pick<Problem, 'column' | 'problem' | 'fix'>;

/** Writes a problems file row by row. It exists only after `finish`; without that, `await using` removes it. */
export class ProblemsFile implements AsyncDisposable {
  readonly #file: AtomicFile;
  /** Undefined until the header is known. */
  #lines: ProblemLines | undefined;
  #delimiter: Delimiter = ',';
  #buffer = byteOrderMark;

  private constructor(file: AtomicFile) {
    this.#file = file;
  }

  /** @throws a file system error if the folder is not writable. */
  static async create(path: string): Promise<ProblemsFile> {
    return new ProblemsFile(await AtomicFile.create(path));
  }

  /**
   * Writes the header.
   * @param format of the manifest: the delimiter is the same, because in some regions spreadsheet programs read only `;`.
   */
  async header(names: readonly string[], format?: SheetFormat): Promise<void> {
    if (format?.kind === 'csv' && format.delimiter === ';') this.#delimiter = ';';
    this.#lines = new ProblemLines(names);
    await this.#write(this.#lines.header);
  }

  async add({ cells, problems, ...place }: Omit<RefusedRow, 'number'>): Promise<void> {
    if (this.#lines === undefined) await this.header([]);
    await this.#write(this.#lines?.of(cells, place, problems) ?? []);
  }

  /** Adds the problems of the manifest as a whole, and puts the file in place. */
  async finish(blocking: readonly Problem[]): Promise<void> {
    for (const problem of blocking) await this.add({ ...problem, cells: [], problems: [problem] });
    if (this.#lines === undefined) await this.header([]);
    await this.#flush();
    await this.#file.commit();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]();
  }

  async #write(cells: readonly string[]): Promise<void> {
    this.#buffer += stringify([cells.map(guardFormula)], { delimiter: this.#delimiter });
    if (this.#buffer.length >= bufferedCharacters) await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#buffer;
    this.#buffer = '';
    await this.#file.write(text);
  }
}
