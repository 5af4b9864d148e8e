/** Updates of the videos: the head of `/videos` with the time of its figures, the schedule, and the last scrapes with their failures. */

import { mayDo } from '../../../app/access/roles.ts';
import type { Overview, OverviewQuery } from '../../../app/videos/overview.ts';
import type { AvailableOverview } from '../../../app/videos/overview-reader.ts';
import {
  cronInWords,
  doubtOfSchedule,
  type ScheduleStatus,
  showSchedule,
  timeOfNightly,
  usualTime,
} from '../../../app/videos/schedule.ts';
import { readScrapeCauses } from '../../../app/videos/scrape.ts';
import { daysOf } from '../../../app/videos/spans.ts';
import type { Scrape, ScrapeCause } from '../../../ledger/videos/scrapes.ts';
import { describeDuration, plural, thousands } from '../../../manifest/wording.ts';
import type { Cron } from '../../../queues/scrape.ts';
import { startWorker } from '../../hints.ts';
import { type Html, html, words } from '../../html.ts';
import { n, section, table } from '../../parts/blocks.ts';
import { form, options, questionLink, select, zoneChoices } from '../../parts/form.ts';
import { clockWithSeconds, isoDay, isZone, moment } from '../../parts/numbers.ts';
import { icon, stateBadge } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { filtersOf } from './table.ts';

/** Asks which videos to add. */
export function addVideosLink(request: PageRequest, className = 'button'): Html | string {
  if (!mayDo(request, 'run')) return '';
  return questionLink(request, '/videos/import', html`${icon('plus')}Add videos…`, className);
}

/** @param size videos on the list. */
export function head(
  request: PageRequest,
  query: OverviewQuery,
  {
    shown,
    size,
    updates,
  }: { readonly shown: AvailableOverview; readonly size: number; readonly updates: UpdateStatus },
): Html {
  const { link, zone, runtime } = request;
  const { span, campaign } = query;
  const { overview } = shown;
  const { starts } = daysOf(span, zone, runtime.now());
  const first = (starts[0] ?? 0) * 1000;
  const since = isoDay(first, zone);
  // With its offset: a day alone would begin in the zone of the settings.
  const fields = new URLSearchParams({ since: new Date(first).toISOString(), ...filtersOf(query) });
  return html`<div class="head" id="videos-head">
    <div>
      <h1>Videos</h1>
      <p class="about">${thousands(size)} on the watch list${overview === undefined ? '' : asOf(request, shown, overview)} · ${updateLine(request, updates)}</p>
    </div>
    <div class="actions">
      ${size > 0 && addVideosLink(request)}
      ${
        size === 0
          ? ''
          : html`<a class="button" href="${link(`/videos/report?${new URLSearchParams({ since, ...filtersOf({ ...query, state: undefined }) })}`)}">Report</a>
      <details class="menu"><summary class="button">More…</summary><ul>
        ${mayDo(request, 'run') ? updateItem(request, campaign, overview) : ''}
        <li><a href="${link(`/videos/export.xlsx?${fields}`)}" download>Export the snapshots of ${plural(span, 'day')}</a></li>
      </ul></details>`
      }
    </div>
  </div>`;
}

function asOf({ zone, now }: PageRequest, { isCurrent, isBusy }: AvailableOverview, { at }: Overview): Html {
  const when = isoDay(at, zone) === isoDay(now, zone) ? clockWithSeconds(at, zone) : moment(at, zone, now);
  const newer = isCurrent ? '' : isBusy ? ' · newer ones load after others' : ' · newer ones are loading';
  return html` · figures as of ${when}${newer}`;
}

function updateItem(
  request: PageRequest,
  campaign: string | undefined,
  overview: Overview | undefined,
): Html | string {
  const only = campaign === undefined ? '' : `?${new URLSearchParams({ campaign })}`;
  const list = overview?.list;
  const calls = campaign === undefined ? list?.calls : (list?.callsByCampaign.get(campaign) ?? 0);
  if (calls === 0) return '';
  return html`<li>${questionLink(request, `/videos/read${only}`, 'Update now…', '')}</li>`;
}

