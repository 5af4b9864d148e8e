/** Rows of a campaign: list, show, retry; what the planner wrote into one, and an edit that sends it again. */

import { z } from 'zod';
import type { ColumnName } from '../../manifest/columns.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { few, plural } from '../../manifest/wording.ts';
import { pipeFile } from '../../platform/files/write-file.ts';
import { findCampaign } from '../campaigns/find.ts';
import { retrySchema } from '../campaigns/retry/left-out.ts';
import { retryRows } from '../campaigns/retry/retry.ts';
import { editedRowDocument, editRow, isEditable } from '../campaigns/rows/edit.ts';
import { editedRowSchema } from '../campaigns/rows/edit-plan.ts';
import { listedRowSchema, listRows } from '../campaigns/rows/list.ts';
import { openRowMedium } from '../campaigns/rows/media.ts';
import {
  readRow,
  rowDocument,
  rowSchema,
  showRow,
  writtenRowDocument,
  writtenRowSchema,
} from '../campaigns/rows/show-row.ts';
import { cancelledRowSchema, cancelRow } from '../campaigns/steer.ts';
import { rowState, stepName } from '../runtime/documents.ts';
import { next, paging, readCursor, revision, text } from './fields.ts';
import { rows } from './operation.ts';

/** Longest text of a cell, in characters. */
const longestText = 100_000;

const column = z.string().refine(isEditable, 'there is no such column, or it cannot be changed');

