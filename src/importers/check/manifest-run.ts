/** Runs one check of one manifest: its header, then its rows, then the file as a whole. */
import type { CreatorRef } from '../../ledger/campaigns/campaign.ts';
import type { ColumnName } from '../../manifest/columns.ts';
import { turn } from '../../manifest/event-loop.ts';
import { findDoubtful } from '../../manifest/headers/doubtful.ts';
import { matchHeader } from '../../manifest/headers/header.ts';
import { type ColumnProposal, proposeColumns, withProposal } from '../../manifest/headers/proposals.ts';
import {
  type CellProblem,
  type Problem,
  placeProblem,
  type RowPlace,
} from '../../manifest/problems/problem.ts';
import { ProblemLog } from '../../manifest/problems/problem-log.ts';
import { HeaderError } from '../../manifest/reader.ts';
import { sizeOf } from '../../manifest/sheet-bounds.ts';
import type { OpenSheet } from '../../sheets/open-sheet.ts';
import { problemOfCell, type SheetHeader, type SheetRow } from '../../sheets/sheet.ts';
import { type CanaryRows, CanaryTally } from '../plan/canary.ts';
import { CallForecast, type Plan } from '../plan/plan.ts';
import type { CheckedRow, CheckOptions, UsualFacts } from './checked-row.ts';
import { LoneTimes } from './lone-times.ts';
import { type AcceptedRow, RowChecks } from './row-checks.ts';
import { checkManifestNeeds } from './row-warnings.ts';

/** What reading a whole sheet found. */
export interface RunResult {
  /** Rows of the file without blank ones and those that are skipped as asked. */
  readonly rows: number;
  readonly accepted: number;
  readonly problems: ProblemLog;
  readonly warnings: ProblemLog;
  /** What may surprise about the sheet as a whole: what of it is not read, or cannot be seen. It stops nothing. */
  readonly notices: readonly Problem[];
  /** Problems of the manifest as a whole. With one, no row may be sent. */
  readonly blocking: readonly Problem[];
  /** As written in the sheet; empty if it could not be read. */
  readonly header: readonly string[];
  /** What the columns with a problem may be. */
  readonly proposals: readonly ColumnProposal[];
  readonly plan: Plan;
  /** Earliest and latest time of the accepted rows, in milliseconds since the epoch, and how many have one; undefined if no row has. */
  readonly times: { readonly first: number; readonly last: number; readonly rows: number } | undefined;
  readonly canary: CanaryRows;
  /** Undefined if no row could be read. */
  readonly usual: UsualFacts | undefined;
  /** Creators of the accepted rows, by `Row.creator`. */
  readonly creators: ReadonlyMap<string, CreatorRef>;
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
  readonly #log = new ProblemLog();
  readonly #warnings = new ProblemLog();
  readonly #plan: CallForecast;
  readonly #times = new TimeSpan();
  readonly #loneTimes: Readonly<Record<'scheduled' | 'generated', LoneTimes>>;
  readonly #canary = new CanaryTally();
  #checks: RowChecks | undefined;
  #accepted = 0;
  /** Accepted rows not yet passed on. */
  #pending: CheckedRow[] = [];
  #pendingSize = 0;
  readonly #blocking: Problem[] = [];
  readonly #notices: Problem[] = [];
  #header: SheetHeader = { line: 1, cells: [] };
  #proposals: readonly ColumnProposal[] = [];
  #first: RowPlace | undefined;

