/** The results of a draft's check, as pages and the REST API show them. */
import type { Plan } from '../../importers/plan/plan.ts';
import type { ColumnName } from '../../manifest/columns.ts';
import type { Cure } from '../../manifest/problems/hint.ts';
import type { CellProblem, Problem } from '../../manifest/problems/problem.ts';
import type { SheetFormat } from '../../sheets/sheet.ts';
import type { Draft } from '../draft.ts';
import type { MendsSummary } from '../mends.ts';

/** A draft as it stands. */
export interface DraftView {
  readonly draft: Draft;
  /**
   * `empty`: it has no sheet yet. `checking`: nothing is known yet. `failed`: the check could not be made, `failure` says why.
   * `checked`: `checked` says what it found.
   */
  readonly state: 'empty' | 'checking' | 'failed' | 'checked';
  /** Rows read by the check that runs now; undefined when none runs. */
  readonly rowsRead: number | undefined;
  /** Kept from an earlier check while another one runs. */
  readonly checked: CheckedDraft | undefined;
  /** Why the last check could not be made; an earlier one is then shown, if there is one. */
  readonly failure: { readonly message: string; readonly cure: Cure | undefined } | undefined;
  /** Absolute path of the folder of the sheet's media. */
  readonly mediaRoot: string;
  /** Mends of the sheet as it is read now. Mends of another reading return with that reading. */
  readonly mends: MendsSummary;
}

export interface CheckedDraft {
  /** SHA-256 of the planner's file; `null` if it was not read to its end. */
  readonly sha256: string | null;
  /** `null` if the file could not be opened. */
  readonly format: SheetFormat | null;
  /** The format in words, such as "read as an Excel workbook"; `null` for CSV in UTF-8 with commas. */
  readonly readAs: string | null;
  /** Visible sheets of a workbook; empty for other formats. */
  readonly sheets: readonly string[];
  /** Name of the campaign in the file. */
  readonly name: string | undefined;
  /** Zone for times without one: the chosen one, else that of the settings; `null` if there is none. */
  readonly timezone: string | null;
  readonly columns: readonly DraftColumn[];
  /** Rows of the file without blank ones: accepted, refused and left out. */
  readonly rows: number;
  /** Rows that would be posted. */
  readonly accepted: number;
  /** Rows with problems. */
  readonly refused: number;
  /** Rows that a person left out. */
  readonly leftOut: number;
  /** Problems of the sheet as a whole. With one, nothing can be started. */
  readonly blocking: readonly Problem[];
  /** Problems of rows, the largest groups first. */
  readonly groups: readonly ProblemGroup[];
  readonly warnings: readonly ProblemGroup[];
  /** Rows with warnings, up to the bound of what is kept in detail. */
  readonly warned: number;
  readonly plan: Plan;
  /** Earliest and latest time of the accepted rows, in milliseconds since the epoch; undefined if no row has a time. */
  readonly times: { readonly first: number; readonly last: number } | undefined;
  /** Whether something was mended since plan and warnings were made. A check that brings them up to date has begun. */
  readonly isOutdated: boolean;
}

export interface DraftColumn {
  /** From 0. */
  readonly position: number;
  /** Name in a spreadsheet program: `A`, `AB`. */
  readonly letters: string;
  /** As written in the sheet. */
  readonly title: string;
  /** `_` for a note; undefined for an unknown header, and for the columns of a results sheet. */
  readonly column: ColumnName | '_' | undefined;
  /** Texts of the first three rows, as mended. */
  readonly firstTexts: readonly string[];
}

/** Rows with the same problem, or the same warning. */
export interface ProblemGroup {
  /** For URLs and forms: 12 hexadecimal digits, the same in each check. */
  readonly id: string;
  readonly code: string;
  /** Header of the column in the sheet; `null`: the row as a whole. */
  readonly column: string | null;
  /** Position of the column; -1 if the sheet does not have it, or the row as a whole is meant. */
  readonly position: number;
  /** The wrong value of the first row, as it is shown. */
  readonly value: string;
  /** `problem` and `cure` as worded for the first row. */
  readonly problem: string;
  readonly cure: Cure;
  /** Whether all its rows have the same value. */
  readonly isSameValue: boolean;
  /** How many rows have it. */
  readonly count: number;
  /** Numbers of its rows, ascending; only the first ones if there are very many. */
  readonly numbers: readonly number[];
}

/** A row of the sheet, as mended. */
export interface DraftRow {
  /** Number of the row in the file, from 1: it identifies the row. */
  readonly number: number;
  /** First line of the row in the file. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Region of the creator, according to the service; undefined until the check has found the creator. */
  readonly region: string | undefined;
  /** Cells that were mended, by position. */
  readonly mended: ReadonlyMap<number, MendedCell>;
  readonly state: 'accepted' | 'refused' | 'left out';
  /** Whether a person wants to post it again, although it is a post of another campaign. */
  readonly isAgain: boolean;
  /** Undefined if there were too many rows to keep those of this one; they are found again once other rows are mended. */
  readonly problems: readonly PlacedProblem[] | undefined;
  readonly warnings: readonly PlacedProblem[];
}

export interface MendedCell {
  /** The text in the planner's file. */
  readonly was: string;
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface PlacedProblem extends CellProblem {
  /** Position of its cell; -1 if it has none. */
  readonly position: number;
  /** Id of its group. */
  readonly group: string;
}

/** Rows to show. `group`: id of a `ProblemGroup`, of problems or warnings. */
export type WindowOf = 'all' | 'problems' | 'warnings' | 'left out' | { readonly group: string };

export interface DraftWindow {
  readonly rows: readonly DraftRow[];
  /** How many rows there are to page through. */
  readonly total: number;
  /** Index of the first one, from 0. */
  readonly from: number;
}
