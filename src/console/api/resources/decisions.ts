/** Decisions about rows in review: one row, many rows, a sheet of decisions, and undoing one. */
import { z } from 'zod';
import { decideMany, readBefore } from '../../../campaigns/decisions/decide-many.ts';
import { decideRow } from '../../../campaigns/decisions/decide-row.ts';
import { decideSheet } from '../../../campaigns/decisions/decide-sheet.ts';
import { isId } from '../../../campaigns/decisions/decision.ts';
import { undoDecision } from '../../../campaigns/decisions/undo.ts';
import {
  decidedRowSchema,
  manyDecidedSchema,
  sheetDecidedSchema,
} from '../../../campaigns/documents/changes.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import { flag, text } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';
import { fileReading, fileReadingOf } from '../sheet-query.ts';

const ofOne = { role: 'operator', tag: 'Decisions', startsSomething: true } as const;
const refusals = ['campaign_not_found', 'campaign_unreadable', 'row_not_found', 'decision_refused'] as const;

const serviceId = z.string().max(500).refine(isId, 'it must be an id of the service, without spaces');
const revision = z
  .int()
  .min(0)
  .max(255)
  .optional()
  .describe('Of the row that was looked at. If the row was sent again since, nothing is decided.');
const unchecked = z.boolean().default(false).describe('Accept the id without looking it up in the service.');

/** A decision, with more fields beside it. */
export function verdictWith<More extends z.ZodRawShape>(more: More) {
  return z.discriminatedUnion('decision', [
    z.strictObject({ ...more, decision: z.literal('posted'), postId: serviceId }),
    z.strictObject({ ...more, decision: z.literal('not-posted') }),
    z.strictObject({ ...more, decision: z.literal('generated'), scheduleId: serviceId }),
    z.strictObject({ ...more, decision: z.literal('not-generated') }),
  ]);
}

export const decisionOperations: readonly Operation[] = [
  operation({
    ...ofOne,
    id: 'decideRow',
    method: 'put',
    path: '/campaigns/{id}/rows/{key}/decision',
    problems: [...refusals, 'decision_early', 'service_unreachable', 'service_failed'],
    summary: 'Decide about a row in review',
    description:
      'Check in the service first whether the post exists. If it exists and you say `not-posted`, it is posted twice. ' +
      'The row waits 10 seconds before it goes on; until then the decision can be undone.',
    body: verdictWith({ unchecked, revision }),
    answer: decidedRowSchema,
    async handle({ runtime, params: { id = '', key = '' }, body }) {
      const { decision: kind, unchecked, revision, ...ids } = body;
      const campaign = await findCampaign(runtime, id);
      const decided = { kind, ...ids } as Parameters<typeof decideRow>[3];
      const state = await decideRow(runtime, campaign, key, decided, { unchecked, revision });
      return { body: { id, row: key, state } };
    },
  }),
  operation({
    id: 'undoDecision',
    method: 'delete',
    path: '/campaigns/{id}/rows/{key}/decision',
    role: 'operator',
    tag: 'Decisions',
    problems: refusals,
    summary: 'Undo the decision about a row: it is in review again',
    description:
      'Also takes back the retry of a row whose post was not published, while it waits: the row has failed again.',
    answer: decidedRowSchema,
    async handle({ runtime, params: { id = '', key = '' } }) {
      const state = await undoDecision(runtime, await findCampaign(runtime, id), key);
      return { body: { id, row: key, state, undone: true as const } };
    },
  }),
  operation({
    ...ofOne,
    id: 'decideMany',
    method: 'post',
    path: '/campaigns/{id}/decisions',
    problems: [
      'campaign_not_found',
      'campaign_unreadable',
      'decision_unseen',
      'plan_changed',
      'date_invalid',
    ],
    summary: 'Decide that the calls of all matching rows in review had no effect',
    description:
      'Rows may come to review at any moment, so look first (`dryRun`). Then say how many rows you saw (`matched`) in `expect`: if ' +
      'it is another number now, nothing is decided. Or decide only about rows in review since `before` a time.',
    body: z.strictObject({
      decision: z.enum(['not-posted', 'not-generated']),
      error: text.optional().describe('Code of the error.'),
      creator: text.optional().describe('As written in the sheet.'),
      expect: z.int().min(0).optional().describe('`matched` of the dry run.'),
      before: text
        .optional()
        .describe(
          'A time with its offset, or in the zone of the campaign or of the settings. Not in the future.',
        ),
      dryRun: z.boolean().default(false),
    }),
    answer: manyDecidedSchema,
    async handle({ runtime, params: { id = '' }, body: { decision, before: time, ...options } }) {
      const campaign = await findCampaign(runtime, id);
      const before = time === undefined ? undefined : readBefore(runtime, campaign, time);
      const decided = await decideMany(runtime, campaign, { kind: decision }, { ...options, before });
      return { body: { id, decision, ...decided, dryRun: options.dryRun } };
    },
  }),
  operation({
    ...ofOne,
    id: 'decideSheet',
    method: 'post',
    path: '/campaigns/{id}/decisions/sheet',
    problems: ['campaign_not_found', 'campaign_unreadable', 'manifest_unreadable'],
    takesSheet: true,
    readsSheet: true,
    summary: 'Carry out the column `decision` of a sheet',
    description: 'Nothing is decided while the sheet has problems; `matched` then shows what would be.',
    query: { ...fileReading, unchecked: flag.default(false), dryRun: flag.default(false) },
    answer: sheetDecidedSchema,
    async handle({ runtime, params: { id = '' }, query: { unchecked, dryRun, ...query }, sheet }) {
      const campaign = await findCampaign(runtime, id);
      const file = { path: sheet.path, file: sheet.file, reading: fileReadingOf(query) };
      const { rows, problems, ...decided } = await decideSheet(runtime, campaign, file, {
        unchecked,
        dryRun,
      });
      return {
        body: {
          id,
          from: sheet.file,
          ...decided,
          sheetRows: rows,
          dryRun,
          problems: problems.kept,
          problemCounts: Object.fromEntries(problems.byCode),
        },
      };
    },
  }),
];