export function updateLine(request: PageRequest, updates: UpdateStatus): Html {
  return html`<span id="videos-read">${scrapeWords(request, updates)}</span>`;
}

export interface UpdateStatus extends ScheduleStatus {
  /** By the number of the scrape. */
  readonly causes: ReadonlyMap<number, readonly ScrapeCause[]>;
  readonly refused?: RefusedSchedule | undefined;
}

export async function readUpdates({ runtime }: PageRequest): Promise<UpdateStatus> {
  const shown = await showSchedule(runtime);
  return { ...shown, causes: await readScrapeCauses(runtime, shown.scrapes) };
}

/** `last updated Tue 9 Mar, 02:00 (6 gone, 2 failed) · next Wed 10 Mar, 02:00`. */
export function scrapeWords({ zone, now }: PageRequest, { scrapes, schedule }: UpdateStatus): string {
  const [last] = scrapes;
  const next = schedule?.next === undefined ? 'no schedule' : `next ${moment(schedule.next, zone, now)}`;
  if (!last) return `never updated · ${next}`;
  if (last.state === 'running') {
    const looked = last.done + last.failed + last.gone + last.skipped;
    return `updating since ${moment(last.startedAt, zone, now)}: ${thousands(looked)} of ${thousands(last.total)} · ${next}`;
  }
  return `last updated ${moment(last.startedAt, zone, now)}${lossOf(last)} · ${next}`;
}

function lossOf({ gone, failed }: Scrape): string {
  const lost = [gone > 0 && `${thousands(gone)} gone`, failed > 0 && `${thousands(failed)} failed`].filter(
    Boolean,
  );
  return lost.length === 0 ? '' : ` (${lost.join(', ')})`;
}

/** The schedule; the last updates behind it, open if the newest has something to say. */
export function updatesSection(request: PageRequest, updates: UpdateStatus): Html {
  const { scrapes, causes } = updates;
  const [last] = scrapes;
  const isTold = last !== undefined && (last.reason !== undefined || (causes.get(last.run)?.length ?? 0) > 0);
  const past =
    last === undefined
      ? html`<p class="note">No updates yet.</p>`
      : html`<details${isTold && html` open`}><summary>${scrapes.length === 1 ? 'The last update' : `The last ${thousands(scrapes.length)} updates`}</summary>${scrapesTable(request, updates)}</details>`;
  return section(
    { part: 'videos-reading', id: 'reading', title: 'Updates' },
    html`${scheduleForm(request, updates)}${past}`,
  );
}

export interface RefusedSchedule {
  readonly typed: URLSearchParams;
  /** Name of the wrong field. */
  readonly field: 'at' | 'cron' | 'tz';
  readonly said: Html;
}

function scheduleForm(request: PageRequest, { schedule, hasWorkers, refused }: UpdateStatus): Html {
  const { zone, now } = request;
  const worker = hasWorkers ? '' : html` <b>No running worker can update them.</b> ${startWorker}`;
  const due = schedule?.next === undefined ? '' : ` Next: ${moment(schedule.next, zone, now)}.`;
  const nightly = schedule && timeOfNightly(schedule.pattern);
  const what = schedule
    ? html`<p>Updated ${scheduleWords(schedule)}.${due}${worker} ${doubtOfSchedule(schedule) ?? ''}</p>`
    : html`<p>No updates are scheduled.${worker}</p>`;
  if (!mayDo(request, 'run')) return html`${what}<p>An operator can change the schedule.</p>`;
  const isCron = refused?.typed.has('cron') === true;
  const typed = (name: string, isOfCron: boolean) =>
    refused !== undefined && isCron === isOfCron ? (refused.typed.get(name) ?? undefined) : undefined;
  const [usual, used] = [schedule?.tz ?? zone, typed('tz', false)];
  const tz = used !== undefined && isZone(used) ? used : usual;
  const cronZone = typed('tz', true) ?? usual;
  const mark = (field: RefusedSchedule['field'], isOfCron: boolean) =>
    refused?.field === field && isCron === isOfCron
      ? html` aria-invalid="true" aria-describedby="schedule-fault" autofocus`
      : '';
  const why = (isOfCron: boolean) =>
    refused !== undefined && isCron === isOfCron
      ? html`<p id="schedule-fault" role="alert">${refused.said}</p>`
      : '';
  return html`${what}
    ${form(request, {
      path: '/videos/schedule',
      className: 'filters',
      body: html`<label>Every night at<input type="time" name="at" value="${typed('at', false) ?? nightly ?? usualTime}" required${mark('at', false)}></label>
      ${select('In the time zone', 'tz', zoneChoices(tz), tz)}
      <button>${schedule ? 'Change the schedule' : 'Update every night'}</button>
      ${schedule ? html`<button name="off" value="1" formnovalidate>Switch it off</button>` : ''}
      ${why(false)}`,
    })}
    <details${isCron ? html` open` : ''}><summary>Advanced: cron</summary>
    ${form(request, {
      path: '/videos/schedule',
      className: 'filters',
      body: html`<label>Minute, hour, day, month, weekday<input name="cron" value="${typed('cron', true) ?? schedule?.pattern ?? ''}" required maxlength="100" placeholder="0 2 * * *"${mark('cron', true)}></label>
      <label>In the time zone <select name="tz"${mark('tz', true)}>${options(zoneChoices(cronZone), cronZone)}</select></label>
      <button>Update on this schedule</button>
      ${why(true)}`,
    })}</details>`;
}

