/** A draft with the results of its check and its rows, as pages show them, and as documents for programs. */
import { z } from 'zod';
import type { RunResult } from '../../importers/check/manifest-run.ts';
import type { CanaryRows } from '../../importers/plan/canary.ts';
import { type Plan, planSchema } from '../../importers/plan/plan.ts';
import type { MappedTo } from '../../manifest/headers/column-map.ts';
import { type Fix, fixField, hintsField } from '../../manifest/problems/hint.ts';
import { type CellProblem, type Problem, problemSchema } from '../../manifest/problems/problem.ts';
import type { SheetFormat } from '../../sheets/sheet.ts';
import { earlierSchema } from '../campaigns/import/check.ts';
import { type EarlierImport, earlierDocument } from '../campaigns/import/earlier-import.ts';
import type { EditsSummary } from '../campaigns/import/edits.ts';
import type { PlannedUpdate } from '../campaigns/import/update.ts';
import { type Document, isoTimeOf } from '../runtime/documents.ts';
import { type Draft, optionsSchema, readingSchema } from './draft.ts';

const time = z.string().describe('ISO 8601, UTC');

export const draftDocumentSchema = z.strictObject({
  id: z.string(),
  /** Rises with every change. A change names the version that it was made for. */
  version: z.int(),
  owner: z.string(),
  createdAt: time,
  changedAt: time,
  changedBy: z.string(),
  sheet: z
    .strictObject({
      name: z.string(),
      bytes: z.int(),
      sha256: z.string(),
      address: z.string().optional().describe('Address that the sheet was fetched from.'),
    })
    .nullable(),
  reading: readingSchema,
  options: optionsSchema,
  /** Id of the campaign that the sheet updates; null for a new one. */
  into: z.string().nullable(),
  /** Id of the campaign that it became. */
  campaign: z.string().nullable(),
});

const columnSchema = z.strictObject({
  /** From 0. */
  position: z.int(),
  /** Name in a spreadsheet program: `A`, `AB`. */
  letters: z.string(),
  /** As written in the sheet. */
  title: z.string(),
  /** `_` for a note, null for an unknown header, and for the columns of a results sheet. */
  column: z.string().nullable(),
  /** Texts of the first three rows, as edited. */
  firstTexts: z.array(z.string()),
  /** What an unknown header may be, and why; `_` for a note. */
  proposal: z.strictObject({ column: z.string(), evidence: z.string() }).nullable(),
});

/** Rows with the same problem, or the same warning. */
const groupSchema = z.strictObject({
  /** For URLs and forms: 12 hexadecimal digits, the same in each check. */
  id: z.string(),
  code: z.string(),
  /** Header of the column in the sheet; null: the row as a whole. */
  column: z.string().nullable(),
  /** Position of the column, from 0; -1 if the sheet does not have it, or the row as a whole is meant. */
  position: z.int(),
  value: z.string().describe('`value`, `problem` and `fix` are those of the first row that has the problem.'),
  problem: z.string(),
  fix: fixField,
  hints: hintsField,
  /** Rows that have it. */
  count: z.int(),
});

const checkedSchema = z.strictObject({
  /** SHA-256 of the planner's file; null if it was not read to its end. */
  sha256: z.string().nullable(),
  /** Zone for times without one: the chosen one, else that of the settings; null if there is none. */
  timezone: z.string().nullable(),
  /** Line of the headers; null if the file has none, or could not be opened. */
  headerLine: z.int().nullable(),
  columns: z.array(columnSchema),
  /** Rows of the file without blank ones: accepted, refused and left out. */
  rows: z.int(),
  /** Rows that would be posted. */
  accepted: z.int(),
  refused: z.int(),
  leftOut: z.int(),
  /** Rows with warnings, up to the bound of what is kept in detail. */
  warned: z.int(),
  /** Problems of the sheet as a whole. With one, nothing can be started. */
  blocking: z.array(problemSchema),
  /** What may surprise about the sheet as a whole. It stops nothing. */
  notices: z.array(problemSchema),
  /** Rows with the same problem, the largest groups first. */
  problems: z.array(groupSchema),
  warnings: z.array(groupSchema),
  plan: planSchema,
  /** True while another check brings plan and warnings up to date. */
  isOutdated: z.boolean(),
  digest: z.string().optional().describe('Of an update: identifies its plan.'),
});

