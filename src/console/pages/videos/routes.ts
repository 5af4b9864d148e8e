/** `/videos`: the watch list and its public figures. Its routes, and the handlers of its forms. */

import { videoOperations } from '../../../app/operations/videos.ts';
import { describeScrape, withoutScheme } from '../../../app/videos/describe.ts';
import { exportVideos } from '../../../app/videos/export.ts';
import { cronInWords, nightlyAt, removeSchedule, setSchedule } from '../../../app/videos/schedule.ts';
import { startScrape } from '../../../app/videos/scrape.ts';
import { readSpan } from '../../../app/videos/spans.ts';
import { findVideo } from '../../../app/videos/watch-list.ts';
import { hint } from '../../../manifest/problems/hint.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { asSentence, plural, sentence } from '../../../manifest/wording.ts';
import { downloadName } from '../../../sheets/write/download-name.ts';
import { sheetContentTypes } from '../../../sheets/write/format.ts';
import { fixOnPage } from '../../hints.ts';
import { html, words } from '../../html.ts';
import { asksFirst, done, hidden, type QuestionText } from '../../parts/form.ts';
import { isZone, moment } from '../../parts/numbers.ts';
import type { Answer, Download, PageRequest, Redirect, Route } from '../../request.ts';
import { importVideoList } from './import-list.ts';
import { showVideos, streamVideos } from './list-page.ts';
import { downloadReport, showReport } from './report-page.ts';
import { showLogo } from './report-posts.ts';
import { readVideosQuery } from './table.ts';
import { showVideo } from './video-page.ts';

const ofVideos = { right: 'run', home: () => '/videos' } as const;

export const videosRoutes: readonly Route[] = [
  { method: 'get', path: '/videos', right: 'see', handle: (request) => showVideos(request) },
  { method: 'get', path: '/videos/events', right: 'see', handle: streamVideos },
  { method: 'get', path: '/videos/report', right: 'see', handle: showReport },
  { method: 'get', path: '/videos/report/logo', right: 'see', handle: showLogo },
  { method: 'get', path: '/videos/report.xlsx', right: 'see', handle: downloadReport },
  { method: 'get', path: '/videos/export.:format', right: 'see', handle: exportList },
  ...asksFirst({ ...ofVideos, path: '/videos/read', ask: askRead, carryOut: readNow }),
  ...asksFirst(importVideoList),
  { method: 'post', path: '/videos/schedule', right: 'run', handle: setTimes },
  { method: 'get', path: '/videos/:id', right: 'see', handle: showVideo },
  { method: 'get', path: '/videos/:id/export.:format', right: 'see', handle: exportVideo },
  ...asksFirst({
    right: 'run',
    path: '/videos/:id/remove',
    home: ({ params }) => `/videos/${params.id}`,
    ask: askRemove,
    needsBox: true,
    carryOut: remove,
  }),
];

/** @throws {UseCaseError} `figures_busy`. */
async function askRead(request: PageRequest): Promise<QuestionText> {
  const campaign = request.query.get('campaign') || undefined;
  const { calls, left } = await countReading(request, campaign);
  const many = plural(calls, 'video');
  return {
    title: `Update ${many} now?`,
    text: html`<p><b>At least ${plural(calls, 'call')}, one for each video.</b> Calls stay within the rate limit. A failed call is retried.</p>
    ${leftOut(left) ?? ''}`,
    fields: hidden('campaign', campaign),
    back: 'Not now',
    button: `Update ${many}`,
  };
}

/** How many videos a reading asks for, and how many it leaves out because they have been gone for long. */
async function countReading({ videos, zone, left }: PageRequest, campaign: string | undefined) {
  const asked = { span: 14, zone } as const;
  const { overview } = await videos.show(asked);
  const { list } = overview ?? (await videos.read(asked, left));
  const calls = campaign === undefined ? list.calls : (list.callsByCampaign.get(campaign) ?? 0);
  const known = campaign === undefined ? list.videos : (list.campaigns.get(campaign) ?? 0);
  return { calls, left: known - calls };
}

function leftOut(left: number): string | undefined {
  if (left === 0) return undefined;
  return `Skips ${plural(left, 'video')}: the service has answered too often that ${left === 1 ? 'it is' : 'they are'} gone.`;
}