  constructor(options: CheckOptions) {
    this.#options = options;
    this.#plan = new CallForecast(options);
    this.#loneTimes = {
      scheduled: new LoneTimes('scheduled_at', options.now),
      generated: new LoneTimes('ai_exec_at', options.now),
    };
  }

  /** @throws {HeaderError | UnreadableSheetError} */
  async begin({ header, ...sheet }: OpenSheet): Promise<RowChecks> {
    const cells = this.#options.edits?.header(header.cells) ?? header.cells;
    this.#header = { ...header, cells };
    if (header.faults) throw new HeaderError(header.faults);
    if (header.cellFaults) {
      throw new HeaderError(header.cellFaults.map((fault) => problemOfCell(header.cells, fault)));
    }
    this.#checks = await this.#openChecks({ ...sheet, header: this.#header });
    await this.#options.onHeader?.(this.#checks.header, sheet.format);
    return this.#checks;
  }

  async #openChecks({
    header: { cells },
    called,
    first,
  }: Pick<OpenSheet, 'header' | 'called' | 'first'>): Promise<RowChecks> {
    const rows = first.map((row) => row.cells);
    const { map } = this.#options.sheet ?? {};
    const named = { called, doubtful: findDoubtful(cells, rows, map) };
    try {
      return new RowChecks(cells, named, this.#options);
    } catch (error) {
      if (!(error instanceof HeaderError)) throw error;
      await turn.pause();
      const { names, indexes } = matchHeader(cells, { ...named, map });
      await turn.pause();
      const { settings, products } = this.#options;
      this.#proposals = proposeColumns({ names, indexes, problems: error.problems }, rows, {
        timezone: settings.timezone,
        isProduct: (name) => products?.(name)?.isListed === true,
      });
      // If unknown columns are the only fault, the rows are still checked, so that all problems are reported at once.
      if (error.problems.some(({ code }) => code !== 'unknown_column')) throw error;
      this.blockHeader(error);
      await turn.pause();
      return new RowChecks(cells, named, { ...this.#options, allowUnknownColumns: true });
    }
  }

  async check(checks: RowChecks, rows: readonly SheetRow[]): Promise<void> {
    if (rows.length === 0) return;
    this.#first ??= rows[0];
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
    const outputs = await this.#options.update?.accept(accepted);
    let index = 0;
    for (const row of accepted) {
      this.#accept(checks, row, outputs?.[index]);
      if (this.#pending.length === chunkRows || this.#pendingSize > mostOpen) await this.flush();
      index += 1;
    }
  }

  /** @param outputs of its generation that are still to be made; undefined: all. */
  #accept(checks: RowChecks, row: AcceptedRow, outputs: number | undefined): void {
    const { line, worksheet, number, key, cells, row: content, post, again } = row;
    for (const warning of row.warnings) this.#warn(row, warning);
    const missed = this.#plan.add(row, outputs);
    if (missed !== null) this.#warn(row, checks.titled(missed, cells));
    this.#addTimes(row);
    this.#canary.add(number, content);
    checks.notes.add(cells);
    this.#pending.push({ line, worksheet, number, key, cells, row: content, post, again });
    this.#pendingSize += sizeOf(cells);
  }

  #addTimes(row: AcceptedRow): void {
    const { schedule, generation } = row.row;
    const zone = schedule?.tz ?? null;
    if (schedule !== undefined) {
      this.#times.add(schedule.at);
      this.#loneTimes.scheduled.add(row, schedule.at, zone);
    }
    if (generation?.execAt !== undefined) this.#loneTimes.generated.add(row, generation.execAt, zone);
  }

  async flush(): Promise<void> {
    const rows = this.#pending;
    if (rows.length === 0) return;
    this.#pending = [];
    this.#pendingSize = 0;
    this.#accepted += rows.length;
    // Packing so many rows fills a turn.
    await turn.pause();
    await this.#options.onAccepted?.(rows);
  }

  #warn(row: RowPlace & Pick<CheckedRow, 'number' | 'key'>, warning: CellProblem): void {
    this.#warnings.add(placeProblem(row, row.key, warning));
    this.#options.onWarning?.({ number: row.number, warning });
  }

  /** Reports the problems of the file as a whole. */
  end(): void {
    if (this.#first === undefined || this.#checks?.selection.rows === 0) {
      this.#blockAt(this.#header, {
        column: null,
        code: 'no_rows',
        value: '',
        problem:
          this.#first === undefined
            ? 'the file has a header but no rows'
            : 'all rows of the file are skipped',
        fix: 'Add a row for each post.',
      });
      return;
    }
    const { scheduled, generated } = this.#loneTimes;
    for (const { row, warning } of [...scheduled.find(), ...generated.find()]) {
      this.#warn(row, this.#checks?.titled(warning) ?? warning);
    }
    // A column that is not clear yet is not said to be a note, too.
    const unclear = new Set(this.#blocking.map(({ column }) => column));
    for (const notice of this.#checks?.notes.finish() ?? []) {
      if (!unclear.has(notice.column)) this.note(placeProblem(this.#header, null, notice));
    }
    const misplaced = this.#options.update?.end() ?? null;
    if (misplaced !== null) this.#blockAt(this.#header, misplaced);
    const need = checkManifestNeeds(this.#options.settings.api);
    if (need !== null) this.#blockAt(this.#first, need);
    const overspending = this.#plan.overspending();
    if (overspending !== null) this.note(placeProblem(overspending.place, null, overspending.problem));
  }

  note(notice: Problem | undefined): void {
    if (notice !== undefined) this.#notices.push(notice);
  }

  block(problem: Problem): void {
    this.#blocking.push(problem);
    this.#log.add(problem);
  }

  blockHeader(error: HeaderError): void {
    const { line, worksheet, cells, cellLines } = this.#header;
    for (const found of error.problems) {
      const { index = -1 } = found;
      const proposal = this.#proposals.find(({ position }) => position === index);
      const { index: _, ...problem } = proposal ? withProposal(found, proposal, cells[index] ?? '') : found;
      this.#blockAt({ line: cellLines?.[index] ?? line, worksheet }, problem);
    }
  }

  /** Header of the column that may be this one. */
  proposedFor(column: ColumnName): string | undefined {
    const found = this.#proposals.find((each) => each.column === column);
    return found && this.#header.cells[found.position];
  }

  /** Headers of the columns that have, or may have, the times of posts; none if another column has their zones. */
  get timeHeaders(): readonly string[] {
    const { cells } = this.#header;
    const { indexes } = matchHeader(cells, { map: this.#options.sheet?.map });
    const positionsOf = (name: ColumnName) => [
      indexes[name],
      ...this.#proposals.flatMap(({ column, position }) => (column === name ? position : [])),
    ];
    if (positionsOf('scheduled_tz').some((position) => position >= 0)) return [];
    const times = [...positionsOf('scheduled_at'), ...positionsOf('scheduled_time')];
    return times.flatMap((position) => cells[position] ?? []);
  }

  result(): RunResult {
    return {
      rows: this.#checks?.selection.rows ?? 0,
      accepted: this.#accepted,
      problems: this.#log,
      warnings: this.#warnings,
      notices: this.#notices,
      blocking: this.#blocking,
      header: this.#checks?.header ?? this.#header.cells,
      proposals: this.#proposals,
      plan: this.#plan.finish(),
      times: this.#times.span,
      canary: this.#canary.finish(),
      usual: this.#checks?.usual,
      creators: this.#checks?.creators.registered ?? new Map(),
    };
  }

  #blockAt(place: RowPlace, problem: CellProblem): void {
    this.block(placeProblem(place, null, problem));
  }
}
