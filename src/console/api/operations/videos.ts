/** Videos: the watch list, its sheets, reports, scrapes and their schedule. */
import { z } from 'zod';
import { downloadName, sheetContentTypes, sheetFormats } from '../../../sheets/write/format.ts';
import { describeSchedule, describeScrape, describeVideo } from '../../../videos/describe.ts';
import {
  reportSchema,
  scrapeCauseSchema,
  scrapeSchema,
  videoCommandSchemas,
  videoSchema,
  videoState,
} from '../../../videos/documents.ts';
import { exportVideos } from '../../../videos/export.ts';
import { describeImport, importVideos } from '../../../videos/import/import.ts';
import { listOverviewPage, overviewGroupings, sortColumns } from '../../../videos/overview.ts';
import { describeOverview, videoOverviewSchema } from '../../../videos/overview-document.ts';
import { describeReport, reportVideos } from '../../../videos/report.ts';
import {
  removeSchedule,
  setSchedule,
  showSchedule,
  showScrape,
  startScrape,
} from '../../../videos/scrape.ts';
import { readSpan, spanLengths, spanOf } from '../../../videos/spans.ts';
import { groupings } from '../../../videos/sums.ts';
import { findVideo, listVideoPage, removeVideo, showVideo } from '../../../videos/watch-list.ts';
import { HttpProblem } from '../../http/problem.ts';
import { Existing, namedNow, videos } from '../operation.ts';
import {
  account,
  fileReading,
  fileReadingOf,
  flag,
  integer,
  next,
  paging,
  readCursor,
  text,
  zoneOf,
} from '../parameters.ts';

const campaign = text.optional().describe('Only videos of this campaign.');
const schedule = videoCommandSchemas['videos schedule'];