/** @throws {UseCaseError} `no_videos`, `figures_busy`. */
async function readNow(request: PageRequest): Promise<Redirect> {
  const { runtime, form: fields, zone, now } = request;
  const campaign = fields.get('campaign') || undefined;
  const { calls, left } = await countReading(request, campaign);
  const { scrape, isNew, hasWorkers } = await startScrape(runtime, campaign);
  const to = '/videos#reading';
  const idle = hasWorkers
    ? undefined
    : `No running worker can update them. ${fixOnPage([hint('startWorker')])}`;
  if (!isNew) {
    const since = moment(scrape.startedAt, zone, now);
    const text = `Nothing was started: an update has been running since ${since}.`;
    return done(to, text, idle, 'warning');
  }
  await request.record(videoOperations.startScrape, { campaign }, describeScrape(scrape));
  const more = [leftOut(left), idle].filter(Boolean).join(' ') || undefined;
  return done(to, `Updating ${plural(calls, 'video')}.`, more, hasWorkers ? 'running' : 'warning');
}

/** Every night, or by a cron pattern. What is wrong is told beside its field. */
async function setTimes(request: PageRequest): Promise<Answer> {
  const { runtime, form: fields } = request;
  const to = '/videos#reading';
  if (fields.has('off')) {
    const was = await removeSchedule(runtime);
    if (was) await request.record(videoOperations.removeSchedule, {}, {});
    return done(to, was ? 'The schedule is switched off.' : 'No updates were scheduled.');
  }
  const [at, cron, tz = ''] = ['at', 'cron', 'tz'].map((name) => fields.get(name)?.trim());
  try {
    const pattern = cron ?? nightlyAt(at ?? '');
    await setSchedule(runtime, { pattern, tz });
    await request.record(videoOperations.setSchedule, {}, {});
    return done(to, `Videos are updated ${cronInWords({ pattern, tz }) ?? `by ${pattern} (${tz})`}.`);
  } catch (error) {
    if (!(error instanceof UseCaseError) || error.code !== 'schedule_invalid') throw error;
    const said = html`<span class="fault">${words(asSentence(error.message))}</span> ${words(sentence(fixOnPage(error.fix)))}`;
    const field = !isZone(tz) ? 'tz' : cron === undefined ? 'at' : 'cron';
    return showVideos(request, { typed: fields, field, said });
  }
}

/** @throws {UseCaseError} `video_not_found`. */
async function askRemove({ runtime, params, link }: PageRequest): Promise<QuestionText> {
  const { id, facts, samples } = await findVideo(runtime, params.id ?? '');
  const many = plural(samples, 'snapshot');
  const deleted = html`Its ${many} ${samples === 1 ? 'is' : 'are'} deleted. This cannot be undone. <a href="${link(`/videos/${id}/export.xlsx`)}">Export the snapshots first</a>`;
  return {
    title: 'Remove this video from the watch list?',
    text: html`<p><code>${withoutScheme(facts.url)}</code></p>
    <p>Its figures are no longer updated. ${samples === 0 ? 'It has no snapshots.' : deleted}</p>
    <p>The post stays as it is.</p>`,
    sure: 'Yes, stop watching this video',
    button: `Remove${samples === 0 ? ' this video' : `, with ${many}`}`,
    isDangerous: true,
  };
}

/** @throws {UseCaseError} `video_not_found`. */
async function remove({ carryOut, params: { id = '' } }: PageRequest): Promise<Redirect> {
  const { video_url: url } = await carryOut(videoOperations.removeVideo, { id });
  return done('/videos', 'The video is removed from the watch list.', withoutScheme(url));
}

/** @throws {UseCaseError} `date_invalid`. */
function exportList(request: PageRequest): Download {
  return download(request, 'Videos', undefined);
}

/** @throws {UseCaseError} `video_not_found`, `date_invalid`. */
async function exportVideo(request: PageRequest): Promise<Download> {
  const { id } = await findVideo(request.runtime, request.params.id ?? '');
  return download(request, `Video ${id}`, id);
}

function download(request: PageRequest, name: string, video: string | undefined): Download {
  const { runtime, params, query, now, zone } = request;
  const { span: _span, zone: _zone, ...filter } = readVideosQuery(request).query;
  const format = params.format === 'csv' ? 'csv' : 'xlsx';
  const date = query.get('since') || undefined;
  // Checked before the answer begins: afterwards the status can no longer say that it was refused.
  readSpan(runtime, { since: date });
  return {
    kind: 'download',
    fileName: downloadName(name, 'all data', { format, now, zone }),
    contentType: sheetContentTypes[format],
    write: async (to) => {
      await exportVideos(runtime, { ...filter, to, format, withMark: true, video, since: date });
    },
  };
}