export const draftViewSchema = z.strictObject({
  ...draftDocumentSchema.shape,
  state: z.enum(['empty', 'checking', 'failed', 'checked']),
  /** Rows read by the check that runs now. */
  rowsRead: z.int().nullable(),
  failure: z.strictObject({ message: z.string(), fix: fixField.nullable(), hints: hintsField }).nullable(),
  check: checkedSchema.nullable(),
  earlier: earlierSchema
    .optional()
    .describe('The campaign that an earlier import of the same sheet created.'),
});

export const draftRowSchema = z.strictObject({
  /** Number of the row in the sheet, from 1: changes name it. */
  row: z.int(),
  /** First line of the row in the file, or in its worksheet. */
  line: z.int(),
  worksheet: z.string().optional().describe('The worksheet, if several are read.'),
  /** `unchanged`: the campaign that the sheet updates leaves it alone. */
  state: z.enum(['accepted', 'refused', 'left out', 'unchanged']),
  /** Whether it is posted again if it is a post of another campaign. */
  postAgain: z.boolean(),
  /** As edited. */
  cells: z.array(z.string()),
  edited: z.array(z.strictObject({ position: z.int(), was: z.string(), by: z.string(), at: time })),
  problems: z.array(
    z.strictObject({
      ...problemSchema.omit({ line: true, key: true }).shape,
      position: z.int(),
      group: z.string(),
    }),
  ),
});

export interface DraftView {
  readonly draft: Draft;
  readonly state: z.infer<typeof draftViewSchema>['state'];
  /** `empty`: no sheet yet. `checking`: nothing is known yet. `failed`: `failure` says why. `checked`: `checked` says what it found. */
  readonly rowsRead: number | undefined;
  /** Kept from an earlier check while another one runs. */
  readonly checked: CheckedDraft | undefined;
  readonly failure: { readonly message: string; readonly fix: Fix | undefined } | undefined;
  /** Absolute path of the folder of the sheet's media. */
  readonly mediaRoot: string;
  /** Absolute path of the folder that is looked in first: the media that an update brings along. */
  readonly newMedia: string | undefined;
  /** Edits of the sheet as it is read now. Edits of another reading return with that reading. */
  readonly edits: EditsSummary;
}

type Counts =
  | 'sha256'
  | 'timezone'
  | 'headerLine'
  | 'rows'
  | 'accepted'
  | 'refused'
  | 'leftOut'
  | 'warned'
  | 'isOutdated';

export interface CheckedDraft extends Pick<Document<typeof checkedSchema>, Counts> {
  /** `null` if the file could not be opened. */
  readonly format: SheetFormat | null;
  /** The format in words, such as "read as an Excel workbook"; `null` for CSV in UTF-8 with commas. */
  readonly readAs: string | null;
  /** Visible sheets of a workbook; empty for other formats. */
  readonly sheets: readonly string[];
  /** Name of the campaign in the file. */
  readonly name: string | undefined;
  readonly columns: readonly DraftColumn[];
  readonly blocking: readonly Problem[];
  readonly notices: readonly Problem[];
  /** Problems of rows, the largest groups first. */
  readonly groups: readonly ProblemGroup[];
  readonly warnings: readonly ProblemGroup[];
  readonly plan: Plan;
  /** What becomes of the rows of a sheet that updates a campaign; undefined for a new one. */
  readonly update: PlannedUpdate | undefined;
  /** Earliest and latest time of the accepted rows, in milliseconds since the epoch; undefined if no row has a time. */
  readonly times: RunResult['times'];
  /** Rows that a canary may consist of. */
  readonly canary: CanaryRows;
  /** Rows to be posted although they are posts of other campaigns. */
  readonly again: number;
}

