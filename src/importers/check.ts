/**
 * Checks a manifest as a whole, row by row, and collects every problem. What is right is handed on as it goes, so that the memory
 * is flat in the number of rows. Nothing is sent but look-ups of creators.
 *
 * Rows go through as they arrive, a few hundred at once: read, then compared with what was seen before (keys), with the clock, with the service
 * (creators), with the media, and with the settings.
 */
import { type CellProblem, type Problem, placeProblem } from '../manifest/problem.ts';
import { ProblemLog } from '../manifest/problem-log.ts';
import { HeaderError } from '../manifest/reader.ts';
import type { CheckedRow, CheckOptions, RegisteredCreator } from './checked-row.ts';
import { checkManifestNeeds } from './needs.ts';
import { type OpenSheet, openSheet } from './open-sheet.ts';
import { type Plan, PlanTally } from './plan.ts';
import { type AcceptedRow, RowChecks } from './row-checks.ts';
import { missesItsTime, repeatsPost } from './row-warnings.ts';
import {
  problemOfCell,
  type SheetFormat,
  type SheetHeader,
  type SheetRow,
  UnreadableSheetError,
} from './sheet.ts';
import type { ManifestSource } from './source.ts';

/** Takes rows without a problem, in the order of the file, up to 500 at once. */
export type RowSink = (rows: readonly CheckedRow[]) => void | Promise<void>;

export interface CheckResult {
  /** Rows of the file, blank ones not counted. */
  readonly rows: number;
  /** Rows without a problem of their own. */
  readonly accepted: number;
  readonly problems: ProblemLog;
  /** What is worth a second look, of rows without a problem. */
  readonly warnings: ProblemLog;
  /** Those of the problems that concern the manifest as a whole: with one, nothing may be sent, not even the rows without a problem. */
  readonly blocking: readonly Problem[];
  /** What the file was taken for; `null` where it could not be opened. */
  readonly format: SheetFormat | null;
  /** What the file itself calls the campaign. */
  readonly name: string | undefined;
  /** As the sheet writes it; empty where it could not be read. */
  readonly header: readonly string[];
  /** SHA-256 of the file's bytes in lowercase hex; `null` where it was not read to its end. */
  readonly sha256: string | null;
  readonly plan: Plan;
  /** Creators of the accepted rows by the name as written. */
  readonly creators: ReadonlyMap<string, RegisteredCreator>;
}

/** Rows that are handed on together: as many as the ledger stores in one piece. */
const chunkRows = 500;
/** Rows that are checked together: creators of as many rows are looked up by one call. Fewer alive at once are less work to collect. */
const rowsAtOnce = 50;

/**
 * Checks a manifest.
 * @param onRows takes the accepted rows; the check waits for it before it goes on.
 * @throws {ColumnMapError} for a mapping of headers that the sheet does not have.
 * @throws whatever the source, the look-ups and the sinks throw; problems of the manifest are part of the result.
 */
export async function checkManifest(
  source: ManifestSource,
  options: CheckOptions,
  onRows: RowSink,
): Promise<CheckResult> {
  const log = new ProblemLog();
  const warnings = new ProblemLog();
  const tally = new PlanTally(options.settings.budgets);
  const run = new ManifestRun(options, onRows, { log, warnings, tally });
  let sheet: OpenSheet | undefined;
  let sha256: string | null = null;
  try {
    sheet = await openSheet(source, options.sheet);
    const checks = await run.begin(sheet);
    for await (const rows of sheet.rows) await run.check(checks, rows);
    sha256 = sheet.digest();
    run.end();
  } catch (error) {
    if (error instanceof UnreadableSheetError) run.block(error.problem);
    else if (error instanceof HeaderError) run.blockHeader(error);
    else throw error;
  } finally {
    await sheet?.close();
  }
  await run.flush();
  const { format = null, name } = sheet ?? {};
  return {
    ...run.result(),
    format,
    name,
    problems: log,
    warnings,
    sha256,
    plan: tally.finish(),
  };
}

/** One check of one manifest: what has been counted so far. */
class ManifestRun {
  readonly #options: CheckOptions;
  readonly #onRows: RowSink;
  readonly #log: ProblemLog;
  readonly #warnings: ProblemLog;
  readonly #tally: PlanTally;
  #checks: RowChecks | undefined;
  #accepted = 0;
  /** Accepted rows that were not handed on yet. */
  #open: CheckedRow[] = [];
  readonly #blocking: Problem[] = [];
  #header: SheetHeader = { line: 1, cells: [] };
  #firstLine: number | undefined;
  /** Line of the row that went beyond `spend.maxOutputs`. */
  #overspentLine: number | undefined;

  constructor(
    options: CheckOptions,
    onRows: RowSink,
    findings: { readonly log: ProblemLog; readonly warnings: ProblemLog; readonly tally: PlanTally },
  ) {
    this.#options = options;
    this.#onRows = onRows;
    this.#log = findings.log;
    this.#warnings = findings.warnings;
    this.#tally = findings.tally;
  }

