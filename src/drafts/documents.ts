/** A draft (a sheet that is to become a campaign), the results of its check, and its rows. */
import { z } from 'zod';
import { planSchema } from '../campaigns/documents/sheet.ts';
import { cureField, hintsField } from '../manifest/problems/hint.ts';
import { problemSchema } from '../manifest/problems/problem.ts';
import { type Document, isoTimeOf } from '../runtime/documents.ts';
import type { DraftRow, DraftView, ProblemGroup } from './check/checked-draft.ts';
import { type Draft, optionsSchema, readingSchema } from './draft.ts';

const time = z.string().describe('ISO 8601, UTC');

export const draftSchema = z.strictObject({
  id: z.string(),
  /** Rises with every change. A change names the version that it was made for. */
  version: z.int(),
  owner: z.string(),
  createdAt: time,
  changedAt: time,
  changedBy: z.string(),
  sheet: z.strictObject({ name: z.string(), bytes: z.int(), sha256: z.string() }).nullable(),
  reading: readingSchema,
  options: optionsSchema,
  /** Id of the campaign that it became. */
  campaign: z.string().nullable(),
});

const groupSchema = z.strictObject({
  id: z.string(),
  code: z.string(),
  column: z.string().nullable(),
  /** Position of the column, from 0; -1 without one. */
  position: z.int(),
  /** `value`, `problem` and `cure` are those of the first row. */
  value: z.string(),
  problem: z.string(),
  cure: cureField,
  hints: hintsField,
  /** Rows that have it. */
  count: z.int(),
});

const checkedSchema = z.strictObject({
  sha256: z.string().nullable(),
  timezone: z.string().nullable(),
  columns: z.array(
    z.strictObject({
      position: z.int(),
      letters: z.string(),
      title: z.string(),
      /** `_` for a note, null for an unknown column. */
      column: z.string().nullable(),
      firstTexts: z.array(z.string()),
    }),
  ),
  rows: z.int(),
  /** Rows that would be posted. */
  accepted: z.int(),
  refused: z.int(),
  leftOut: z.int(),
  warned: z.int(),
  /** Problems of the sheet as a whole. */
  blocking: z.array(problemSchema),
  /** Rows with the same problem, the largest groups first. */
  problems: z.array(groupSchema),
  warnings: z.array(groupSchema),
  plan: planSchema,
  /** True while another check brings plan and warnings up to date. */
  isOutdated: z.boolean(),
});

export const draftViewSchema = z.strictObject({
  ...draftSchema.shape,
  state: z.enum(['empty', 'checking', 'failed', 'checked']),
  /** Rows read by the check that runs now. */
  rowsRead: z.int().nullable(),
  failure: z.strictObject({ message: z.string(), cure: cureField.nullable(), hints: hintsField }).nullable(),
  check: checkedSchema.nullable(),
});

export const draftRowSchema = z.strictObject({
  /** Number of the row in the sheet, from 1: changes name it. */
  row: z.int(),
  line: z.int(),
  state: z.enum(['accepted', 'refused', 'left out']),
  /** Whether it is posted again if it is a post of another campaign. */
  postAgain: z.boolean(),
  /** As mended. */
  cells: z.array(z.string()),
  mended: z.array(z.strictObject({ position: z.int(), was: z.string(), by: z.string(), at: time })),
  problems: z.array(
    z.strictObject({
      ...problemSchema.omit({ line: true, key: true }).shape,
      position: z.int(),
      group: z.string(),
    }),
  ),
});

export const suggestionSchema = z.strictObject({
  label: z.string(),
  /** Why it may be right. */
  evidence: z.string(),
  /** The cells that it writes, as `mendDraft` takes them. */
  cells: z.array(z.strictObject({ row: z.int(), position: z.int(), text: z.string() })),
});

const groupsShown = 1000;

export function draftDocument(draft: Draft): Document<typeof draftSchema> {
  const {
    sheet = null,
    campaign = null,
    createdAt,
    changedAt,
    changed: _changed,
    mendsBytes: _mends,
    ...rest
  } = draft;
  return { ...rest, sheet, campaign, createdAt: isoTimeOf(createdAt), changedAt: isoTimeOf(changedAt) };
}

export function draftViewDocument({
  draft,
  state,
  rowsRead,
  failure,
  checked,
}: DraftView): Document<typeof draftViewSchema> {
  return {
    ...draftDocument(draft),
    state,
    rowsRead: rowsRead ?? null,
    failure: failure === undefined ? null : { message: failure.message, cure: failure.cure ?? null },
    check: checked === undefined ? null : checkedDocument(checked),
  };
}

function checkedDocument(checked: NonNullable<DraftView['checked']>): Document<typeof checkedSchema> {
  const { sha256, timezone, columns, rows, accepted, refused, leftOut, warned } = checked;
  const { blocking, groups, warnings, plan, isOutdated } = checked;
  return {
    sha256,
    timezone,
    rows,
    accepted,
    refused,
    leftOut,
    warned,
    blocking,
    plan,
    isOutdated,
    columns: columns.map(({ column = null, ...rest }) => ({ ...rest, column })),
    problems: groups.slice(0, groupsShown).map(groupDocument),
    warnings: warnings.slice(0, groupsShown).map(groupDocument),
  };
}

function groupDocument(group: ProblemGroup): Document<typeof groupSchema> {
  const { id, code, column, position, value, problem, cure, count } = group;
  return { id, code, column, position, value, problem, cure, count };
}

export function draftRowDocument(row: DraftRow): Document<typeof draftRowSchema> {
  const { number, line, state, isAgain, cells, mended, problems = [], warnings } = row;
  return {
    row: number,
    line,
    state,
    postAgain: isAgain,
    cells,
    mended: [...mended].map(([position, { was, by, at }]) => ({ position, was, by, at: isoTimeOf(at) })),
    problems: [...problems, ...warnings],
  };
}