export const rowOperations = {
  listRows: rows.see('GET /campaigns/{id}/rows', {
    summary: 'List the rows of a campaign that match',
    description:
      'A search by creator or text reads 20,000 rows a page. A page may be empty and still have a next page.',
    query: {
      ...paging,
      order: z
        .enum(['ascending', 'descending', 'changed'])
        .default('ascending')
        .describe('The order of the sheet; or the last 1,000 rows that changed, newest first.'),
      state: rowState.optional(),
      step: stepName.optional().describe('Step at which the row failed or went to review.'),
      code: text.optional().describe('Code of its error.'),
      creator: text.optional().describe('As written in the sheet.'),
      text: text
        .optional()
        .describe('Words in any order and case, each a part of key, creator, caption or product.'),
    },
    answer: z.strictObject({
      rows: z.array(listedRowSchema),
      total: z
        .int()
        .nullable()
        .describe('Rows that match; null if counting them would mean reading all rows.'),
      next,
    }),
    async handle({ runtime, left }, { id, limit, cursor, order, code, ...rest }) {
      readCursor(cursor, [0, '']);
      const filter = { ...rest, error: code };
      const page = await listRows(runtime, id, { filter, order, cursor, limit, left });
      const { total = null, next = null } = page;
      return {
        rows: page.rows.map(({ position, step, unusedOutputs, isUnapproved, ...row }) => row),
        total,
        next,
      };
    },
  }),
  showRow: rows.see('GET /campaigns/{id}/rows/{key}', {
    summary: 'Show a row and its history',
    answer: rowSchema,
    handle: async ({ runtime }, { id, key }) => rowDocument(id, await showRow(runtime, id, key)),
  }),
  retryRows: rows.run('POST /campaigns/{id}/retry', {
    summary: 'Retry failed rows: all, or those that match every given field',
    startsSomething: true,
    problems: ['campaign_cancelled', 'row_not_found'],
    description:
      'Steps that are known to be done are not repeated. Rows in review stay there for a decision. Rows whose post was not ' +
      'published wait 10 seconds (`held`); until then you can undo the retry of a row, like a decision.',
    body: z.strictObject({
      row: text.optional().describe('Key of a row.'),
      rows: z.array(text).min(1).max(500).optional().describe('Keys of chosen rows.'),
      error: text.optional().describe('Code of the error.'),
      creator: text.optional().describe('As written in the sheet.'),
      step: stepName.optional(),
      dryRun: z
        .boolean()
        .default(false)
        .describe('Only show which rows would be retried, and how many calls it would take.'),
    }),
    answer: retrySchema,
    async handle({ runtime }, { id, dryRun, ...filter }) {
      const result = await retryRows(runtime, await findCampaign(runtime, id), filter, { dryRun });
      return { id, ...result, dryRun };
    },
    audit: ({ id }, { rows, posted }) =>
      [
        ...(rows > 0 ? [`Retried ${plural(rows, 'row')} of ${id}.`] : []),
        ...(posted > 0 ? [`Updated ${plural(posted, 'row')} of ${id} from the publishing records.`] : []),
      ].join(' '),
  }),
  showRowCells: rows.see('GET /campaigns/{id}/rows/{key}/cells', {
    summary: 'Show what the planner wrote into a row, its media and its jobs',
    answer: writtenRowSchema,
    handle: async ({ runtime }, { id, key }) => writtenRowDocument(await readRow(runtime, id, key)),
  }),
  editRow: rows.run('PUT /campaigns/{id}/rows/{key}/cells', {
    summary:
      'Change cells of a row: a waiting or ready row goes out as changed, a failed or cancelled row is retried',
    startsSomething: true,
    problems: ['edit_refused', 'service_unreachable', 'service_failed', 'service_not_configured'],
    description:
      'The cells are checked like a sheet. If they have problems, nothing is changed, and the problem document lists them in `problems`. ' +
      'Finished steps are kept.',
    body: z.strictObject({
      revision: revision.describe(
        '`revision` of the row as you saw it; the edit is refused if the row has another revision now.',
      ),
      cells: z
        .partialRecord(column, z.string().max(longestText))
        .describe('Texts by column, such as `caption`. Other columns stay as they are.'),
      again: z
        .boolean()
        .default(false)
        .describe('Post the row even if it is a post of another campaign already.'),
      dryRun: z.boolean().default(false),
    }),
    answer: editedRowSchema,
    async handle({ runtime, person }, { id, key, again, dryRun, ...body }) {
      const cells = new Map(Object.entries(body.cells) as [ColumnName, string][]);
      const edit = { campaign: id, key, revision: body.revision, cells, again };
      const edited = await editRow(runtime, edit, { dryRun, by: person.name });
      if (edited.plan.kind === 'problems') throw refusedRow(key, edited.plan.problems);
      return editedRowDocument({ id, key }, edited, edited.plan, dryRun);
    },
    audit: ({ id, key }, { changes, end }) =>
      end === 'posted'
        ? `Updated 1 row of ${id} from the publishing records.`
        : `Edited row ${key} of ${id}: ${few(changes.map(({ column }) => column))}.`,
  }),
  cancelRow: rows.run('POST /campaigns/{id}/rows/{key}/cancel', {
    summary: 'Cancel one waiting or ready row: it is not posted, unless a person edits it',
    startsSomething: true,
    problems: ['edit_refused'],
    body: z.strictObject({ revision: revision.optional().describe('`revision` of the row as you saw it.') }),
    answer: cancelledRowSchema,
    handle: ({ runtime, person }, { id, key, revision }) =>
      cancelRow(runtime, { campaign: id, key, revision }, person.name),
    audit: ({ id, key }) => `Cancelled row ${key} of ${id}.`,
  }),
  downloadMedium: rows.see('GET /campaigns/{id}/rows/{key}/media/{column}/{index}', {
    summary: 'Download a local image or video of a row',
    problems: ['media_not_shown'],
    answer: ['image/*', 'video/*'],
    description:
      "`column` and `index` come from `media` of the row's cells. Media given as a URL are not fetched.",
    query: {},
    async handle({ runtime }, { id, key, column, index }) {
      const medium = await openRowMedium(runtime, id, key, { column, index: Number(index) });
      return {
        fileName: `${key}.${column}.${index}`,
        contentType: medium.contentType,
        write: (to) => pipeFile(medium.read(0, medium.bytes - 1), to),
        close: medium.close,
      };
    },
  }),
};

function refusedRow(key: string, problems: readonly unknown[]): UseCaseError {
  return new UseCaseError('row_refused', `row ${key} was not changed: the new cells have problems`, {
    fix: 'Fix the cells listed in `problems`.',
    details: { problems },
  });
}
