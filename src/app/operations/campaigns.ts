/** Campaigns: list, show, pause, resume, cancel, delete; and over all of them: what waits for a person, rows by their key, the calendar. */

import { toTemporalInstant } from 'temporal-polyfill';
import { z } from 'zod';
import { type Campaign, campaignState } from '../../ledger/campaigns/campaign.ts';
import { plural } from '../../manifest/wording.ts';
import { calendarDocument, calendarSchema, readCalendar } from '../campaigns/calendar/calendar.ts';
import { campaignDocument, campaignSchema, findCampaign } from '../campaigns/find.ts';
import { findForgotten } from '../campaigns/journal.ts';
import {
  listCampaigns,
  showCampaign,
  shownCampaignDocument,
  shownCampaignSchema,
  waitingDocument,
  waitingSchema,
  whatWaits,
} from '../campaigns/list.ts';
import { progressDocument } from '../campaigns/progress/notes.ts';
import { throughputSchema } from '../campaigns/progress/pace.ts';
import { progressSchema } from '../campaigns/progress/reader.ts';
import { causeSchema } from '../campaigns/repair.ts';
import { resumeCreator, resumedCreatorSchema } from '../campaigns/retry/retry.ts';
import { findRows, matchCampaigns } from '../campaigns/search.ts';
import {
  cancelCampaign,
  cancelledSchema,
  deleteCampaign,
  deletedSchema,
  heldSchema,
  pauseCampaign,
  planCancellation,
  requireDeletable,
  resumeCampaign,
} from '../campaigns/steer.ts';
import { flag, integer, next, paging, readCursor, text, zoneOf } from './fields.ts';
import { campaigns, progress, rows } from './operation.ts';

type ListPlace = Pick<Campaign, 'createdAt' | 'id'>;

const minuteMs = 60_000;

