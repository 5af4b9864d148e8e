/** The problems file: refused rows as in the manifest, with line, column, problem and cure. */
import { stringify } from 'csv-stringify/sync';
import { AtomicFile } from '../../fs/write-file.ts';
import { guardFormula, unguardFormula } from '../../manifest/cells/formula.ts';
import { foldHeader, problemColumns } from '../../manifest/columns.ts';
import { plainCure } from '../../manifest/problems/hint.ts';
import type { Problem } from '../../manifest/problems/problem.ts';
import type { Delimiter } from '../../sheets/csv/delimiter.ts';
import type { SheetFormat } from '../../sheets/sheet.ts';
import type { RefusedRow } from './checked-row.ts';

/** Spreadsheet programs need this to read the file as UTF-8. */
const byteOrderMark = '\ufeff';
const bufferedCharacters = 64 * 1024;
/** Between the problems of one row. */
const separator = ' | ';

/** Writes a problems file row by row. It exists only after `finish`; without that, `await using` removes it. */
export class ProblemsFile implements AsyncDisposable {
  readonly #file: AtomicFile;
  /** Positions of the manifest's own columns; `null` until the header is known. */
  #kept: readonly number[] | null = null;
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
   * Writes the header: the manifest's own columns, then `line`, `column`, `problem` and `cure`.
   * @param format of the manifest: the delimiter is the same, because in some regions spreadsheet programs read only `;`.
   */
  async header(names: readonly string[], format?: SheetFormat): Promise<void> {
    if (format?.kind === 'csv' && format.delimiter === ';') this.#delimiter = ';';
    const own: ReadonlySet<string> = new Set(problemColumns);
    // A corrected problems file that still has problems already has these columns.
    this.#kept = names.flatMap((name, index) => (own.has(foldHeader(name)) ? [] : [index]));
    await this.#write([...this.#kept.map((index) => unguardFormula(names[index] ?? '')), ...problemColumns]);
  }

  /** Writes one row with all its problems. */
  async add(row: Omit<RefusedRow, 'number'>): Promise<void> {
    if (this.#kept === null) await this.header([]);
    const cells = (this.#kept ?? []).map((index) => unguardFormula(row.cells[index] ?? ''));
    await this.#write([...cells, String(row.line), ...describe(row.problems)]);
  }

  /** Adds the problems of the manifest as a whole, and puts the file in place. */
  async finish(blocking: readonly Problem[]): Promise<void> {
    for (const problem of blocking) await this.add({ line: problem.line, cells: [], problems: [problem] });
    if (this.#kept === null) await this.header([]);
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

function describe(problems: readonly Problem[]): readonly string[] {
  const join = (words: readonly (string | null)[]) => words.map((word) => word ?? '').join(separator);
  return [
    join(problems.map(({ column }) => column)),
    join(problems.map(({ problem }) => problem)),
    join(problems.map(({ cure }) => plainCure(cure))),
  ];
}
