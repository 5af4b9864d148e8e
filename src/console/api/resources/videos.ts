/** Videos: the watch list, reports, scrapes and their schedule. */
import { z } from 'zod';
import { describeSchedule, describeScrape, describeVideo } from '../../../videos/describe.ts';
import {
  reportSchema,
  scrapeCauseSchema,
  scrapeSchema,
  videoCommandSchemas,
  videoSchema,
  videoState,
} from '../../../videos/documents.ts';
import { listOverviewPage, overviewGroupings, sortColumns } from '../../../videos/overview.ts';
import { describeOverview, videoOverviewSchema } from '../../../videos/overview-document.ts';
import { describeReport, reportVideos } from '../../../videos/report.ts';
import { removeSchedule, setSchedule, showSchedule } from '../../../videos/schedule.ts';
import { showScrape, startScrape } from '../../../videos/scrape.ts';
import { spanLengths, spanOf } from '../../../videos/spans.ts';
import { groupings } from '../../../videos/sums.ts';
import { showVideo } from '../../../videos/video.ts';
import { listVideoPage, removeVideo } from '../../../videos/watch-list.ts';
import { readCursor } from '../cursor.ts';
import { flag, integer, next, paging, text } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';
import { zoneOf } from '../sheet-query.ts';

const campaign = text.optional().describe('Only videos of this campaign.');
const schedule = videoCommandSchemas['videos schedule'];