export const campaignOperations = {
  listCampaigns: campaigns.see('GET /campaigns', {
    summary: 'List campaigns, newest first',
    query: {
      ...paging,
      state: campaignState.optional(),
      text: text
        .optional()
        .describe('The id, words of the name in any order, or a creator as written in the sheet.'),
    },
    answer: z.strictObject({
      campaigns: z.array(campaignSchema),
      forgotten: z
        .array(z.string())
        .describe('Campaigns that this machine remembers, but Redis does not have.'),
      next,
    }),
    async handle({ runtime }, { limit, cursor, state, text }) {
      const [before, id = ''] = readCursor(cursor, [Number.POSITIVE_INFINITY, '']);
      const { campaigns, unreadable } = await listCampaigns(runtime);
      const forgotten = await findForgotten(runtime, campaigns.length + unreadable.length);
      const fitting = text === undefined ? campaigns : await matchCampaigns(runtime, campaigns, text);
      const rest = fitting.filter(
        (each) =>
          (state === undefined || each.state === state) && newestFirst(each, { createdAt: before, id }) > 0,
      );
      const page = rest.sort(newestFirst).slice(0, limit);
      const last = page.at(-1);
      return {
        campaigns: page.map(campaignDocument),
        forgotten: forgotten.map(({ text }) => text),
        next: rest.length > limit && last ? `${last.createdAt}.${last.id}` : null,
      };
    },
  }),
  showCampaign: campaigns.see('GET /campaigns/{id}', {
    summary: 'Show a campaign, and why rows were not posted',
    answer: shownCampaignSchema,
    handle: async ({ runtime }, { id }) => shownCampaignDocument(await showCampaign(runtime, id)),
  }),
  listCauses: campaigns.see('GET /campaigns/{id}/causes', {
    summary: 'List why rows failed or wait for a decision, the most common cause first',
    answer: z.strictObject({ causes: z.array(causeSchema) }),
    async handle({ runtime }, { id }) {
      const { causes } = await showCampaign(runtime, id);
      return { causes };
    },
  }),
  showProgress: progress.see('GET /campaigns/{id}/progress', {
    summary: 'Show how far a campaign is, and what holds it back',
    answer: progressSchema,
    async handle({ runtime, progress }, { id }) {
      const campaign = await findCampaign(runtime, id);
      return progressDocument(await progress.read(campaign));
    },
  }),
  showThroughput: progress.see('GET /campaigns/{id}/throughput', {
    summary: 'Show rows posted per minute, the rate limit of posts, and when something slowed them down',
    answer: throughputSchema,
    handle: async ({ runtime, progress }, { id }) => progress.throughput(await findCampaign(runtime, id)),
  }),
  pauseCampaign: campaigns.run('POST /campaigns/{id}/pause', {
    summary: 'Pause a campaign: calls under way finish, nothing more is sent',
    answer: heldSchema,
    async handle({ runtime, person }, { id }) {
      return { id, ...(await pauseCampaign(runtime, id, person.name)) };
    },
    audit: ({ id }, { state, was }) => (state === 'paused' && was !== 'paused' ? `Paused ${id}.` : undefined),
  }),
  resumeCampaign: campaigns.run('POST /campaigns/{id}/resume', {
    summary: 'Resume a paused campaign',
    answer: heldSchema,
    async handle({ runtime, person }, { id }) {
      return { id, ...(await resumeCampaign(runtime, id, person.name)) };
    },
    audit: ({ id }, { was }) => (was === 'paused' ? `Resumed ${id}.` : undefined),
  }),
  resumeCreator: campaigns.run('POST /campaigns/{id}/creators/{creator}/resume', {
    summary: 'Retry the rows of a creator who has authorized again',
    startsSomething: true,
    problems: ['creator_not_found'],
    answer: resumedCreatorSchema,
    async handle({ runtime }, { id, creator }) {
      const resumed = await resumeCreator(runtime, await findCampaign(runtime, id), creator);
      return { id, creator, ...resumed };
    },
    audit({ id, creator }, { wasOpen, rows }) {
      if (wasOpen) return `Took ${creator} off hold in ${id}: ${plural(rows, 'row')} retried.`;
      return rows > 0 ? `Retried ${plural(rows, 'row')} of ${creator} in ${id}.` : undefined;
    },
  }),
  cancelCampaign: campaigns.run('POST /campaigns/{id}/cancel', {
    summary: 'Cancel all rows of a campaign that are not posted yet; it cannot be undone',
    description:
      'You can also cancel an ended campaign with rows in review: the decision `not-posted` then cancels a row instead of resending it.',
    query: {
      dryRun: flag
        .default(false)
        .describe(
          'Only say what would be cancelled, and how many AI outputs are paid for and would not be used.',
        ),
    },
    answer: cancelledSchema,
    async handle({ runtime }, { id, dryRun }) {
      return { id, ...(await (dryRun ? planCancellation : cancelCampaign)(runtime, id)) };
    },
    audit({ id }, { was, cancelled, review }) {
      const rows = was === 'ended' ? review : cancelled;
      return was === 'ended' && review === 0 ? undefined : `Cancelled ${plural(rows, 'row')} of ${id}.`;
    },
  }),
  deleteCampaign: campaigns.run('DELETE /campaigns/{id}', {
    summary: 'Delete an ended campaign and its results',
    problems: ['campaign_unfinished', 'campaign_in_review'],
    description:
      'Its posts stay in the service. They are no longer recognized: another sheet with these rows would post them again.',
    query: {
      force: flag
        .optional()
        .describe('Delete it even if rows are in review: what is known about them is lost.'),
    },
    answer: deletedSchema,
    async handle({ runtime }, { id, force = false }) {
      requireDeletable(await findCampaign(runtime, id), { force });
      await deleteCampaign(runtime, id, { force });
      return { id, deleted: true as const, exported: null };
    },
    audit: ({ id }) => `Deleted ${id}.`,
  }),
  showWaiting: progress.see('GET /waiting', {
    summary:
      'Show what waits for a person: reviews, approvals, AI outputs, creators to authorize, paused campaigns',
    answer: waitingSchema,
    async handle({ runtime, progress }) {
      const { campaigns } = await listCampaigns(runtime);
      return waitingDocument(await whatWaits(progress, campaigns));
    },
  }),
  findRows: rows.see('GET /rows', {
    summary: 'Find rows of all campaigns by their key',
    description: 'Each page searches 20,000 rows. It may be empty and still have a next page.',
    query: { key: text.describe('The key, as in the sheet.'), cursor: paging.cursor },
    answer: z.strictObject({ rows: z.array(z.strictObject({ id: z.string(), key: z.string() })), next }),
    async handle({ runtime }, { key, cursor }) {
      const [row, campaign] = readCursor(cursor, [0, '']);
      const { campaigns } = await listCampaigns(runtime);
      const from = cursor === undefined ? undefined : { campaign, row };
      const found = await findRows(runtime, campaigns, key, { from });
      return {
        rows: found.rows.map((row) => ({ id: row.campaign.id, key: row.key })),
        next: found.next === undefined ? null : `${found.next.row}.${found.next.campaign}`,
      };
    },
  }),
  showCalendar: progress.see('GET /calendar', {
    summary: 'Show scheduled posts by creator, and posts that are too close together',
    problems: ['date_invalid'],
    description:
      'It reads at most 100,000 rows and lists at most 20,000 posts. If `isWhole` is false, ask for one creator or campaign.',
    query: {
      from: text.optional().describe('First day, such as 2027-03-08; default: today.'),
      days: integer(1, 31).default(14),
      zone: text.optional().describe('IANA zone of the days; default: the zone of the settings, else UTC.'),
      near: integer(1, 1440)
        .optional()
        .describe(
          'Minutes. Posts of one creator that are closer than this are marked as too close. Default: from the settings.',
        ),
      campaign: text.optional().describe('Id of the campaign.'),
      creator: text.optional().describe("The creator's username, or the name in the sheet."),
    },
    answer: calendarSchema,
    async handle({ runtime, progress }, { zone: given, from, near, ...filter }) {
      const { settings, now } = runtime;
      const zone = given === undefined ? (settings.timezone ?? 'UTC') : zoneOf(given, 'zone');
      const today = toTemporalInstant.call(new Date(now())).toZonedDateTimeISO(zone).toPlainDate();
      const calendar = await readCalendar(runtime, progress.schedules, {
        ...filter,
        zone,
        from: from ?? today.toString(),
        tooCloseMs: near === undefined ? settings.calendar.collision : near * minuteMs,
      });
      return calendarDocument(calendar, zone);
    },
  }),
};

/** Several may be made in the same millisecond. */
function newestFirst(one: ListPlace, other: ListPlace): number {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id > other.id ? -1 : 1;
}
