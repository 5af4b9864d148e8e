/** Over all campaigns: what waits for a person, rows by their key, the calendar. */
import { toTemporalInstant } from 'temporal-polyfill';
import { z } from 'zod';
import { readCalendar } from '../../../campaigns/calendar/calendar.ts';
import { calendarDocument, calendarSchema } from '../../../campaigns/documents/calendar.ts';
import { waitingDocument, waitingSchema } from '../../../campaigns/documents/overview.ts';
import { listCampaigns, whatWaits } from '../../../campaigns/list.ts';
import { findRowsByKey } from '../../../campaigns/search.ts';
import { readCursor } from '../cursor.ts';
import { integer, next, paging, text } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';
import { zoneOf } from '../sheet-query.ts';

const minuteMs = 60_000;

export const overviewOperations: readonly Operation[] = [
  operation({
    id: 'showWaiting',
    method: 'get',
    path: '/waiting',
    role: 'viewer',
    tag: 'Campaigns',
    summary: 'Show what waits for a person: reviews, creators to authorize, paused campaigns',
    answer: waitingSchema,
    async handle({ runtime, progress }) {
      const { campaigns } = await listCampaigns(runtime);
      return { body: waitingDocument(await whatWaits(progress, campaigns)) };
    },
  }),
  operation({
    id: 'findRows',
    method: 'get',
    path: '/rows',
    role: 'viewer',
    tag: 'Rows',
    summary: 'Find rows of all campaigns by their key',
    description: 'Each page searches 20,000 rows. It may be empty and still have a next page.',
    query: { key: text.describe('The key, as in the sheet.'), cursor: paging.cursor },
    answer: z.strictObject({ rows: z.array(z.strictObject({ id: z.string(), key: z.string() })), next }),
    async handle({ runtime, query: { key, cursor } }) {
      const [chunk, campaign] = readCursor(cursor, [0, '']);
      const { campaigns } = await listCampaigns(runtime);
      const from = cursor === undefined ? undefined : { campaign, chunk };
      const found = await findRowsByKey(runtime, campaigns, key, { from });
      return {
        body: {
          rows: found.rows.map((row) => ({ id: row.campaign.id, key: row.key })),
          next: found.next === undefined ? null : `${found.next.chunk}.${found.next.campaign}`,
        },
      };
    },
  }),
  operation({
    id: 'showCalendar',
    method: 'get',
    path: '/calendar',
    role: 'viewer',
    tag: 'Campaigns',
    problems: ['date_invalid'],
    summary: 'Show scheduled posts by creator, and posts that are too close together',
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
      return { body: calendarDocument(calendar, zone) };
    },
  }),
];
