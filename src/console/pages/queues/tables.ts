/** Queues, workers, and who changed what. */
import { mayDo } from '../../../app/access/roles.ts';
import { type QueueStatus, servesAllQueues } from '../../../app/campaigns/queues.ts';
import type { LastChange } from '../../../ledger/access/audit.ts';
import type { WorkerPresence } from '../../../ledger/presence.ts';
import { describeDuration, parseRate, plural, thousands } from '../../../manifest/wording.ts';
import { startWorker } from '../../hints.ts';
import { type Html, html, words } from '../../html.ts';
import { face, n, section, table } from '../../parts/blocks.ts';
import { form, questionLink } from '../../parts/form.ts';
import { clockWithSeconds, moment } from '../../parts/numbers.ts';
import { icon, stateBadge } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { describeRate, operationTitle, queueTitle, queueTitles } from './rate-limits.ts';

export function queuesTable(request: PageRequest, queues: readonly QueueStatus[]): Html {
  const order = Object.keys(queueTitles);
  const sorted = queues.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  return table({
    part: 'queues-table',
    of: 'queues',
    className: 'middle stacked',
    heads: ['Queue', ...counts.map(n), html`<th scope="col"><span class="hidden">Pause</span></th>`],
    lines: sorted.map((queue) => queueLine(request, queue)),
  });
}

const counts = ['Active', 'Waiting', 'Longest wait', 'Delayed', 'Failed', 'Done a minute'];

function queueLine(request: PageRequest, queue: QueueStatus): Html {
  const { name, active, waiting, delayed, failed, doneInMinute, isPaused, oldestSince } = queue;
  const oldest =
    oldestSince === undefined ? figure(0) : describeDuration(Math.max(0, request.now - oldestSince));
  return html`<tr>
    <th scope="row"><a href="${request.link(`/board/queue/${name}`)}">${queueTitle(name)}</a>${isPaused ? html` ${stateBadge('paused')}` : ''}</th>
    ${[figure(active), figure(waiting), oldest, figure(delayed), failed === 0 ? figure(0) : html`<span class="fault">${thousands(failed)}</span>`, figure(doneInMinute)].map((each, position) => html`<td class="n" data-head="${counts[position]}">${each}</td>`)}
    <td class="n corner">${mayDo(request, 'run') ? turn(request, queue) : ''}</td>
  </tr>`;
}

function turn(request: PageRequest, { name, isPaused }: QueueStatus): Html {
  const title = queueTitle(name);
  if (!isPaused) {
    const label = html`${icon('hold')}<span class="hidden">Pause… queue ${title}</span>`;
    return questionLink(request, `/queues/${name}/pause`, label, 'button plain');
  }
  return form(request, {
    path: `/queues/${name}/resume`,
    body: html`<button class="plain">${icon('play')}<span class="hidden">Resume queue ${title}</span></button>`,
  });
}

function figure(value: number): Html | string {
  return value === 0 ? html`<span class="none">–</span>` : thousands(value);
}

export function workersTable(request: PageRequest, workers: readonly WorkerPresence[]): Html {
  if (workers.length === 0) {
    return html`<div id="workers-table"><p>No worker has been alive in the last 10 minutes. ${startWorker}</p></div>`;
  }
  return html`<ul id="workers-table" class="card lines">${workers.map((worker) => workerLine(request, worker, workers))}</ul>`;
}

function workerLine(
  { now, zone }: PageRequest,
  worker: WorkerPresence,
  all: readonly WorkerPresence[],
): Html {
  const { host, pid, version, queues, since, isAlive, isRun } = worker;
  const state = isAlive
    ? stateBadge('done', 'alive')
    : html`<span class="state" data-state="failed">${icon('warning')} silent</span>`;
  const named = servesAllQueues(worker) ? 'all queues' : queues.map(queueTitle).join(', ');
  return html`<li>
    <div><b>${words(host)}</b> ${state}<small>${jobsOf(worker, all)} · ${named}${isRun ? ' · ends with its campaigns' : ''}</small></div>
    <div><small>process ${pid} since ${moment(since, zone, now)}, seen <time>${clockWithSeconds(heardAt(worker, now), zone)}</time></small><small>${version}</small></div></li>`;
}

/** The number of jobs at the last sign of life. Another worker takes over the jobs of a silent one within seconds. */
function jobsOf({ atWork, isAlive }: WorkerPresence, all: readonly WorkerPresence[]): string {
  if (atWork === undefined) return 'jobs unknown';
  if (isAlive) return atWork === 0 ? 'no jobs' : plural(atWork, 'job');
  const others = all.some((other) => other.isAlive);
  const became = atWork === 1 ? ['was taken over', 'waits'] : ['were taken over', 'wait'];
  return `its ${plural(atWork, 'job')} ${became[others ? 0 : 1]}`;
}

/** @param now Unix epoch, milliseconds. */
export function heardAt({ seenMsAgo }: WorkerPresence, now: number): number {
  return now - seenMsAgo;
}

export function changesSection({ now, zone }: PageRequest, changes: readonly LastChange[]): Html {
  if (changes.length === 0) return html``;
  const lines = changes.map(
    ({ subject, by, at, from, to, why }) =>
      html`<li>${face(by)}<div><b>${subjectOf(subject)}</b> from ${inWords(from)} to ${inWords(to)}<small>${words(by)}${why && html` · ${words(why)}`}</small></div><small><time>${moment(at, zone, now)}</time></small></li>`,
  );
  return section(
    { id: 'history', title: 'Who changed what', note: 'The last change of each' },
    html`<ul class="card lines">${lines}</ul>`,
  );
}

/** Shows a rate as the rate limits above do; other texts stay as they are. */
function inWords(text: string): string {
  const perSecond = parseRate(text);
  return perSecond === undefined ? text : describeRate(perSecond);
}

function subjectOf(subject: LastChange['subject']): string {
  return subject.kind === 'queue' ? `Queue ${queueTitle(subject.queue)}` : operationTitle(subject.operation);
}