/** The pattern itself is in the title. */
function scheduleWords({ pattern, tz }: Cron): Html {
  const said = cronInWords({ pattern, tz });
  if (said === undefined) return html`by the schedule <code>${pattern}</code> (${tz})`;
  return html`<span title="${pattern}">${said}</span>`;
}

function scrapesTable(request: PageRequest, { scrapes, causes }: UpdateStatus): Html {
  const counts = ['Videos', 'Updated', 'Gone', 'Failed', 'Not requested', 'Took'].map(n);
  return table({
    of: 'reading',
    heads: ['Started', 'State', 'Which', ...counts, 'What went wrong'],
    lines: scrapes.map((scrape) => scrapeLine(request, scrape, causes.get(scrape.run) ?? [])),
  });
}

function scrapeLine({ zone, now }: PageRequest, scrape: Scrape, causes: readonly ScrapeCause[]): Html {
  const { startedAt, endedAt, kind, campaign, total, done, gone, failed, skipped } = scrape;
  const which = `${campaign === undefined ? 'all' : `of ${campaign}`}, ${kind === 'manual' ? 'by hand' : 'by schedule'}`;
  const took = endedAt === undefined ? '' : describeDuration(endedAt - startedAt);
  return html`<tr><th scope="row">${moment(startedAt, zone, now)}</th><td>${badge(scrape)}</td><td>${which}</td>${[total, done, gone, failed, skipped].map((many) => html`<td class="n">${many === 0 ? html`<span class="none">0</span>` : thousands(many)}</td>`)}<td class="n">${took}</td><td class="why">${wrong(scrape, causes)}</td></tr>`;
}

function badge({ state, failed }: Scrape): Html {
  if (state === 'running') return stateBadge('running');
  if (state === 'stopped') return stateBadge('failed', 'stopped');
  return failed > 0 ? stateBadge('warning', 'ended') : stateBadge('done', 'ended');
}

/** Most causes in a line. If there are more, they usually have one common reason. */
const mostCauses = 5;

function wrong({ reason, overlaps }: Scrape, causes: readonly ScrapeCause[]): Html {
  const fixes = (fix: string | undefined) => (fix ? html` <small>${words(fix)}</small>` : '');
  return html`${reason ? html`<p>${words(reason.message)} <code>${reason.code}</code>${fixes(reason.fix)}</p>` : ''}${causes
    .slice(0, mostCauses)
    .map(
      ({ code, videos, message, fix }) =>
        html`<p>${plural(videos, 'video')}: ${words(message)} <code>${code}</code>${fixes(fix)}</p>`,
    )}${overlaps > 0 ? html`<p>${plural(overlaps, 'scheduled update')} skipped while this one was running.</p>` : ''}`;
}
