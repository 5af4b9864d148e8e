/** Queues, workers, and who changed what. */
import { html } from 'hono/html';
import { type QueueStatus, servesAllQueues } from '../../../campaigns/queues.ts';
import type { LastChange } from '../../../ledger/last-changes.ts';
import type { WorkerPresence } from '../../../ledger/presence.ts';
import { describeClock, describeDuration, parseRate } from '../../../runtime/wording.ts';
import { startWorker } from '../../hints.ts';
import type { Html } from '../../html.ts';
import { form, mayChange } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { words } from '../../parts/language.ts';
import { clockWithSeconds, count, moment, number } from '../../parts/numbers/numbers.ts';
import { questionLink } from '../../parts/question.ts';
import { stateBadge } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { operationTitle, queueTitle, queueTitles } from './names.ts';
import { describeRate } from './rates.ts';

export function queuesTable(request: PageRequest, queues: readonly QueueStatus[]): Html {
  const order = Object.keys(queueTitles);
  const sorted = queues.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  return html`<div id="queues-table" class="scroller" role="group" aria-labelledby="queues" tabindex="0">
    <table>
      <thead><tr><th scope="col">Queue</th><th scope="col" class="n">At work</th><th scope="col" class="n">Wait</th><th scope="col" class="n">Oldest waits</th><th scope="col" class="n">Come back later</th><th scope="col" class="n">Failed</th><th scope="col" class="n">Done a minute</th><th scope="col"><span class="hidden">Pause</span></th></tr></thead>
      <tbody>${sorted.map((queue) => queueLine(request, queue))}</tbody>
    </table>
  </div>`;
}

function queueLine(request: PageRequest, queue: QueueStatus): Html {
  const { name, active, waiting, delayed, failed, doneInMinute, isPaused, oldestSince } = queue;
  const oldest =
    oldestSince === undefined ? none('none') : describeDuration(Math.max(0, request.now - oldestSince));
  return html`<tr>
    <th scope="row"><a href="${request.link(`/board/queue/${name}`)}">${queueTitle(name)}</a>${isPaused ? html` ${stateBadge('paused')}` : ''}</th>
    <td class="n">${figure(active)}</td><td class="n">${figure(waiting)}</td><td class="n">${oldest}</td><td class="n">${figure(delayed)}</td><td class="n">${figure(failed)}</td><td class="n">${figure(doneInMinute)}</td>
    <td class="n">${mayChange(request) ? turn(request, queue) : ''}</td>
  </tr>`;
}

function turn(request: PageRequest, { name, isPaused }: QueueStatus): Html {
  const title = queueTitle(name);
  if (!isPaused) {
    const label = html`Pause…<span class="hidden"> queue ${title}</span>`;
    return questionLink(request, `/queues/${name}/pause`, label, '');
  }
  return form(request, {
    path: `/queues/${name}/resume`,
    body: html`<button class="plain">Go on<span class="hidden"> with queue ${title}</span></button>`,
  });
}

function figure(value: number): Html | string {
  return value === 0 ? none('0') : number(value);
}

function none(text: string): Html {
  return html`<span class="none">${text}</span>`;
}

export function workersTable(request: PageRequest, workers: readonly WorkerPresence[]): Html {
  const body =
    workers.length === 0
      ? html`<p>No worker has given a sign of life for 10 minutes. ${startWorker}</p>`
      : html`<table>
      <thead><tr><th scope="col">Host</th><th scope="col">State</th><th scope="col" class="n">At work on</th><th scope="col">Queues</th><th scope="col" class="n">Process</th><th scope="col" class="n">Version</th><th scope="col" class="n">Since</th><th scope="col" class="n">Last heard</th></tr></thead>
      <tbody>${workers.map((worker) => workerLine(request, worker, workers))}</tbody>
    </table>`;
  return html`<div id="workers-table" class="scroller" role="group" aria-labelledby="workers" tabindex="0">${body}</div>`;
}

function workerLine(
  { now, zone }: PageRequest,
  worker: WorkerPresence,
  all: readonly WorkerPresence[],
): Html {
  const { host, pid, version, queues, since, isAlive, isRun, clockAheadMs } = worker;
  const state = isAlive
    ? clockAheadMs === undefined
      ? html`<span class="state" data-state="done">${icon('posted')} alive</span>`
      : html`<span class="state" data-state="warning">${icon('warning')} clock ${describeClock(clockAheadMs)}: takes no jobs</span>`
    : html`<span class="state" data-state="failed">${icon('warning')} silent</span>`;
  const named = servesAllQueues(worker) ? 'all' : queues.map(queueTitle).join(', ');
  return html`<tr><th scope="row"><code>${host}</code></th><td>${state}</td><td class="n">${jobsOf(worker, all)}</td><td>${named}${isRun ? html` <small>ends with its campaigns</small>` : ''}</td><td class="n">${pid}</td><td class="n">${version}</td><td class="n">${moment(since, zone, now)}</td><td class="n"><time>${clockWithSeconds(heardAt(worker, now), zone)}</time></td></tr>`;
}

/** The number of jobs at the last sign of life. Another worker takes over the jobs of a silent one within seconds. */
function jobsOf({ atWork, isAlive }: WorkerPresence, all: readonly WorkerPresence[]): string {
  if (atWork === undefined) return '';
  if (isAlive) return count(atWork, 'job');
  const others = all.some((other) => other.isAlive);
  const became = atWork === 1 ? ['was taken over', 'waits'] : ['were taken over', 'wait'];
  return `its ${count(atWork, 'job')} ${became[others ? 0 : 1]}`;
}

/** @param now Unix epoch, milliseconds. */
export function heardAt({ seenMsAgo }: WorkerPresence, now: number): number {
  return now - seenMsAgo;
}

export function changesSection({ now, zone }: PageRequest, changes: readonly LastChange[]): Html {
  if (changes.length === 0) return html``;
  return html`<section aria-labelledby="history">
    <div class="section"><h2 id="history">Who changed what</h2><p>The last change of each rate limit and queue</p></div>
    <div class="scroller" role="group" aria-labelledby="history" tabindex="0">
    <table>
      <thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">From</th><th scope="col">To</th><th scope="col">Why</th></tr></thead>
      <tbody>${changes.map(
        ({ subject, by, at, from, to, why }) =>
          html`<tr><td><time>${moment(at, zone, now)}</time></td><td>${words(by)}</td><th scope="row">${subjectOf(subject)}</th><td>${inWords(from)}</td><td>${inWords(to)}</td><td class="why">${words(why)}</td></tr>`,
      )}</tbody>
    </table>
    </div>
  </section>`;
}

/** Shows a rate as the rate limits above do; other texts stay as they are. */
function inWords(text: string): string {
  const perSecond = parseRate(text);
  return perSecond === undefined ? text : describeRate(perSecond);
}

function subjectOf(subject: LastChange['subject']): string {
  return subject.kind === 'queue'
    ? `Queue ${queueTitle(subject.queue)}`
    : `${operationTitle(subject.operation)}, account ${subject.account}`;
}