  /** @throws {HeaderError | UnreadableSheetError} */
  async begin({ header, called }: OpenSheet): Promise<RowChecks> {
    this.#header = header;
    if (header.faults) throw new HeaderError(header.faults);
    if (header.cellFaults) {
      throw new HeaderError(header.cellFaults.map((fault) => problemOfCell(header.cells, fault)));
    }
    this.#checks = this.#openChecks(header, called);
    await this.#options.onHeader?.(this.#checks.header);
    return this.#checks;
  }

  #openChecks({ cells }: SheetHeader, called: OpenSheet['called']): RowChecks {
    try {
      return new RowChecks(cells, called, this.#options);
    } catch (error) {
      // Columns that are not known say nothing about the others: what is wrong in the rows is told with them.
      if (!(error instanceof HeaderError) || error.problems.some(({ code }) => code !== 'unknown_column'))
        throw error;
      this.blockHeader(error);
      return new RowChecks(cells, called, { ...this.#options, allowUnknownColumns: true });
    }
  }

  async check(checks: RowChecks, rows: readonly SheetRow[]): Promise<void> {
    this.#firstLine ??= rows[0]?.line;
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
    const outputs = await this.#options.into?.outputsLeft(accepted);
    for (const [index, row] of accepted.entries()) {
      this.#plan(row, outputs?.[index]);
      this.#warn(checks, row);
      const { line, number, key, cells, post } = row;
      this.#open.push({ line, number, key, cells, post });
      if (this.#open.length === chunkRows) await this.flush();
    }
  }

  /** Hands on the accepted rows that make no whole chunk. */
  async flush(): Promise<void> {
    const rows = this.#open;
    if (rows.length === 0) return;
    this.#open = [];
    this.#accepted += rows.length;
    await this.#comparePosts(rows);
    await this.#onRows(rows);
  }

  /** Points out rows that repeat a post of another campaign. */
  async #comparePosts(rows: readonly CheckedRow[]): Promise<void> {
    const lookUp = this.#options.posts;
    if (lookUp === null) return;
    const compared = rows.flatMap(({ line, key, post }) => (post ? [{ line, key, post }] : []));
    const campaigns = await lookUp(compared.map(({ post }) => post));
    compared.forEach(({ line, key }, index) => {
      const campaign = campaigns[index];
      if (campaign !== undefined) this.#warnings.add(placeProblem(line, key, repeatsPost(campaign)));
    });
  }

  /** Says what only the whole file shows. */
  end(): void {
    if (this.#firstLine === undefined) {
      this.#blockAt(this.#header.line, {
        column: null,
        code: 'no_rows',
        value: '',
        problem: 'the file has a header, but no rows',
        cure: 'Add a row for each post.',
      });
      return;
    }
    const misplaced = this.#options.into?.end() ?? null;
    if (misplaced !== null) this.#blockAt(this.#header.line, misplaced);
    const need = checkManifestNeeds(this.#options.settings.api);
    if (need !== null) this.#blockAt(this.#firstLine, need);
    if (this.#overspentLine !== undefined) this.#blockAt(this.#overspentLine, this.#overspending());
  }

  block(problem: Problem): void {
    this.#blocking.push(problem);
    this.#log.add(problem);
  }

  blockHeader(error: HeaderError): void {
    const { line, cellLines } = this.#header;
    for (const problem of error.problems) {
      this.#blockAt((problem.index === undefined ? undefined : cellLines?.[problem.index]) ?? line, problem);
    }
  }

  result(): Pick<CheckResult, 'rows' | 'accepted' | 'blocking' | 'header' | 'creators'> {
    return {
      rows: this.#checks?.rowsSeen ?? 0,
      accepted: this.#accepted,
      blocking: this.#blocking,
      header: this.#checks?.header ?? [],
      creators: this.#checks?.creators ?? new Map(),
    };
  }

  #plan({ row, creator, bytesOf, line }: AcceptedRow, outputs: number | undefined): void {
    this.#tally.add(row, creator, bytesOf, outputs);
    const limit = this.#options.settings.spend.maxOutputs;
    if (limit !== null && this.#tally.outputs > limit) this.#overspentLine ??= line;
  }

  #warn(checks: RowChecks, { row, line, warnings }: AcceptedRow): void {
    for (const warning of warnings) this.#warnings.add(placeProblem(line, row.key, checks.titled(warning)));
    const { now } = this.#options;
    if (now === null || row.schedule === undefined) return;
    const earliest = now + this.#tally.leastMs();
    if (row.schedule.at >= earliest) return;
    this.#tally.miss();
    this.#warnings.add(placeProblem(line, row.key, checks.titled(missesItsTime(row, earliest))));
  }

  #overspending(): CellProblem {
    const limit = this.#options.settings.spend.maxOutputs;
    return {
      column: null,
      code: 'too_many_outputs',
      value: String(this.#tally.outputs),
      problem: `the manifest asks for ${this.#tally.outputs} AI outputs, the settings allow ${limit}`,
      cure: 'Take rows out, lower ai_count, or raise spend.maxOutputs in the settings.',
    };
  }

  #blockAt(line: number, problem: CellProblem): void {
    this.block(placeProblem(line, null, problem));
  }
}
