/** Everything that waits for a person, over all campaigns. */
import { z } from 'zod';
import { decideChosen } from '../../../campaigns/decisions/decide-row.ts';
import type { Verdict } from '../../../campaigns/decisions/decision.ts';
import { listReview, unknownKinds } from '../../../campaigns/decisions/list-review.ts';
import {
  chosenDocument,
  chosenSchema,
  lookedSchema,
  reviewRowDocument,
  reviewRowSchema,
} from '../../../campaigns/documents/review.ts';
import { lookIntoRecords } from '../../../campaigns/records.ts';
import { readCursor } from '../cursor.ts';
import { integer, next, paging, text } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';
import { verdictWith } from './decisions.ts';

/** Most rows in one request. */
const mostRows = 200;
const position = z.int().min(0).max(999_999_999);

export const reviewOperations: readonly Operation[] = [
  operation({
    id: 'listReview',
    method: 'get',
    path: '/review',
    role: 'viewer',
    tag: 'Decisions',
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
          '`records`: posts that resemble a record. `no-record`: posts without one. They may not have been looked up yet: see `isNotFound`.',
        ),
      creator: text.optional().describe('As written in the sheet.'),
    },
    answer: z.strictObject({
      rows: z.array(reviewRowSchema),
      /** All rows in review, with or without a filter. */
      total: z.int(),
      next,
    }),
    async handle({ runtime, query: { limit, cursor, doubt: kind, ...filter } }) {
      const [place, campaign] = readCursor(cursor, [0, '']);
      const from = cursor === undefined ? undefined : `${campaign}.${place}`;
      const page = await listReview(runtime, { filter: { ...filter, kind }, from, limit });
      const rows = page.items.map(reviewRowDocument);
      return { body: { rows, total: page.total, next: page.next === undefined ? null : turned(page.next) } };
    },
  }),
  operation({
    id: 'decideChosen',
    method: 'post',
    path: '/review/decisions',
    role: 'operator',
    tag: 'Decisions',
    startsSomething: true,
    problems: ['campaign_not_found', 'campaign_unreadable', 'service_unreachable', 'service_failed'],
    summary: 'Decide about chosen rows in review, if they have not changed since they were listed',
    description:
      'A refused decision does not stop the others. If a post exists and you say `not-posted`, it is posted twice.',
    body: z.strictObject({
      rows: z
        .array(verdictWith({ campaign: text, position, revision: z.int().min(0).max(255) }))
        .min(1)
        .max(mostRows),
      unchecked: z.boolean().default(false).describe('Accept ids without looking them up in the service.'),
      dryRun: z.boolean().default(false),
    }),
    answer: chosenSchema,
    async handle({ runtime, body: { rows, unchecked, dryRun } }) {
      const choices = rows.map(({ campaign, position, revision, decision: kind, ...ids }) => ({
        campaign,
        position,
        revision,
        verdict: { kind, ...ids } as Verdict,
      }));
      const outcomes = await decideChosen(runtime, choices, { unchecked, dryRun });
      return { body: chosenDocument(outcomes, dryRun) };
    },
  }),
  operation({
    id: 'lookIntoRecords',
    method: 'post',
    path: '/review/look',
    role: 'operator',
    tag: 'Decisions',
    problems: ['campaign_not_found', 'service_not_configured', 'service_unreachable', 'service_failed'],
    summary: 'Look up rows in review in the publishing records now',
    body: z.strictObject({
      rows: z
        .array(z.strictObject({ campaign: text, position }))
        .min(1)
        .max(mostRows),
    }),
    answer: lookedSchema,
    async handle({ runtime, body: { rows } }) {
      const asked = [...Map.groupBy(rows, ({ campaign }) => campaign)].map(
        ([id, some]) => [id, some.map((row) => row.position)] as const,
      );
      return { body: await lookIntoRecords(runtime, new Map(asked)) };
    },
  }),
];

/** Turns a place round for a cursor, which has the number first. */
function turned(place: string): string {
  const at = place.lastIndexOf('.');
  return `${place.slice(at + 1)}.${place.slice(0, at)}`;
}