export const videoOperations = [
  videos.viewer('GET /videos', 'listVideos', {
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
        videos: page.videos.map((video) => describeVideo(video, gone)),
        next: page.last === undefined ? null : String(page.last),
      };
    },
  }),
  videos.viewer('GET /videos/{id}', 'showVideo', {
    summary: 'Show a video with its history, by its id or URL',
    problems: ['video_not_found'],
    answer: videoCommandSchemas['videos show'],
    handle: async ({ runtime, params }) => await showVideo(runtime, params.id),
  }),
  videos.operator('DELETE /videos/{id}', 'removeVideo', {
    summary: 'Remove a video and its history from the watch list',
    problems: ['video_not_found'],
    answer: videoCommandSchemas['videos remove'],
    async handle({ runtime, params }) {
      return { video_url: await removeVideo(runtime, params.id), removed: true as const };
    },
  }),
  videos.viewer('GET /video-report', 'reportVideos', {
    summary: 'Sum up the figures of the videos, with their growth and the top movers',
    problems: ['date_invalid'],
    query: {
      by: z.enum(groupings).default('video'),
      campaign,
      since: text.optional().describe('A date, a time with its offset, or `7d` for seven days ago.'),
      until: text.optional(),
      top: integer(1, 10_000).default(500).describe('Most groups; those with the most growth come first.'),
    },
    answer: reportSchema,
    handle: async ({ runtime, query }) => describeReport(await reportVideos(runtime, query)),
  }),
  videos.viewer('GET /video-overview', 'showVideoOverview', {
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
      return describeOverview(overview, { by, top, page, next });
    },
  }),
  videos.operator('POST /scrapes', 'startScrape', {
    summary: 'Update the figures of all videos now, by the workers',
    startsSomething: true,
    statuses: [202, 200],
    problems: ['no_videos'],
    description: 'Only one update runs at a time. Answers 200 with the running one, if there is one.',
    body: z.strictObject({ campaign }),
    answer: scrapeSchema,
    async handle({ runtime, body }) {
      const { scrape, isNew } = await startScrape(runtime, body.campaign);
      const document = describeScrape(scrape);
      return isNew ? document : new Existing(document);
    },
  }),
  videos.viewer('GET /scrapes/{run}', 'showScrape', {
    summary: 'Show an update, and why videos failed',
    problems: ['scrape_not_found'],
    answer: z.strictObject({ ...scrapeSchema.shape, causes: z.array(scrapeCauseSchema) }),
    async handle({ runtime, params }) {
      const { scrape, causes } = await showScrape(runtime, params.run);
      return {
        ...describeScrape(scrape),
        causes: causes.map((each) => ({ ...each, cure: each.cure ?? null })),
      };
    },
  }),
  videos.viewer('GET /scrape-schedule', 'showSchedule', {
    summary: 'Show when figures are updated, and the last updates',
    answer: schedule,
    handle: async ({ runtime }) => describeSchedule(await showSchedule(runtime)),
  }),
  videos.operator('PUT /scrape-schedule', 'setSchedule', {
    summary: 'Set when figures are updated',
    problems: ['schedule_invalid'],
    body: z.strictObject({
      cron: text.optional().describe('Minute, hour, day, month, weekday; default: `0 2 * * *`.'),
      tz: text.optional().describe('IANA zone; default: that of the settings, else UTC.'),
    }),
    answer: schedule,
    async handle({ runtime, body: { cron, tz } }) {
      await setSchedule(runtime, { pattern: cron, tz });
      return describeSchedule(await showSchedule(runtime));
    },
  }),
  videos.operator('DELETE /scrape-schedule', 'removeSchedule', {
    summary: 'Remove the schedule',
    answer: schedule,
    async handle({ runtime }) {
      await removeSchedule(runtime);
      return describeSchedule(await showSchedule(runtime));
    },
  }),
  videos.operator('POST /videos', 'importVideos', {
    summary: 'Add the videos of a sheet to the watch list',
    takesSheet: true,
    readsSheet: true,
    startsSomething: true,
    problems: ['manifest_unreadable', 'sheet_refused', 'account_unknown'],
    description:
      'A results sheet with `video_url` filled in will do. Videos that are on the list already are not added again. If the sheet has ' +
      'problems, nothing is added, and the problem document lists them in `check`.',
    query: { ...fileReading, account: account.optional() },
    answer: videoCommandSchemas['videos import'],
    async handle({ runtime, query: { account, ...query }, sheet }) {
      const imported = await importVideos(runtime, sheet, { account, sheet: fileReadingOf(query) });
      const check = describeImport(imported);
      if (imported.check.problems.total > 0) {
        throw new HttpProblem(422, 'sheet_refused', 'the sheet has problems, and no video was added', {
          cure: 'Fix the rows that `check` names.',
          check,
        });
      }
      return check;
    },
  }),
  videos.viewer('GET /video-export', 'exportVideos', {
    summary: 'Download the snapshots as a sheet: a line for each video and snapshot',
    problems: ['date_invalid', 'video_not_found'],
    answer: Object.values(sheetContentTypes),
    query: {
      format: z.enum(sheetFormats).default('csv'),
      wide: flag.default(false).describe('A line for each video, with its growth.'),
      video: text.optional().describe('Only this video, by its id or URL.'),
      campaign: text.optional().describe('Only videos of this campaign.'),
      since: text.optional().describe('A date, a time with its offset, or `7d` for seven days ago.'),
      until: text.optional(),
    },
    async handle({ runtime, query: { video: given, format, ...filter } }) {
      // Checked before the answer begins: afterwards the status can no longer say that it was refused.
      readSpan(runtime, filter);
      const video = given === undefined ? undefined : (await findVideo(runtime, given)).id;
      return {
        fileName: downloadName(
          video === undefined ? 'Videos' : `Video ${video}`,
          'all data',
          namedNow(runtime, format),
        ),
        contentType: sheetContentTypes[format],
        async write(to) {
          await exportVideos(runtime, { to, format, video, ...filter });
        },
      };
    },
  }),
];
