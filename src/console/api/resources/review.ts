/** Everything that waits for a person, over all campaigns. */
import { z } from 'zod';
import type { Verdict } from '../../../campaigns/decisions/verdict.ts';
import {
  chosenDocument,
  chosenSchema,
  lookedSchema,
  reviewRowDocument,
  reviewRowSchema,
} from '../../../campaigns/documents/review.ts';
import { decideChosen } from '../../../campaigns/review/decide-chosen.ts';
import { doubtKinds, listReview } from '../../../campaigns/review/list.ts';
import { lookIntoRecords } from '../../../campaigns/review/look.ts';
import { readCursor } from '../cursor.ts';
import { integer, next, paging, text } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';
import { verdictWith } from './decisions.ts';

/** Rows that one request may name. */
const mostRows = 200;
const position = z.int().min(0).max(999_999_999);

export const reviewOperations: readonly Operation[] = [
  operation({
    id: 'listReview',
    method: 'get',
    path: '/review',
    role: 'viewer',
    tag: 'Decisions',
    summary: 'List rows in review of all campaigns, beside the records that look like them',
    description: 'A page looks at 5,000 rows: with a filter it may be empty and still have a next one.',
    query: {
      limit: integer(1, 100).default(20).describe('Entries of a page.'),
      cursor: paging.cursor,
      campaign: text.optional().describe('Id of the campaign.'),
      doubt: z
        .enum(doubtKinds)
        .optional()
        .describe(
          '`records`: posts that records look like. `no-record`: posts without one; nobody may have looked for them yet, see `isNotFound`.',
        ),
      creator: text.optional().describe('As written in the sheet.'),
    },
    answer: z.strictObject({
      rows: z.array(reviewRowSchema),
      /** Rows in review, whatever the filter. */
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
    summary: 'Decide about chosen rows in review, each while it is as it was listed',
    description:
      'A decision that is refused does not stop the others. If you say `not-posted` of a post that exists, it is posted twice.',
    body: z.strictObject({
      rows: z
        .array(verdictWith({ campaign: text, position, revision: z.int().min(0).max(255) }))
        .min(1)
        .max(mostRows),
      unchecked: z
        .boolean()
        .default(false)
        .describe('Take ids as they are: do not look them up in the service.'),
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
    summary: 'Look for posts of rows in review in the publishing records, now',
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

/** A place as a cursor has it: the number first. */
function turned(place: string): string {
  const at = place.lastIndexOf('.');
  return `${place.slice(at + 1)}.${place.slice(0, at)}`;
}
