/** Rows of a campaign: list, show, retry. */
import { z } from 'zod';
import { rowState, stepName } from '../../../campaigns/documents/campaign.ts';
import { retrySchema } from '../../../campaigns/documents/changes.ts';
import { rowDocument, rowSchema } from '../../../campaigns/documents/row.ts';
import { listedRowDocument, listedRowSchema } from '../../../campaigns/documents/rows.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import { retryRows } from '../../../campaigns/retry/retry.ts';
import { listRows } from '../../../campaigns/rows/list.ts';
import { showRow } from '../../../campaigns/rows/show-row.ts';
import { readCursor } from '../cursor.ts';
import { next, paging, text } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';

export const rowOperations: readonly Operation[] = [
  operation({
    id: 'listRows',
    method: 'get',
    path: '/campaigns/{id}/rows',
    role: 'viewer',
    tag: 'Rows',
    problems: ['campaign_not_found', 'campaign_unreadable'],
    summary: 'List the rows of a campaign that match',
    description:
      'A search by creator or text reads 20,000 rows a page. A page may be empty and still have a next one.',
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
      text: text.optional().describe('Part of the key, caption or product, in any case.'),
    },
    answer: z.strictObject({
      rows: z.array(listedRowSchema),
      total: z
        .int()
        .nullable()
        .describe('Rows that match; null if counting them would mean reading all rows.'),
      next,
    }),
    async handle({ runtime, left, params: { id = '' }, query: { limit, cursor, order, code, ...rest } }) {
      readCursor(cursor, [0, '']);
      const filter = { ...rest, error: code };
      const page = await listRows(runtime, id, { filter, order, cursor, limit, left });
      const { total = null, next = null } = page;
      return { body: { rows: page.rows.map(listedRowDocument), total, next } };
    },
  }),
  operation({
    id: 'showRow',
    method: 'get',
    path: '/campaigns/{id}/rows/{key}',
    role: 'viewer',
    tag: 'Rows',
    problems: ['campaign_not_found', 'campaign_unreadable', 'row_not_found'],
    summary: 'Show a row and what happened to it',
    answer: rowSchema,
    async handle({ runtime, params: { id = '', key = '' } }) {
      return { body: rowDocument(id, await showRow(runtime, id, key)) };
    },
  }),
  operation({
    id: 'retryRows',
    method: 'post',
    path: '/campaigns/{id}/retry',
    role: 'operator',
    tag: 'Rows',
    startsSomething: true,
    problems: ['campaign_not_found', 'campaign_unreadable', 'campaign_cancelled', 'row_not_found'],
    summary: 'Retry failed rows: all, or those that match every given field',
    description:
      'Steps that are known to be done are not repeated. Rows in review stay there for a decision. Rows whose post was not ' +
      'published wait 10 seconds (`held`); until then the retry of one can be undone, like a decision.',
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
    async handle({ runtime, params: { id = '' }, body: { dryRun, ...filter } }) {
      const result = await retryRows(runtime, await findCampaign(runtime, id), filter, { dryRun });
      return { body: { id, ...result, dryRun } };
    },
  }),
];
