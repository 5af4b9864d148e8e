/** Runs one check of one manifest: its header, then its rows, then the file as a whole. */
import { withRemembered } from '../../manifest/headers/column-map.ts';
import { matchHeader } from '../../manifest/headers/header.ts';
import {
  type ColumnProposal,
  findDoubtful,
  proposeColumns,
  withProposal,
} from '../../manifest/headers/proposals.ts';
import { type CellProblem, type Problem, placeProblem } from '../../manifest/problems/problem.ts';
import { ProblemLog } from '../../manifest/problems/problem-log.ts';
import { HeaderError } from '../../manifest/reader.ts';
import { sizeOf } from '../../manifest/sheet-bounds.ts';
import type { OpenSheet } from '../../sheets/open-sheet.ts';
import { problemOfCell, type SheetHeader, type SheetRow } from '../../sheets/sheet.ts';
import { type CanaryRows, CanaryTally } from '../plan/canary.ts';
import { type Plan, PlanTally } from '../plan/plan.ts';
import type { CheckedRow, CheckOptions } from './checked-row.ts';
import type { RegisteredCreator } from './creators/creator-check.ts';
import { RowChecks } from './row-checks.ts';
import { checkManifestNeeds } from './row-warnings.ts';

/** Takes accepted rows in file order, up to 500 at once. */
export type RowSink = (rows: readonly CheckedRow[]) => void | Promise<void>;

/** What reading a whole sheet found. */
export interface RunResult {
  /** Rows of the file without blank ones. */
  readonly rows: number;
  /** Rows without a problem of their own. */
  readonly accepted: number;
  readonly problems: ProblemLog;
  /** Warnings about accepted rows. */
  readonly warnings: ProblemLog;
  /** Problems of the manifest as a whole. With one, no row may be sent. */
  readonly blocking: readonly Problem[];
  /** As written in the sheet; empty if it could not be read. */
  readonly header: readonly string[];
  /** What the columns with a problem may be. */
  readonly proposals: readonly ColumnProposal[];
  readonly plan: Plan;
  /** Earliest and latest time of the accepted rows, in milliseconds since the epoch, and how many have one; undefined if no row has. */
  readonly times: { readonly first: number; readonly last: number; readonly rows: number } | undefined;
  /** Rows that a canary may consist of. */
  readonly canary: CanaryRows;
  /** Creators of the accepted rows, by the name as written. */
  readonly creators: ReadonlyMap<string, RegisteredCreator>;
}

/** Most rows to pass on together: one chunk of the ledger. */
const chunkRows = 500;
/** Most characters to pass on together; usual rows take less than half of that. */
const mostOpen = 512 * 1024;
/** Rows checked together, so that one call looks up their creators. Small batches leave less garbage to collect. */
const rowsAtOnce = 50;

class TimeSpan {
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  #rows = 0;

  add(time: number): void {
    this.#rows += 1;
    this.#first = Math.min(this.#first, time);
    this.#last = Math.max(this.#last, time);
  }

  get span(): RunResult['times'] {
    return this.#rows === 0 ? undefined : { first: this.#first, last: this.#last, rows: this.#rows };
  }
}

export class ManifestRun {
  readonly #options: CheckOptions;
  readonly #onRows: RowSink;
  readonly #log = new ProblemLog();
  readonly #warnings = new ProblemLog();
  readonly #plan: PlanTally;
  readonly #times = new TimeSpan();
  readonly #canary = new CanaryTally();
  #checks: RowChecks | undefined;
  #accepted = 0;
  /** Accepted rows not yet passed on. */
  #open: CheckedRow[] = [];
  #openSize = 0;
  readonly #blocking: Problem[] = [];
  #header: SheetHeader = { line: 1, cells: [] };
  #proposals: readonly ColumnProposal[] = [];
  #firstLine: number | undefined;

  constructor(options: CheckOptions, onRows: RowSink) {
    this.#options = options;
    this.#onRows = onRows;
    this.#plan = new PlanTally(options);
  }

  /** @throws {HeaderError | UnreadableSheetError} */
  async begin({ header, ...sheet }: OpenSheet): Promise<RowChecks> {
    const cells = this.#options.mends?.header(header.cells) ?? header.cells;
    this.#header = { ...header, cells };
    if (header.faults) throw new HeaderError(header.faults);
    if (header.cellFaults) {
      throw new HeaderError(header.cellFaults.map((fault) => problemOfCell(header.cells, fault)));
    }
    this.#checks = this.#openChecks({ ...sheet, header: this.#header });
    await this.#options.onHeader?.(this.#checks.header, sheet.format);
    return this.#checks;
  }

