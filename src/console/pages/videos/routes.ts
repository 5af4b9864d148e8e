/** `/videos`: the watch list and its public figures. Its routes, and the handlers of its forms. */
import { html } from 'hono/html';
import { hint } from '../../../manifest/problems/hint.ts';
import { removeSchedule, setSchedule, showSchedule } from '../../../videos/schedule.ts';
import { startScrape } from '../../../videos/scrape.ts';
import { findVideo, removeVideo } from '../../../videos/watch-list.ts';
import { cureOnPage } from '../../hints.ts';
import { form } from '../../parts/form.ts';
import { count, moment } from '../../parts/numbers/numbers.ts';
import { wayBack } from '../../parts/question.ts';
import type { PageRequest, Question, Redirect, Route } from '../../request.ts';
import { showVideos, streamVideos } from './list-page.ts';
import { askImport, exportList, exportVideo, takeList } from './sheets.ts';
import { withoutScheme } from './table.ts';
import { showVideo } from './video-page.ts';

export const videosRoutes: readonly Route[] = [
  { method: 'get', path: '/videos', role: 'viewer', handle: showVideos },
  { method: 'get', path: '/videos/events', role: 'viewer', handle: streamVideos },
  { method: 'get', path: '/videos/export.:format', role: 'viewer', handle: exportList },
  { method: 'get', path: '/videos/read', role: 'operator', handle: askRead },
  { method: 'post', path: '/videos/read', role: 'operator', handle: readNow },
  { method: 'get', path: '/videos/import', role: 'operator', handle: askImport },
  {
    method: 'post',
    path: '/videos/import',
    role: 'operator',
    takesSheet: true,
    readsSheet: true,
    handle: takeList,
  },
  { method: 'post', path: '/videos/schedule', role: 'operator', handle: setTimes },
  { method: 'get', path: '/videos/:id', role: 'viewer', handle: showVideo },
  { method: 'get', path: '/videos/:id/export.:format', role: 'viewer', handle: exportVideo },
  { method: 'get', path: '/videos/:id/remove', role: 'operator', handle: askRemove },
  { method: 'post', path: '/videos/:id/remove', role: 'operator', handle: remove },
];

/** @throws {UseCaseError} `figures_busy`. */
export async function askRead(request: PageRequest): Promise<Question> {
  const campaign = request.query.get('campaign') || undefined;
  const { calls, left } = await countReading(request, campaign);
  const body = html`
    <p><b>At least ${count(calls, 'call')}, one for each video.</b> Calls stay within the rate limit. A failed call is retried.</p>
    <p>${leftOut(left) ?? 'Leaves out no video.'}</p>
    ${form(request, {
      path: '/videos/read',
      body: html`${campaign === undefined ? '' : html`<input type="hidden" name="campaign" value="${campaign}">`}
      <p class="actions">${wayBack(request, '/videos', 'Not now')} <button class="primary">Read ${count(calls, 'video')}</button></p>`,
    })}`;
  return { kind: 'question', title: `Read ${count(calls, 'video')} now?`, section: '/videos', body };
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
  return `Leaves out ${count(left, 'video')}: the service has answered too often that ${left === 1 ? 'it is' : 'they are'} gone.`;
}

/** @throws {UseCaseError} `no_videos`, `figures_busy`. */
export async function readNow(request: PageRequest): Promise<Redirect> {
  const { runtime, form: fields, zone, now } = request;
  const campaign = fields.get('campaign') || undefined;
  const { calls, left } = await countReading(request, campaign);
  const { scrape, isNew, hasWorkers } = await startScrape(runtime, campaign);
  const to = '/videos#reading';
  const idle = hasWorkers
    ? undefined
    : `No running worker can read them. ${cureOnPage([hint('startWorker')])}`;
  const more = [leftOut(left), idle].filter(Boolean).join(' ') || undefined;
  if (!isNew) {
    const text = `Nothing was started: a reading has been running since ${moment(scrape.startedAt, zone, now)}.`;
    return { kind: 'redirect', to, notice: { state: 'warning', text, more: idle } };
  }
  const text = `Reading ${count(calls, 'video')}.`;
  return { kind: 'redirect', to, notice: { state: hasWorkers ? 'running' : 'warning', text, more } };
}

/** @throws {UseCaseError} `schedule_invalid`. */
export async function setTimes({ runtime, form: fields }: PageRequest): Promise<Redirect> {
  const to = '/videos#reading';
  if (fields.has('off')) {
    const was = await removeSchedule(runtime);
    const text = was ? 'The schedule is switched off.' : 'Nothing was scheduled.';
    return { kind: 'redirect', to, notice: { state: 'done', text } };
  }
  const pattern = fields.get('cron')?.trim() || undefined;
  const tz = fields.get('tz')?.trim() || undefined;
  await setSchedule(runtime, { pattern, tz });
  const { schedule } = await showSchedule(runtime);
  const text = schedule
    ? `Videos are read by schedule ${schedule.pattern} in ${schedule.tz}.`
    : 'Nothing is scheduled.';
  return { kind: 'redirect', to, notice: { state: 'done', text } };
}

/** @throws {UseCaseError} `video_not_found`. */
export async function askRemove(request: PageRequest): Promise<Question> {
  const { id, facts, summary } = await findVideo(request.runtime, request.params.id ?? '');
  const samples = summary?.samples ?? 0;
  const many = count(samples, 'sample');
  const kept =
    samples === 0
      ? 'It has no samples.'
      : html`Its ${many} ${samples === 1 ? 'is' : 'are'} deleted. This cannot be undone. <a href="${request.link(`/videos/${id}/export.xlsx`)}">Export the samples first</a>`;
  const body = html`
    <p><code>${withoutScheme(facts.url)}</code></p>
    <p>Its figures are no longer read. ${kept}</p>
    <p>The post stays as it is.</p>
    ${form(request, {
      path: `/videos/${id}/remove`,
      body: html`<p><label><input type="checkbox" name="sure" value="yes" required> Yes, stop watching this video</label></p>
      <p class="actions">${wayBack(request, `/videos/${id}`, 'Keep it')} <button class="primary danger">Remove${samples === 0 ? ' this video' : `, with ${many}`}</button></p>`,
    })}`;
  return { kind: 'question', title: 'Remove this video from the watch list?', section: '/videos', body };
}

/** @throws {UseCaseError} `video_not_found`. */
export async function remove(request: PageRequest): Promise<Redirect | Question> {
  if (request.form.get('sure') !== 'yes') return askRemove(request);
  const url = await removeVideo(request.runtime, request.params.id ?? '');
  const text = 'The video is removed from the watch list.';
  return { kind: 'redirect', to: '/videos', notice: { state: 'done', text, more: withoutScheme(url) } };
}
