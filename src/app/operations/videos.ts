/** Videos: the watch list, its sheets, reports, scrapes and their schedule. */

import { z } from 'zod';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { plural } from '../../manifest/wording.ts';
import { downloadName } from '../../sheets/write/download-name.ts';
import { sheetContentTypes, sheetFormats } from '../../sheets/write/format.ts';
import { groupings } from '../videos/aggregate.ts';
import { describeScrape, describeVideo } from '../videos/describe.ts';
import {
  reportSchema,
  scrapeCauseSchema,
  scrapeSchema,
  videoCommandSchemas,
  videoSchema,
  videoState,
} from '../videos/documents.ts';
import { exportVideos } from '../videos/export.ts';
import { describeImport, importVideos } from '../videos/import/import.ts';
import { listOverviewPage, overviewGroupings, sortColumns } from '../videos/overview.ts';
import { describeOverview, videoOverviewSchema } from '../videos/overview-document.ts';
import { describeReport, reportVideos } from '../videos/report.ts';
import { describeSchedule, removeSchedule, setSchedule, showSchedule } from '../videos/schedule.ts';
import { showScrape, startScrape } from '../videos/scrape.ts';
import { readSpan, spanLengths, spanOf } from '../videos/spans.ts';
import { findVideo, listVideoPage, removeVideo, showVideo } from '../videos/watch-list.ts';
import {
  fileReading,
  fileReadingOf,
  flag,
  integer,
  next,
  paging,
  readCursor,
  text,
  zoneOf,
} from './fields.ts';
import { Existing, figures, ifChanged, namedNow, videos } from './operation.ts';

const campaign = text.optional().describe('Only videos of this campaign.');
const schedule = videoCommandSchemas['videos schedule'];