  #openChecks({
    header: { cells },
    called,
    first,
  }: Pick<OpenSheet, 'header' | 'called' | 'first'>): RowChecks {
    const rows = first.map((row) => row.cells);
    const named = { called, doubtful: findDoubtful(cells, rows) };
    try {
      return new RowChecks(cells, named, this.#options);
    } catch (error) {
      if (!(error instanceof HeaderError)) throw error;
      const { map, rememberedMap } = this.#options.sheet ?? {};
      const { names, indexes } = matchHeader(cells, {
        ...named,
        allowUnknownColumns: true,
        allowResultsSheet: true,
        map: withRemembered(map, rememberedMap),
      });
      this.#proposals = proposeColumns({ names, indexes, problems: error.problems }, rows);
      // If unknown columns are the only fault, the rows are still checked, so that all problems are reported at once.
      if (error.problems.some(({ code }) => code !== 'unknown_column')) throw error;
      this.blockHeader(error);
      return new RowChecks(cells, named, { ...this.#options, allowUnknownColumns: true });
    }
  }

  async check(checks: RowChecks, rows: readonly SheetRow[]): Promise<void> {
    this.#firstLine ??= rows[0]?.line;
    await this.#options.onRead?.(rows);
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      await this.#checkSome(checks, rows.slice(start, start + rowsAtOnce));
    }
  }

  async #checkSome(checks: RowChecks, rows: readonly SheetRow[]): Promise<void> {
    const { accepted, refused } = await checks.check(rows);
    for (const row of refused) {
      for (const problem of row.problems) this.#log.add(problem);
      await this.#options.onRefused?.(row);
    }
    const outputs = await this.#options.into?.accept(accepted);
    for (const [index, row] of accepted.entries()) {
      const { line, number, key, cells, post } = row;
      const warnings = this.#plan.add(row, outputs?.[index]);
      for (const warning of warnings) this.#warn(row, checks.titled(warning, cells));
      if (row.row.schedule !== undefined) this.#times.add(row.row.schedule.at);
      this.#canary.add(number, row.row);
      this.#open.push({ line, number, key, cells, post });
      this.#openSize += sizeOf(cells);
      if (this.#open.length === chunkRows || this.#openSize > mostOpen) await this.flush();
    }
  }

  /** Passes on the remaining accepted rows. */
  async flush(): Promise<void> {
    const rows = this.#open;
    if (rows.length === 0) return;
    this.#open = [];
    this.#openSize = 0;
    this.#accepted += rows.length;
    await this.#onRows(rows);
  }

  #warn({ line, number, key }: CheckedRow, warning: CellProblem): void {
    this.#warnings.add(placeProblem(line, key, warning));
    this.#options.onWarning?.({ number, warning });
  }

  /** Reports the problems of the file as a whole. */
  end(): void {
    if (this.#firstLine === undefined) {
      this.#blockAt(this.#header.line, {
        column: null,
        code: 'no_rows',
        value: '',
        problem: 'the file has a header but no rows',
        cure: 'Add a row for each post.',
      });
      return;
    }
    const misplaced = this.#options.into?.end() ?? null;
    if (misplaced !== null) this.#blockAt(this.#header.line, misplaced);
    const need = checkManifestNeeds(this.#options.settings.api);
    if (need !== null) this.#blockAt(this.#firstLine, need);
    const overspending = this.#plan.overspending();
    if (overspending !== null) this.#blockAt(overspending.line, overspending.problem);
  }

  block(problem: Problem): void {
    this.#blocking.push(problem);
    this.#log.add(problem);
  }

  blockHeader(error: HeaderError): void {
    const { line, cells, cellLines } = this.#header;
    for (const found of error.problems) {
      const { index = -1 } = found;
      const proposal = this.#proposals.find(({ position }) => position === index);
      const { index: _, ...problem } = proposal ? withProposal(found, proposal, cells[index] ?? '') : found;
      this.#blockAt(cellLines?.[index] ?? line, problem);
    }
  }

  result(): RunResult {
    return {
      rows: this.#checks?.rowsSeen ?? 0,
      accepted: this.#accepted,
      problems: this.#log,
      warnings: this.#warnings,
      blocking: this.#blocking,
      header: this.#checks?.header ?? this.#header.cells,
      proposals: this.#proposals,
      plan: this.#plan.finish(),
      times: this.#times.span,
      canary: this.#canary.finish(),
      creators: this.#checks?.creators.registered ?? new Map(),
    };
  }

  #blockAt(line: number, problem: CellProblem): void {
    this.block(placeProblem(line, null, problem));
  }
}
