/** Decisions about rows in review: one row, many rows, undoing one; and the rows that wait for them, over all campaigns. */

import { z } from 'zod';
import { few, plural } from '../../manifest/wording.ts';
import { findCampaign } from '../campaigns/find.ts';
import { lookedSchema, lookIntoRecords } from '../campaigns/publishing-records.ts';
import { countDecided, undoDecision } from '../decisions/carry-out.ts';
import { decideMany, manyDecidedSchema, readBefore } from '../decisions/decide-many.ts';
import {
  chosenDocument,
  chosenSchema,
  decideChosen,
  decidedRowSchema,
  decideRow,
} from '../decisions/decide-row.ts';
import { isId } from '../decisions/decision.ts';
import { listReview, unknownKinds } from '../decisions/list-review.ts';
import { reviewRowSchema } from '../decisions/review-rows.ts';
import { integer, next, paging, position, readPlace, revision, text } from './fields.ts';
import { decisions } from './operation.ts';

const refusals = ['campaign_not_found', 'campaign_unreadable', 'row_not_found', 'decision_refused'] as const;

const serviceId = z
  .string()
  .max(500)
  .refine(isId, 'it must be an id of the service: not a link, without spaces and without / : ? &');
const revisionSeen = revision
  .optional()
  .describe('Revision of the row as you saw it. If the row was resent since, nothing is decided.');
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

/** Most rows in one request. */
const mostRows = 200;

export const decisionOperations = {
  decideRow: decisions.run('PUT /campaigns/{id}/rows/{key}/decision', {
    summary: 'Decide a row in review',
    startsSomething: true,
    problems: [...refusals, 'decision_early', 'service_unreachable', 'service_failed'],
    description:
      "Check the creator's profile, or the service's dashboard, first. If the post exists and you say `not-posted`, this creates a duplicate. " +
      'A row that is resent or resumed waits 10 seconds first; until then you can undo the decision. A row marked as posted can be undone for 10 minutes.',
    body: verdictWith({ unchecked, revision: revisionSeen }),
    answer: decidedRowSchema,
    async handle({ runtime }, { id, key, unchecked, revision, ...verdict }) {
      const campaign = await findCampaign(runtime, id);
      const state = await decideRow(runtime, campaign, key, verdict, { unchecked, revision });
      return { id, row: key, state };
    },
    audit: ({ id, key, decision }) => `Decided about row ${key} of ${id}: ${decision}.`,
  }),
  undoDecision: decisions.run('DELETE /campaigns/{id}/rows/{key}/decision', {
    summary: 'Undo the decision about a row: it is in review again',
    problems: refusals,
    description:
      'Also undoes the retry of a row whose post was not published, while the row waits: its state is then failed again.',
    answer: decidedRowSchema,
    async handle({ runtime }, { id, key }) {
      const state = await undoDecision(runtime, await findCampaign(runtime, id), key);
      return { id, row: key, state, undone: true as const };
    },
    audit: ({ id, key }, { state }) =>
      `Undid the ${state === 'failed' ? 'retry of' : 'decision about'} row ${key} of ${id}.`,
  }),
  decideMany: decisions.run('POST /campaigns/{id}/decisions', {
    summary: 'Decide all matching rows in review as not posted, or not generated',
    startsSomething: true,
    problems: ['decision_unseen', 'plan_changed', 'date_invalid'],
    description:
      'More rows may need review at any moment, so look first (`dryRun`). Then say how many rows you saw (`matched`) in `expect`: if ' +
      'it is another number now, nothing is decided. Or decide only rows that were in review at the time `before`.',
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
    async handle({ runtime }, { id, decision, before: time, ...options }) {
      const campaign = await findCampaign(runtime, id);
      const before = time === undefined ? undefined : readBefore(runtime, campaign, time);
      const decided = await decideMany(runtime, campaign, { decision }, { ...options, before });
      return { id, decision, ...decided, dryRun: options.dryRun };
    },
    audit({ id, decision }, decided) {
      const rows = countDecided(decided);
      return rows === 0 ? undefined : `Decided about ${plural(rows, 'row')} of ${id}: ${decision}.`;
    },
  }),
  listReview: decisions.see('GET /review', {
    summary: 'List rows in review of all campaigns, with the publishing records that resemble them',
    description: 'Each page searches 5,000 rows. With a filter it may be empty and still have a next page.',
    query: {
      limit: integer(1, 100).default(20).describe('Entries per page.'),
      cursor: paging.cursor,
      campaign: text.optional().describe('Id of the campaign.'),
      doubt: z
        .enum(unknownKinds)
        .optional()
        .describe(
          '`records`: posts with a similar publishing record. `no-record`: posts without one, which may not have been searched for yet: see `isNotFound`.',
        ),
      creator: text.optional().describe('As written in the sheet.'),
    },
    answer: z.strictObject({
      rows: z.array(reviewRowSchema),
      /** All rows in review, with or without a filter. */
      total: z.int(),
      next,
    }),
    async handle({ runtime }, { limit, cursor, doubt: kind, ...filter }) {
      const page = { filter: { ...filter, kind }, from: readPlace(cursor), limit };
      const { items, total, next = null } = await listReview(runtime, page);
      const rows = items.map(({ inReviewSince, underWayUntil, generated, place, ...row }) => row);
      return { rows, total, next };
    },
  }),
  decideChosen: decisions.run('POST /review/decisions', {
    summary: 'Decide chosen rows in review, if they have not changed since they were listed',
    startsSomething: true,
    problems: ['campaign_not_found', 'campaign_unreadable', 'service_unreachable', 'service_failed'],
    description:
      'A refused decision does not stop the others. If a post exists and you say `not-posted`, this creates a duplicate.',
    body: z.strictObject({
      rows: z
        .array(verdictWith({ campaign: text, position, revision }))
        .min(1)
        .max(mostRows),
      unchecked: z.boolean().default(false).describe('Accept ids without looking them up in the service.'),
      dryRun: z.boolean().default(false),
    }),
    answer: chosenSchema,
    async handle({ runtime }, { rows, unchecked, dryRun }) {
      const choices = rows.map(({ campaign, position, revision, ...verdict }) => {
        return { campaign, position, revision, verdict };
      });
      const outcomes = await decideChosen(runtime, choices, { unchecked, dryRun });
      return chosenDocument(outcomes, dryRun);
    },
    audit(_input, { decisions }) {
      const done = decisions.filter(({ refused }) => refused === null);
      const rows = done.map(({ campaign, key, decision }) => `${campaign}/${key} (${decision})`);
      return done.length === 0 ? undefined : `Decided about ${few(rows)}.`;
    },
  }),
  lookIntoRecords: decisions.run('POST /review/look', {
    summary: 'Search the publishing records for rows in review now',
    problems: ['campaign_not_found', 'service_not_configured', 'service_unreachable', 'service_failed'],
    body: z.strictObject({
      rows: z
        .array(z.strictObject({ campaign: text, position }))
        .min(1)
        .max(mostRows),
    }),
    answer: lookedSchema,
    async handle({ runtime }, { rows }) {
      const asked = [...Map.groupBy(rows, ({ campaign }) => campaign)].map(
        ([id, some]) => [id, some.map((row) => row.position)] as const,
      );
      return await lookIntoRecords(runtime, new Map(asked));
    },
    audit: (_input, { rows, found }) =>
      `Searched the publishing records for ${plural(rows, 'row')} in review: found ${found}.`,
  }),
};