export const videoOperations = {
  listVideos: videos.see('GET /videos', {
    summary: 'List the watched videos in the order they were added, with the latest figures',
    description: 'Each page reads a part of the list. It may be empty and still have a next page.',
    query: {
      ...paging,
      campaign,
      creator: text.optional(),
      gone: flag.optional().describe('Only videos that no longer exist.'),
    },
    answer: z.strictObject({ videos: z.array(videoSchema), next }),
    async handle({ runtime }, { limit, cursor, gone: isGone, ...filter }) {
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
  showVideo: videos.see('GET /videos/{id}', {
    summary: 'Show a video with its history, by its id or URL',
    problems: ['video_not_found'],
    answer: videoCommandSchemas['videos show'],
    handle: async ({ runtime }, { id }) => await showVideo(runtime, id),
  }),
  removeVideo: videos.run('DELETE /videos/{id}', {
    summary: 'Remove a video and its history from the watch list',
    problems: ['video_not_found'],
    answer: videoCommandSchemas['videos remove'],
    async handle({ runtime }, { id }) {
      return { video_url: await removeVideo(runtime, id), removed: true as const };
    },
    audit: (_input, { video_url }) => `Removed ${video_url} from the watch list.`,
  }),
  reportVideos: videos.see('GET /video-report', {
    summary: 'Sum up the figures of the videos, with their growth and the top movers',
    problems: ['date_invalid'],
    query: {
      by: z.enum(groupings).default('video'),
      campaign,
      since: text.optional().describe('A date, a time with its offset, or `7d` for seven days ago.'),
      until: text.optional(),
      top: integer(1, 10_000)
        .default(500)
        .describe('Maximum number of groups; those with the largest growth come first.'),
    },
    answer: reportSchema,
    handle: async ({ runtime }, query) => describeReport(await reportVideos(runtime, query)),
  }),
  showVideoOverview: figures.see('GET /video-overview', {
    summary: 'Show the watch list at a glance: sums, gains by day, groups, movers, videos in any order',
    problems: ['figures_busy'],
    description:
      'After a change the whole list is read again, which takes seconds if it is large. `at` is the time of the reading. Only a few readings may run at once: each zone, span and filter takes one reading.',
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
    async handle({ runtime, videos, left }, { limit, cursor, span, zone, by, top, sort, order, ...filter }) {
      const [from] = readCursor(cursor, [0, '']);
      const usual = runtime.settings.timezone ?? 'UTC';
      const days = { span: spanOf(span), zone: zone === undefined ? usual : zoneOf(zone, 'zone') };
      const overview = await videos.read({ ...filter, ...days }, left);
      const sorted = { column: sort, descending: order === 'descending' };
      const page = await listOverviewPage(runtime, overview, { sort: sorted, from, count: limit });
      const next = from + limit < overview.order.size ? String(from + limit) : null;
      return describeOverview(overview, { by, top, page, next });
    },
  }),
  startScrape: videos.run('POST /scrapes', {
    summary: 'Start an update of all video figures',
    startsSomething: true,
    statuses: [202, 200],
    problems: ['no_videos'],
    description: 'Only one update runs at a time. Answers 200 with the running one, if there is one.',
    body: z.strictObject({ campaign }),
    answer: scrapeSchema,
    async handle({ runtime }, body) {
      const { scrape, isNew } = await startScrape(runtime, body.campaign);
      const document = describeScrape(scrape);
      return isNew ? document : new Existing(document);
    },
    audit: ({ campaign }, { run, total }) =>
      `Started update ${run} of ${plural(total, 'video')}${campaign === undefined ? '' : ` of campaign ${campaign}`}.`,
  }),
  showScrape: videos.see('GET /scrapes/{run}', {
    summary: 'Show an update, and why videos failed',
    problems: ['scrape_not_found'],
    answer: z.strictObject({ ...scrapeSchema.shape, causes: z.array(scrapeCauseSchema) }),
    async handle({ runtime }, { run }) {
      const { scrape, causes } = await showScrape(runtime, run);
      return {
        ...describeScrape(scrape),
        causes: causes.map((each) => ({ ...each, fix: each.fix ?? null })),
      };
    },
  }),
  showSchedule: videos.see('GET /scrape-schedule', {
    summary: 'Show when figures are updated, and the last updates',
    answer: schedule,
    handle: async ({ runtime }) => describeSchedule(await showSchedule(runtime)),
  }),
  setSchedule: videos.run('PUT /scrape-schedule', {
    summary: 'Set when figures are updated',
    problems: ['schedule_invalid'],
    body: z.strictObject({
      cron: text.optional().describe('Minute, hour, day, month, weekday; default: `0 2 * * *`.'),
      tz: text.optional().describe('IANA zone; default: that of the settings, else UTC.'),
    }),
    answer: schedule,
    async handle({ runtime }, { cron, tz }) {
      await setSchedule(runtime, { pattern: cron, tz });
      return describeSchedule(await showSchedule(runtime));
    },
    audit: () => 'Changed the schedule of the updates.',
  }),
  removeSchedule: videos.run('DELETE /scrape-schedule', {
    summary: 'Remove the schedule',
    answer: schedule,
    async handle({ runtime }) {
      const was = await removeSchedule(runtime);
      return ifChanged(was, describeSchedule(await showSchedule(runtime)));
    },
    audit: () => 'Removed the schedule of the updates.',
  }),
  importVideos: videos.run('POST /videos', {
    summary: 'Add the videos of a sheet to the watch list',
    takesSheet: true,
    readsSheet: true,
    startsSomething: true,
    problems: ['manifest_unreadable', 'sheet_refused'],
    description:
      'A results sheet with `video_url` filled in will do. Videos that are on the list already are not added again. If the sheet has ' +
      'problems, nothing is added, and the problem document lists them in `check`.',
    query: fileReading,
    answer: videoCommandSchemas['videos import'],
    async handle({ runtime, sheet }, query) {
      const imported = await importVideos(runtime, sheet, { sheet: fileReadingOf(query) });
      const check = describeImport(imported);
      if (imported.check.problems.total > 0) {
        throw new UseCaseError('sheet_refused', 'the sheet has problems, and no video was added', {
          fix: 'Fix the rows that `check` names.',
          details: { check },
        });
      }
      return check;
    },
    audit: (_input, { added }) =>
      added > 0 ? `Added ${plural(added, 'video')} to the watch list.` : undefined,
  }),
  exportVideos: videos.see('GET /video-export', {
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
    async handle({ runtime }, { video: given, format, ...filter }) {
      // Checked before the answer begins: afterwards the status can no longer say that it was refused.
      readSpan(runtime, filter);
      const video = given === undefined ? undefined : (await findVideo(runtime, given)).id;
      const name = video === undefined ? 'Videos' : `Video ${video}`;
      return {
        fileName: downloadName(name, 'all data', namedNow(runtime, format)),
        contentType: sheetContentTypes[format],
        async write(to) {
          await exportVideos(runtime, { to, format, video, ...filter });
        },
      };
    },
  }),
};
