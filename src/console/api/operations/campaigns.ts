/** Campaigns: list, show, pause, resume, cancel, delete; and over all of them: what waits for a person, rows by their key, the calendar. */
import { toTemporalInstant } from 'temporal-polyfill';
import { z } from 'zod';
import { calendarDocument, readCalendar } from '../../../campaigns/calendar/calendar.ts';
import { cancelCampaign } from '../../../campaigns/cancel.ts';
import { deleteCampaign, requireDeletable } from '../../../campaigns/delete.ts';
import {
  campaignDocument,
  campaignSchema,
  campaignState,
  causeSchema,
} from '../../../campaigns/documents/campaign.ts';
import {
  cancelledSchema,
  deletedSchema,
  heldSchema,
  resumedCreatorSchema,
} from '../../../campaigns/documents/changes.ts';
import { shownCampaignSchema } from '../../../campaigns/documents/commands.ts';
import { calendarSchema, throughputSchema, waitingSchema } from '../../../campaigns/documents/overview.ts';
import { progressSchema } from '../../../campaigns/documents/progress.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import {
  listCampaigns,
  showCampaign,
  shownCampaignDocument,
  waitingDocument,
  whatWaits,
} from '../../../campaigns/list.ts';
import { pauseCampaign, resumeCampaign } from '../../../campaigns/pause-resume.ts';
import { progressDocument } from '../../../campaigns/progress/notes.ts';
import { resumeCreator } from '../../../campaigns/retry/retry.ts';
import { findRows, matchCampaigns } from '../../../campaigns/search.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { campaigns, rows } from '../operation.ts';
import { flag, integer, next, paging, readCursor, text, zoneOf } from '../parameters.ts';

/** Place of a campaign in the list. */
type ListPlace = Pick<Campaign, 'createdAt' | 'id'>;

const minuteMs = 60_000;