export interface DraftColumn extends Document<typeof columnSchema> {
  readonly column: MappedTo | null;
}

export interface ProblemGroup extends Omit<Document<typeof groupSchema>, 'hints'> {
  /** Whether all its rows have the same value. */
  readonly isSameValue: boolean;
  /** How many different values they have; of very many rows, at most how many. */
  readonly values: number;
  /** Numbers of its rows, ascending; only the first ones if there are very many. */
  readonly numbers: readonly number[];
}

/** A row of the sheet, as edited. */
export interface DraftRow
  extends Pick<Document<typeof draftRowSchema>, 'line' | 'worksheet' | 'cells' | 'state'> {
  readonly number: number;
  /** Region of the creator, according to the service; undefined until the check has found the creator. */
  readonly region: string | undefined;
  /** Cells that were edited, by position. */
  readonly edited: ReadonlyMap<number, EditedCell>;
  /** Whether a person wants to post it again, although it is a post of another campaign. */
  readonly isAgain: boolean;
  /** Undefined if there were too many rows to keep those of this one; they are found again once other rows are edited. */
  readonly problems: readonly PlacedProblem[] | undefined;
  readonly warnings: readonly PlacedProblem[];
}

export interface EditedCell {
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

/** Id of a `ProblemGroup`, of problems or warnings. */
export const groupIdSchema = z.string().regex(/^[0-9a-f]{12}$/);

/** Rows to show: all of a kind, or those of a group. */
export const windowSchema = z.union([z.enum(['all', 'problems', 'warnings', 'left-out']), groupIdSchema]);
export type WindowOf = z.infer<typeof windowSchema>;

export interface DraftWindow {
  readonly rows: readonly DraftRow[];
  /** How many rows there are to page through. */
  readonly total: number;
  /** Index of the first one, from 0. */
  readonly from: number;
}

const groupsShown = 1000;

export function draftDocument(draft: Draft): Document<typeof draftDocumentSchema> {
  const {
    id,
    version,
    owner,
    changedBy,
    reading,
    options,
    sheet = null,
    into = null,
    campaign = null,
  } = draft;
  const [createdAt, changedAt] = [isoTimeOf(draft.createdAt), isoTimeOf(draft.changedAt)];
  return { id, version, owner, createdAt, changedAt, changedBy, sheet, reading, options, into, campaign };
}

/** @param earlier an earlier import of the same sheet. */
export function draftViewDocument(
  view: DraftView,
  earlier?: EarlierImport,
): Document<typeof draftViewSchema> {
  const { draft, state, rowsRead = null, failure, checked } = view;
  return {
    ...draftDocument(draft),
    state,
    rowsRead,
    failure: failure === undefined ? null : { message: failure.message, fix: failure.fix ?? null },
    check: checked === undefined ? null : checkedDocument(checked),
    ...(earlier && { earlier: earlierDocument(earlier) }),
  };
}

function checkedDocument(checked: CheckedDraft): Document<typeof checkedSchema> {
  // The update has the records of its campaign.
  const { format, readAs, sheets, name, times, canary, again, groups, warnings, update, ...rest } = checked;
  const listed = (of: readonly ProblemGroup[]) =>
    of.slice(0, groupsShown).map(({ isSameValue, values, numbers, ...group }) => group);
  const lists = { problems: listed(groups), warnings: listed(warnings) };
  return { ...rest, ...lists, ...(update && { digest: update.digest }) };
}

export function draftRowDocument(row: DraftRow): Document<typeof draftRowSchema> {
  const { number, line, worksheet, state, isAgain, cells, edited, problems = [], warnings } = row;
  return {
    row: number,
    line,
    ...(worksheet !== undefined && { worksheet }),
    state,
    postAgain: isAgain,
    cells,
    edited: [...edited].map(([position, { was, by, at }]) => ({ position, was, by, at: isoTimeOf(at) })),
    problems: [...problems, ...warnings],
  };
}
