/** A draft with the results of its check and its rows, as pages show them, and as documents for programs. */
import type { z } from 'zod';
import type { RunResult } from '../../importers/check/manifest-run.ts';
import type { CanaryRows } from '../../importers/plan/canary.ts';
import type { Plan } from '../../importers/plan/plan.ts';
import type { MappedTo } from '../../manifest/headers/column-map.ts';
import type { Fix } from '../../manifest/problems/hint.ts';
import type { CellProblem, Problem } from '../../manifest/problems/problem.ts';
import type { SheetFormat } from '../../sheets/sheet.ts';
import { type EarlierImport, earlierDocument } from '../campaigns/import/earlier-import.ts';
import type { EditsSummary } from '../campaigns/import/edits.ts';
import type { PlannedUpdate } from '../campaigns/import/update.ts';
import { type Document, isoTimeOf } from '../runtime/documents.ts';
import type { Draft } from './draft.ts';
import type {
  checkedSchema,
  columnSchema,
  draftDocumentSchema,
  draftRowSchema,
  draftViewSchema,
  groupSchema,
  windowSchema,
} from './schemas.ts';

export interface DraftView {
  readonly draft: Draft;
  readonly state: z.infer<typeof draftViewSchema>['state'];
  /** `empty`: no sheet yet. `checking`: nothing is known yet. `failed`: `failure` says why. `checked`: `checked` says what it found. */
  readonly rowsRead: number | undefined;
  /** Kept from an earlier check while another one runs, unless people have changed the draft since. */
  readonly checked: CheckedDraft | undefined;
  /** Whether `checked` is of the media, the options and the campaign as they were before. */
  readonly isBehind: boolean;
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
  readonly canary: CanaryRows;
  /** Rows to be posted although they are posts of other campaigns. */
  readonly again: number;
}

export interface DraftColumn extends Document<typeof columnSchema> {
  readonly column: MappedTo | null;
}

export interface ProblemGroup extends Omit<Document<typeof groupSchema>, 'hints'> {
  readonly isSameValue: boolean;
  /** How many different values they have; of very many rows, at most how many. */
  readonly values: number;
  /** Numbers of its rows, ascending; only the first ones if there are very many. */
  readonly numbers: readonly number[];
}

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
  readonly group: string;
}

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