export const campaignOperations = [
  campaigns.viewer('GET /campaigns', 'listCampaigns', {
    summary: 'List campaigns, newest first',
    query: {
      ...paging,
      state: campaignState.optional(),
      text: text.optional().describe('The id, part of the name, or a creator as written in the sheet.'),
    },
    answer: z.strictObject({ campaigns: z.array(campaignSchema), next }),
    async handle({ runtime, query: { limit, cursor, state, text } }) {
      const [before, id = ''] = readCursor(cursor, [Number.POSITIVE_INFINITY, '']);
      const { campaigns } = await listCampaigns(runtime);
      const fitting = text === undefined ? campaigns : await matchCampaigns(runtime, campaigns, text);
      const rest = fitting.filter(
        (each) =>
          (state === undefined || each.state === state) && newestFirst(each, { createdAt: before, id }) > 0,
      );
      const page = rest.sort(newestFirst).slice(0, limit);
      const last = page.at(-1);
      return {
        campaigns: page.map(campaignDocument),
        next: rest.length > limit && last ? `${last.createdAt}.${last.id}` : null,
      };
    },
  }),
  campaigns.viewer('GET /campaigns/{id}', 'showCampaign', {
    summary: 'Show a campaign, and why rows were not posted',
    answer: shownCampaignSchema,
    async handle({ runtime, params }) {
      return shownCampaignDocument(await showCampaign(runtime, params.id));
    },
  }),
  campaigns.viewer('GET /campaigns/{id}/causes', 'listCauses', {
    summary: 'List why rows failed or wait for a decision, the most common cause first',
    answer: z.strictObject({ causes: z.array(causeSchema) }),
    async handle({ runtime, params }) {
      const { causes } = await showCampaign(runtime, params.id);
      return { causes };
    },
  }),
  campaigns.viewer('GET /campaigns/{id}/progress', 'showProgress', {
    summary: 'Show how far a campaign is, and what holds it back',
    answer: progressSchema,
    async handle({ runtime, params, progress }) {
      const campaign = await findCampaign(runtime, params.id);
      return progressDocument(await progress.read(campaign));
    },
  }),
  campaigns.viewer('GET /campaigns/{id}/throughput', 'showThroughput', {
    summary: 'Show rows posted per minute, the rate limit of posts, and when something held them back',
    answer: throughputSchema,
    async handle({ runtime, params, progress }) {
      return progress.throughput(await findCampaign(runtime, params.id));
    },
  }),
  campaigns.operator('POST /campaigns/{id}/pause', 'pauseCampaign', {
    summary: 'Pause a campaign: calls under way finish, nothing more is sent',
    answer: heldSchema,
    async handle({ runtime, person, params: { id } }) {
      return { id, ...(await pauseCampaign(runtime, id, person.name)) };
    },
  }),
  campaigns.operator('POST /campaigns/{id}/resume', 'resumeCampaign', {
    summary: 'Resume a paused campaign',
    answer: heldSchema,
    async handle({ runtime, person, params: { id } }) {
      return { id, ...(await resumeCampaign(runtime, id, person.name)) };
    },
  }),
  campaigns.operator('POST /campaigns/{id}/creators/{creator}/resume', 'resumeCreator', {
    summary: 'Retry the rows of a creator who has authorized again',
    startsSomething: true,
    problems: ['creator_not_found'],
    answer: resumedCreatorSchema,
    async handle({ runtime, params: { id, creator } }) {
      const resumed = await resumeCreator(runtime, await findCampaign(runtime, id), creator);
      return { id, creator, ...resumed };
    },
  }),
  campaigns.operator('POST /campaigns/{id}/cancel', 'cancelCampaign', {
    summary: 'Cancel all rows of a campaign that are not posted yet; it cannot be undone',
    description:
      'An ended campaign is cancelled for its rows in review: a decision `not-posted` cancels them then.',
    answer: cancelledSchema,
    async handle({ runtime, params: { id } }) {
      return { id, ...(await cancelCampaign(runtime, id)) };
    },
  }),
  campaigns.operator('DELETE /campaigns/{id}', 'deleteCampaign', {
    summary: 'Delete an ended campaign and its results',
    problems: ['campaign_unfinished', 'campaign_in_review'],
    description: 'Posts that the service has accepted stay there.',
    query: {
      force: flag
        .optional()
        .describe('Delete it even if rows are in review: what is known about them is lost.'),
    },
    answer: deletedSchema,
    async handle({ runtime, params: { id }, query: { force = false } }) {
      requireDeletable(await findCampaign(runtime, id), { force });
      await deleteCampaign(runtime, id, { force });
      return { id, deleted: true as const, exported: null };
    },
  }),
  campaigns.viewer('GET /waiting', 'showWaiting', {
    summary: 'Show what waits for a person: reviews, creators to authorize, paused campaigns',
    answer: waitingSchema,
    async handle({ runtime, progress }) {
      const { campaigns } = await listCampaigns(runtime);
      return waitingDocument(await whatWaits(progress, campaigns));
    },
  }),
  rows.viewer('GET /rows', 'findRows', {
    summary: 'Find rows of all campaigns by their key',
    description: 'Each page searches 20,000 rows. It may be empty and still have a next page.',
    query: { key: text.describe('The key, as in the sheet.'), cursor: paging.cursor },
    answer: z.strictObject({ rows: z.array(z.strictObject({ id: z.string(), key: z.string() })), next }),
    async handle({ runtime, query: { key, cursor } }) {
      const [row, campaign] = readCursor(cursor, [0, '']);
      const { campaigns } = await listCampaigns(runtime);
      const from = cursor === undefined ? undefined : { campaign, row };
      const found = await findRows(runtime, campaigns, { key }, { from });
      return {
        rows: found.rows.map((row) => ({ id: row.campaign.id, key: row.key })),
        next: found.next === undefined ? null : `${found.next.row}.${found.next.campaign}`,
      };
    },
  }),
  campaigns.viewer('GET /calendar', 'showCalendar', {
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
        .describe('Minutes. Posts of a creator that are closer collide. Default: from the settings.'),
      campaign: text.optional().describe('Id of the campaign.'),
      creator: text.optional().describe('Username, or as written in the sheet.'),
    },
    answer: calendarSchema,
    async handle({ runtime, progress, query: { zone: given, from, near, ...filter } }) {
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
];

/** Several may be made in the same millisecond. */
function newestFirst(one: ListPlace, other: ListPlace): number {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id > other.id ? -1 : 1;
}
