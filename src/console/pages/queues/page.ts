/** `/queues`: queues, workers, rate limits, and who changed what. */

import { describeLeftJobs } from '../../../app/campaigns/progress/notes.ts';
import {
  type QueueStatus,
  readQueues,
  readWorkers,
  requireQueue,
  type SeenWorkers,
  setQueuePaused,
} from '../../../app/campaigns/queues.ts';
import {
  readRateLimits,
  requireOperation,
  type ShownRateLimit,
  usableOperations,
} from '../../../app/campaigns/rate-limits.ts';
import { limitOperations } from '../../../app/operations/limits.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { parseRate, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html } from '../../html.ts';
import { liveStream, notice, section } from '../../parts/blocks.ts';
import { asksFirst, type Change, done } from '../../parts/form.ts';
import { rateLimitsPath } from '../../parts/list.ts';
import { clock, clockWithSeconds } from '../../parts/numbers.ts';
import type { Page, PageRequest, Redirect, Route, Stream } from '../../request.ts';
import {
  describeRate,
  liveRateLimits,
  operationTitle,
  queueTitle,
  rateLimitsSection,
} from './rate-limits.ts';
import { changesSection, heardAt, queuesTable, workersTable } from './tables.ts';

interface QueuesPage extends SeenWorkers {
  readonly rateLimits: readonly ShownRateLimit[];
  readonly queues: readonly QueueStatus[];
}

async function look({ runtime }: PageRequest): Promise<QueuesPage> {
  const [rateLimits, queues, seen] = await Promise.all([
    readRateLimits(runtime, usableOperations(runtime)),
    readQueues(runtime),
    readWorkers(runtime),
  ]);
  return { rateLimits, queues, ...seen };
}

async function showQueues(request: PageRequest): Promise<Page> {
  const [seen, changes] = await Promise.all([look(request), request.runtime.ledger.lastChanges.all()]);
  const { link } = request;
  return {
    kind: 'page',
    title: 'Queues and limits',
    stream: '/queues/events',
    main: html`
      <div class="head">
        <div><h1>Queues and limits</h1>${about(seen)}</div>
        <div class="actions"><a class="button" href="${link('/board')}">Bull Board</a></div>
      </div>
      ${silent(request, seen)}
      <div class="two">
        ${section({ id: 'queues', title: 'Queues', note: 'Shared by all campaigns' }, queuesTable(request, seen.queues))}
        ${rateLimitsSection(request, seen.rateLimits)}
        ${section({ id: 'workers', title: 'Workers' }, workersTable(request, seen.workers))}
        ${changesSection(request, changes)}
      </div>`,
  };
}

function streamQueues(request: PageRequest): Stream {
  return liveStream(request, { key: 'queues', hasForms: true }, async (at) => {
    const seen = await look(at);
    return {
      'queues-about': about(seen),
      'queues-silent': silent(at, seen),
      ...liveRateLimits(seen.rateLimits),
      'queues-table': queuesTable(at, seen.queues),
      'workers-table': workersTable(at, seen.workers),
    };
  });
}

function about({ queues, workers, redisRefuses }: QueuesPage): Html {
  const jobs = (['active', 'waiting', 'delayed'] as const).flatMap((what) => {
    const many = queues.reduce((all, queue) => all + queue[what], 0);
    return many === 0 ? [] : [`${plural(many, 'job')} ${what}`];
  });
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  const gone = workers.length - alive;
  const known = `${plural(alive, 'worker')} alive${gone === 0 ? '' : `, ${thousands(gone)} silent`}`;
  const who = redisRefuses === undefined ? known : 'unknown which workers are alive';
  return html`<p class="about" id="queues-about">${who} · ${jobs.join(', ') || 'no jobs'}</p>`;
}

/** A worker is forgotten this long after its last sign of life, in milliseconds. */
const forgottenMs = 600_000;

