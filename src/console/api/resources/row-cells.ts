/** What the planner wrote into a row: cells, media, and an edit that sends the row again. */
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import {
  editedRowDocument,
  editedRowSchema,
  writtenRowDocument,
  writtenRowSchema,
} from '../../../campaigns/documents/written.ts';
import { editRow, isEditable } from '../../../campaigns/rows/edit.ts';
import { openRowMedium } from '../../../campaigns/rows/media.ts';
import { readRow } from '../../../campaigns/rows/show-row.ts';
import type { ColumnName } from '../../../manifest/columns.ts';
import { fileOperation, type Operation, operation } from '../operation.ts';
import { ApiProblem } from '../problem.ts';

const ofRow = { tag: 'Rows' } as const;
const path = '/campaigns/{id}/rows/{key}';
const missing = ['campaign_not_found', 'campaign_unreadable', 'row_not_found'] as const;
/** Longest text of a cell, in characters. */
const longestText = 100_000;

const column = z.string().refine(isEditable, 'there is no such column, or it cannot be changed');

export const rowCellOperations: readonly Operation[] = [
  operation({
    ...ofRow,
    id: 'showRowCells',
    method: 'get',
    path: `${path}/cells`,
    role: 'viewer',
    problems: missing,
    summary: 'Show what the planner wrote into a row, its media and its jobs',
    answer: writtenRowSchema,
    async handle({ runtime, params: { id = '', key = '' } }) {
      return { body: writtenRowDocument(await readRow(runtime, id, key)) };
    },
  }),
  operation({
    ...ofRow,
    id: 'editRow',
    method: 'put',
    path: `${path}/cells`,
    role: 'operator',
    startsSomething: true,
    problems: [
      ...missing,
      ...(['edit_refused', 'service_unreachable', 'service_failed', 'account_incomplete'] as const),
    ],
    summary: 'Change cells of a waiting or failed row, and send it again',
    description:
      'The cells are checked like a sheet. If they have problems, nothing is changed, and the problem document lists them in `problems`. ' +
      'Steps that are done and still right are not repeated.',
    body: z.strictObject({
      revision: z
        .int()
        .min(0)
        .max(255)
        .describe('`revision` of the row as you saw it; the edit is refused if the row has another one now.'),
      cells: z
        .record(column, z.string().max(longestText))
        .describe('Texts by column, such as `caption`. Other columns stay as they are.'),
      again: z
        .boolean()
        .default(false)
        .describe('Post the row even if it is a post of another campaign already.'),
      dryRun: z.boolean().default(false),
    }),
    answer: editedRowSchema,
    async handle({ runtime, person, params: { id = '', key = '' }, body: { again, dryRun, ...body } }) {
      const cells = new Map(Object.entries(body.cells) as [ColumnName, string][]);
      const edit = { campaign: id, key, revision: body.revision, cells, again };
      const edited = await editRow(runtime, edit, { dryRun, by: person.name });
      if (edited.plan.kind === 'problems') throw refusedRow(key, edited.plan.problems);
      return { body: editedRowDocument({ id, key }, edited, edited.plan, dryRun) };
    },
  }),
  fileOperation({
    ...ofRow,
    id: 'downloadMedium',
    method: 'get',
    role: 'viewer',
    path: `${path}/media/{column}/{index}`,
    problems: [...missing, 'media_not_shown'],
    contentTypes: ['image/*', 'video/*'],
    summary: 'Download a local image or video of a row',
    description:
      "`column` and `index` come from `media` of the row's cells. Media given as a URL are not fetched.",
    query: {},
    async handle({ runtime, params: { id = '', key = '', column = '', index = '' } }) {
      const medium = await openRowMedium(runtime, id, key, { column, index: Number(index) });
      return {
        fileName: `${key}.${column}.${index}`,
        contentType: medium.contentType,
        write: (to) => pipeline(medium.read(0, medium.bytes - 1), to),
        close: medium.close,
      };
    },
  }),
];

function refusedRow(key: string, problems: readonly unknown[]): ApiProblem {
  return new ApiProblem(422, 'row_refused', `row ${key} would have problems, and nothing was changed`, {
    cure: 'Mend the cells that `problems` names.',
    problems,
  });
}
