/** Reads a sheet of decisions: `report --only review` with its column `decision` filled in. */
import { describeFileError } from '../../fs/disk.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { maxIdLength } from '../../manifest/cells/scalars.ts';
import { foldHeader, type ResultColumn, type ReviewColumn } from '../../manifest/columns.ts';
import { detached } from '../../manifest/detached.ts';
import { type Header, matchHeader } from '../../manifest/headers/header.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { type CellProblem, type Problem, placeProblem, showValue } from '../../manifest/problems/problem.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { openSheet } from '../../sheets/open-sheet.ts';
import {
  fileSource,
  problemOfCell,
  type SheetOptions,
  type SheetRow,
  UnreadableSheetError,
  unreadable,
} from '../../sheets/sheet.ts';
import { parseVerdict, type Verdict } from './decision.ts';
import {
  anotherCampaign,
  duplicateKey,
  forgottenDecision,
  noKey,
  noSuchColumn,
  unknownDecision,
  unknownKey,
} from './sheet-faults.ts';

/** Most problems to keep, as for any sheet. */
const mostProblems = 10_000;

/** A decision as written in the sheet. */
export interface WrittenDecision {
  readonly line: number;
  readonly key: string;
  readonly verdict: Verdict;
  /** Time of the row's last change when the sheet was written: Unix epoch, milliseconds. Undefined if the sheet has none. */
  readonly seenAt: number | undefined;
}

/** The file of a sheet of decisions. */
export interface DecisionFile {
  /** Path of the file to read. */
  readonly path: string;
  /** Its name in messages. */
  readonly file: string;
  /** How to read it; default: as detected. */
  readonly reading?: Omit<SheetOptions, 'map'> | undefined;
}

export interface DecisionSheet {
  /** Number of rows, with and without a decision. */
  readonly rows: number;
  /** Rows without a decision. */
  readonly empty: number;
  /** By key. */
  readonly decisions: ReadonlyMap<string, WrittenDecision>;
  readonly problems: readonly Problem[];
}

/** Reads the sheet as a stream, and keeps only its decisions. @throws {UseCaseError} `manifest_unreadable`. */
export async function readDecisionSheet(
  campaign: Campaign,
  { path, file, reading: options }: DecisionFile,
  onRead: (rows: readonly SheetRow[]) => void = () => undefined,
): Promise<DecisionSheet> {
  const reading = new Reading(campaign);
  try {
    const sheet = await openSheet(fileSource(path, file), { ...options, map: campaign.map });
    if (reading.begin(sheet.header)) {
      for await (const rows of sheet.rows) {
        for (const row of rows) reading.add(row);
        onRead(rows);
        reading.refuseTooMany();
      }
    } else await sheet.close();
  } catch (error) {
    if (error instanceof UnreadableSheetError) reading.problems.push(error.problem);
    else if (error instanceof Error && 'syscall' in error) {
      throw new UseCaseError('manifest_unreadable', `${file}: ${describeFileError(error)}`, { cause: error });
    } else throw error;
  }
  return reading;
}

class Reading implements DecisionSheet {
  rows = 0;
  empty = 0;
  readonly decisions = new Map<string, WrittenDecision>();
  readonly problems: Problem[] = [];
  readonly #campaign: Campaign;
  #header: Header | undefined;
  /** Position of each column of a results sheet. */
  #results: ReadonlyMap<string, number> = new Map();

  constructor(campaign: Campaign) {
    this.#campaign = campaign;
  }

  /** @returns false if the sheet has no columns for decisions. */
  begin({ line, cells }: SheetRow): boolean {
    const { map, id } = this.#campaign;
    const header = matchHeader(cells, { map, allowUnknownColumns: true, allowResultsSheet: true });
    const { names, results, indexes } = header;
    this.#header = header;
    this.#results = new Map(results.map((position) => [foldHeader(names[position] ?? ''), position]));
    if (!this.#results.has('decision')) this.#report(line, null, noSuchColumn('decision', id));
    if (indexes.key < 0) this.#report(line, null, noSuchColumn('key', id));
    return this.problems.length === 0;
  }

  add({ line, cells, faults = [], cellFaults = [] }: SheetRow): void {
    if (faults.length === 0 && cells.every((cell) => cell.trim() === '')) return;
    this.rows += 1;
    const key = textOfCell(cells, this.#header?.indexes.key ?? -1);
    for (const fault of faults) this.#report(line, key || null, fault);
    const read = new Set([this.#header?.indexes.key, this.#results.get('decision')]);
    for (const fault of cellFaults) {
      if (read.has(fault.position)) this.#report(line, key, problemOfCell(this.#header?.names ?? [], fault));
    }
    const written = this.#cell(cells, 'decision');
    if (written === '') this.#addEmpty(line, key, cells);
    else if (faults.length === 0)
      this.#addDecision(line, key, {
        written,
        owner: this.#cell(cells, 'campaign'),
        seenAt: timeOf(this.#cell(cells, 'updated_at')),
      });
  }

  /** @throws {UnreadableSheetError} on too many problems or decisions. */
  refuseTooMany(): void {
    const line = this.problems.at(-1)?.line ?? 1;
    if (this.problems.length > mostProblems) {
      throw unreadable(
        line,
        'too_many_problems',
        `the sheet has more than ${mostProblems} problems; reading stopped here`,
        'Correct these first.',
      );
    }
    if (this.decisions.size <= this.#campaign.rows) return;
    const { id, rows } = this.#campaign;
    throw unreadable(line, 'other_sheet', `the sheet has more decisions than ${id} has rows (${rows})`, [
      'Write a new sheet.',
      hint('writeSheet', { campaign: id, only: 'review' }),
    ]);
  }

  #addDecision(
    line: number,
    key: string,
    { written, owner, seenAt }: { written: string; owner: string; seenAt: number | undefined },
  ): void {
    const verdict = parseVerdict(written);
    const fault = this.#findFault(key, owner);
    if (fault) this.#report(line, key || null, fault);
    else if (verdict === undefined) this.#report(line, key, unknownDecision(written));
    else {
      const own = detached(key);
      this.decisions.set(own, { line, key: own, verdict, seenAt });
    }
  }

  #findFault(key: string, owner: string): CellProblem | undefined {
    const { id } = this.#campaign;
    if (owner !== '' && owner !== id) return anotherCampaign(owner, id);
    if (key === '') return noKey(id);
    // Imports accept no such key, and thousands of long ones would fill the memory.
    if (key.length > maxIdLength) return unknownKey(key, id);
    const earlier = this.decisions.get(key);
    return earlier && duplicateKey(key, earlier.line);
  }

  /** Reports a post id without a decision, because it would be lost. */
  #addEmpty(line: number, key: string, cells: readonly string[]): void {
    this.empty += 1;
    const postId = this.#cell(cells, 'post_id');
    if (postId === '' || this.#cell(cells, 'status') !== 'review') return;
    this.#report(line, key, forgottenDecision(postId));
  }

  #cell(cells: readonly string[], column: ResultColumn | ReviewColumn): string {
    return textOfCell(cells, this.#results.get(foldHeader(column)) ?? -1);
  }

  #report(line: number, key: string | null, problem: CellProblem): void {
    this.problems.push(placeProblem(line, key === null ? null : showValue(key), problem));
  }
}

/** Undefined if a spreadsheet program has rewritten the time. */
function timeOf(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