function silent({ now, zone }: PageRequest, { workers, redisRefuses }: SeenWorkers): Html {
  if (redisRefuses !== undefined) {
    const text = `Redis takes no writes: ${redisRefuses}.`;
    const more = 'Nothing is sent until it does. It is unknown which workers are alive.';
    return html`<div id="queues-silent">${notice({ state: 'failed', text, more })}</div>`;
  }
  const gone = workers.filter(({ isAlive }) => !isAlive);
  return html`<div id="queues-silent">${gone.map((worker) => {
    const heard = heardAt(worker, now);
    return notice({
      state: 'warning',
      text: `Worker ${worker.host}:${worker.pid} has been silent since ${clockWithSeconds(heard, zone)}.`,
      more: `${describeLeftJobs(workers)} It is removed from this list at ${clock(heard + forgottenMs, zone)} unless it comes back.`,
    });
  })}</div>`;
}

const longestReason = 200;

/** @throws {UseCaseError} `operation_unknown`, `rate_invalid`. */
async function setRateLimit(request: PageRequest): Promise<Redirect> {
  const { params, form: fields } = request;
  const operation = params.operation ?? '';
  requireOperation(operation);
  const title = operationTitle(operation);
  if (fields.has('reset')) {
    await request.carryOut(limitOperations.resetRateLimit, { operation });
    return done(rateLimitsPath, `${title}: reset to the settings.`);
  }
  const written = `${fields.get('rate')?.trim()}/${fields.get('per')}`;
  const perSecond = parseRate(written);
  if (perSecond === undefined) {
    throw new UseCaseError('rate_invalid', `"${written}" is not a valid rate`, {
      fix: 'Write a number above 0, such as 20, and choose the unit.',
    });
  }
  await request.carryOut(limitOperations.changeRateLimit, { operation, perSecond });
  return done(rateLimitsPath, `${title}: ${describeRate(perSecond)}, in all workers until it is reset.`);
}

/** Pausing a queue holds all campaigns, so it asks first. */
const pause: Change = {
  right: 'run',
  path: '/queues/:name/pause',
  home: () => '/queues#queues',
  ask: async ({ runtime, params }) => {
    const name = requireQueue(params.name ?? '');
    const title = queueTitle(name);
    const { waiting = 0 } = await (await runtime.queues.queue(name)).getJobCounts('waiting');
    return {
      title: `Pause queue ${title}?`,
      text: html`<p><b>All campaigns will wait at this queue. It has ${waiting === 0 ? 'no jobs' : plural(waiting, 'job')} now.</b> Running jobs finish. To stop one campaign, pause it instead.</p>`,
      fields: html`<p><label>Why? Others can read it.<input name="why" maxlength="${longestReason}"></label></p>`,
      button: `Pause ${title}`,
    };
  },
  carryOut: async ({ runtime, params: { name = '' }, person, form: fields, record }) => {
    const why = fields.get('why')?.trim().slice(0, longestReason);
    const was = await setQueuePaused(runtime, requireQueue(name), true, { by: person.name, why });
    if (was) await record(limitOperations.pauseQueue, { name, why }, {});
    const text = `Queue ${queueTitle(name)} ${was ? 'is' : 'was already'} paused.`;
    return { state: 'paused', text, undo: { label: 'Resume', path: `/queues/${name}/resume` } };
  },
};

async function resume({ runtime, params: { name = '' }, person, record }: PageRequest): Promise<Redirect> {
  const was = await setQueuePaused(runtime, requireQueue(name), false, { by: person.name });
  if (was) await record(limitOperations.resumeQueue, { name }, {});
  return done('/queues#queues', `Queue ${queueTitle(name)} ${was ? 'is running again' : 'was not paused'}.`);
}

export const queuesRoutes: readonly Route[] = [
  { method: 'get', path: '/queues', right: 'see', handle: showQueues },
  { method: 'get', path: '/queues/events', right: 'see', handle: streamQueues },
  { method: 'post', path: '/queues/rate-limits/:operation', right: 'run', handle: setRateLimit },
  ...asksFirst(pause),
  { method: 'post', path: '/queues/:name/resume', right: 'run', handle: resume },
];