export const videoOperations: readonly Operation[] = [
  operation({
    id: 'listVideos',
    method: 'get',
    path: '/videos',
    role: 'viewer',
    tag: 'Videos',
    summary: 'List the watched videos in the order they were added, with the latest figures',
    description: 'Each page reads a part of the list. It may be empty and still have a next page.',
    query: {
      ...paging,
      campaign,
      creator: text.optional(),
      gone: flag.optional().describe('Only videos that no longer exist.'),
    },
    answer: z.strictObject({ videos: z.array(videoSchema), next }),
    async handle({ runtime, query: { limit, cursor, gone: isGone, ...filter } }) {
      const [after] = readCursor(cursor, [0, '']);
      const state = isGone ? ('gone' as const) : undefined;
      const page = await listVideoPage(runtime, { ...filter, state, after, limit });
      const { after: gone } = runtime.settings.videos.gone;
      return {
        body: {
          videos: page.videos.map((video) => describeVideo(video, gone)),
          next: page.last === undefined ? null : String(page.last),
        },
      };
    },
  }),
  operation({
    id: 'showVideo',
    method: 'get',
    path: '/videos/{id}',
    role: 'viewer',
    tag: 'Videos',
    problems: ['video_not_found'],
    summary: 'Show a video with its history, by its id or URL',
    answer: videoCommandSchemas['videos show'],
    handle: async ({ runtime, params }) => ({ body: await showVideo(runtime, params.id ?? '') }),
  }),
  operation({
    id: 'removeVideo',
    method: 'delete',
    path: '/videos/{id}',
    role: 'operator',
    tag: 'Videos',
    problems: ['video_not_found'],
    summary: 'Remove a video and its history from the watch list',
    answer: videoCommandSchemas['videos remove'],
    async handle({ runtime, params }) {
      return { body: { video_url: await removeVideo(runtime, params.id ?? ''), removed: true as const } };
    },
  }),
  operation({
    id: 'reportVideos',
    method: 'get',
    path: '/video-report',
    role: 'viewer',
    tag: 'Videos',
    problems: ['date_invalid'],
    summary: 'Sum up the figures of the videos, with their growth and the top movers',
    query: {
      by: z.enum(groupings).default('video'),
      campaign,
      since: text.optional().describe('A date, a time with its offset, or `7d` for seven days ago.'),
      until: text.optional(),
      top: integer(1, 10_000).default(500).describe('Most groups; those with the most growth come first.'),
    },
    answer: reportSchema,
    handle: async ({ runtime, query }) => ({ body: describeReport(await reportVideos(runtime, query)) }),
  }),
  operation({
    id: 'showVideoOverview',
    method: 'get',
    path: '/video-overview',
    role: 'viewer',
    tag: 'Videos',
    summary: 'Show the watch list at a glance: sums, gains by day, groups, movers, videos in any order',
    problems: ['figures_busy'],
    description:
      'After a change the whole list is read again, which takes seconds if it is large. `at` is the time of the reading. Few may run at once: each zone, span and filter takes one.',
    query: {
      ...paging,
      span: z.enum(spanLengths.map(String)).default('14').describe('Days.'),
      zone: text.optional().describe('IANA zone of the days; default: the zone of the settings, else UTC.'),
      campaign,
      creator: text.optional(),
      product: text.optional().describe('Its id.'),
      state: videoState.optional(),
      by: z.enum(overviewGroupings).default('creator'),
      top: integer(1, 500).default(50).describe('Most groups.'),
      sort: z.enum(sortColumns).default('gained'),
      order: z.enum(['ascending', 'descending']).default('descending'),
    },
    answer: videoOverviewSchema,
    async handle({
      runtime,
      videos,
      left,
      query: { limit, cursor, span, zone, by, top, sort, order, ...filter },
    }) {
      const [from] = readCursor(cursor, [0, '']);
      const usual = runtime.settings.timezone ?? 'UTC';
      const asked = {
        ...filter,
        span: spanOf(span),
        zone: zone === undefined ? usual : zoneOf(zone, 'zone'),
      };
      const overview = await videos.read(asked, left);
      const sorted = { column: sort, descending: order === 'descending' };
      const page = await listOverviewPage(runtime, overview, { sort: sorted, from, count: limit });
      const next = from + limit < overview.order.size ? String(from + limit) : null;
      return { body: describeOverview(overview, { by, top, page, next }) };
    },
  }),
  operation({
    id: 'startScrape',
    method: 'post',
    path: '/scrapes',
    role: 'operator',
    tag: 'Videos',
    startsSomething: true,
    statuses: [202, 200],
    problems: ['no_videos'],
    summary: 'Start a scrape: workers look up all videos now',
    description: 'Only one scrape runs at a time. Answers 200 with the running one, if there is one.',
    body: z.strictObject({ campaign }),
    answer: scrapeSchema,
    async handle({ runtime, body }) {
      const { scrape, isNew } = await startScrape(runtime, body.campaign);
      return { body: describeScrape(scrape), status: isNew ? 202 : 200 };
    },
  }),
  operation({
    id: 'showScrape',
    method: 'get',
    path: '/scrapes/{run}',
    role: 'viewer',
    tag: 'Videos',
    problems: ['scrape_not_found'],
    summary: 'Show a scrape, and why videos failed',
    answer: z.strictObject({ ...scrapeSchema.shape, causes: z.array(scrapeCauseSchema) }),
    async handle({ runtime, params }) {
      const { scrape, causes } = await showScrape(runtime, params.run ?? '');
      return {
        body: {
          ...describeScrape(scrape),
          causes: causes.map((each) => ({ ...each, cure: each.cure ?? null })),
        },
      };
    },
  }),
  operation({
    id: 'showSchedule',
    method: 'get',
    path: '/scrape-schedule',
    role: 'viewer',
    tag: 'Videos',
    summary: 'Show when videos are looked up, and the last scrapes',
    answer: schedule,
    handle: async ({ runtime }) => ({ body: describeSchedule(await showSchedule(runtime)) }),
  }),
  operation({
    id: 'setSchedule',
    method: 'put',
    path: '/scrape-schedule',
    role: 'operator',
    tag: 'Videos',
    problems: ['schedule_invalid'],
    summary: 'Set when videos are looked up',
    body: z.strictObject({
      cron: text.optional().describe('Minute, hour, day, month, weekday; default: `0 2 * * *`.'),
      tz: text.optional().describe('IANA zone; default: that of the settings, else UTC.'),
    }),
    answer: schedule,
    async handle({ runtime, body: { cron, tz } }) {
      await setSchedule(runtime, { pattern: cron, tz });
      return { body: describeSchedule(await showSchedule(runtime)) };
    },
  }),
  operation({
    id: 'removeSchedule',
    method: 'delete',
    path: '/scrape-schedule',
    role: 'operator',
    tag: 'Videos',
    summary: 'Remove the schedule',
    answer: schedule,
    async handle({ runtime }) {
      await removeSchedule(runtime);
      return { body: describeSchedule(await showSchedule(runtime)) };
    },
  }),
];
