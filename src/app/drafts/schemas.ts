/** What programs get of a draft: its schemas. */
import { z } from 'zod';
import { planSchema } from '../../importers/plan/plan.ts';
import { fixField, hintsField } from '../../manifest/problems/hint.ts';
import { problemSchema } from '../../manifest/problems/problem.ts';
import { earlierSchema } from '../campaigns/import/check.ts';
import { optionsSchema, readingSchema } from './draft.ts';

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

export const columnSchema = z.strictObject({
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
export const groupSchema = z.strictObject({
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
  count: z.int(),
});

export const checkedSchema = z.strictObject({
  /** SHA-256 of the planner's file; null if it was not read to its end. */
  sha256: z.string().nullable(),
  /** Zone for times without one: the chosen one, else that of the settings; null if there is none. */
  timezone: z.string().nullable(),
  /** Line of the headers; null if the file has none, or could not be opened. */
  headerLine: z.int().nullable(),
  columns: z.array(columnSchema),
  /** Rows of the file without blank ones: accepted, refused and left out. */
  rows: z.int(),
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
  digest: z.string().optional().describe('Identifies the plan of an update.'),
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

/** Id of a `ProblemGroup`, of problems or warnings. */
export const groupIdSchema = z.string().regex(/^[0-9a-f]{12}$/);

/** Rows to show: all of a kind, or those of a group. */
export const windowSchema = z.union([z.enum(['all', 'problems', 'warnings', 'left-out']), groupIdSchema]);
