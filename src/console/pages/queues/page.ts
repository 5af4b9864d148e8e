/** `/queues`: rate limits, queues, workers, and who changed what. */
import { html } from 'hono/html';
import { readWorkers, type SeenWorkers } from '../../../campaigns/progress/reader.ts';
import { type QueueStatus, readLastChanges, readQueues } from '../../../campaigns/queues.ts';
import { readUsableRateLimits } from '../../../campaigns/rate-limits.ts';
import { nameOfAccount } from '../../../runtime/service/accounts.ts';
import type { Html } from '../../html.ts';
import type { LiveParts } from '../../live/hub.ts';
import { clock, clockWithSeconds, count, number } from '../../parts/numbers/numbers.ts';
import { notice } from '../../parts/points.ts';
import type { Page, PageRequest, Stream } from '../../request.ts';
import { liveRateLimits, type RateLimitsSeen, rateLimitsSection } from './rate-limits.ts';
import { changesSection, heardAt, queuesTable, workersTable } from './tables.ts';

interface Seen extends RateLimitsSeen, SeenWorkers {
  readonly queues: readonly QueueStatus[];
}

async function look({ runtime, query }: PageRequest): Promise<Seen> {
  const asked = query.get('account');
  const { names } = runtime.accounts;
  const account = nameOfAccount(runtime, asked ?? names[0]);
  const [rateLimits, queues, seen] = await Promise.all([
    readUsableRateLimits(runtime, { account }),
    readQueues(runtime),
    readWorkers(runtime),
  ]);
  return { account, accounts: names, rateLimits, queues, ...seen };
}

export async function showQueues(request: PageRequest): Promise<Page> {
  const [seen, changes] = await Promise.all([look(request), readLastChanges(request.runtime)]);
  const { link } = request;
  return {
    kind: 'page',
    title: 'Queues and limits',
    section: '/queues',
    stream: `/queues/events?${new URLSearchParams({ account: seen.account })}`,
    main: html`
      <div class="head">
        <div><h1>Queues and limits</h1>${about(seen)}</div>
        <div class="actions"><a class="button" href="${link('/board')}">Bull Board</a></div>
      </div>
      ${silent(request, seen)}
      ${rateLimitsSection(request, seen)}
      <section aria-labelledby="queues">
        <div class="section"><h2 id="queues">Queues</h2><p>Shared by all campaigns. To hold one campaign, pause the campaign.</p></div>
        ${queuesTable(request, seen.queues)}
      </section>
      <section aria-labelledby="workers">
        <div class="section"><h2 id="workers">Workers</h2></div>
        ${workersTable(request, seen.workers)}
      </section>
      ${changesSection(request, changes)}`,
  };
}

export function streamQueues(request: PageRequest): Stream {
  const { runtime, zone, person, csrf, query } = request;
  const read = async (): Promise<LiveParts> => {
    const seen = await look(request);
    const at = { ...request, now: runtime.now() };
    return {
      'queues-about': about(seen),
      'queues-silent': silent(at, seen),
      ...liveRateLimits(seen.rateLimits),
      'queues-table': queuesTable(at, seen.queues),
      'workers-table': workersTable(at, seen.workers),
    };
  };
  const key = `queues ${query.get('account')} ${zone} ${person.role} ${csrf}`;
  return { kind: 'stream', view: { key, read } };
}

function about({ queues, workers, redisRefuses }: Seen): Html {
  const sum = (what: 'active' | 'waiting' | 'delayed') => queues.reduce((all, queue) => all + queue[what], 0);
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  const gone = workers.length - alive;
  const known = `${count(alive, 'worker')} alive${gone === 0 ? '' : `, ${number(gone)} silent`}`;
  const who = redisRefuses === undefined ? known : 'unknown which workers are alive';
  const jobs = `${count(sum('active'), 'job')} at work, ${number(sum('waiting'))} ${sum('waiting') === 1 ? 'waits' : 'wait'}, ${number(sum('delayed'))} ${sum('delayed') === 1 ? 'comes' : 'come'} back later`;
  return html`<p class="about" id="queues-about">${who} · ${jobs}</p>`;
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
  const others = workers.length > gone.length;
  return html`<div id="queues-silent">${gone.map((worker) => {
    const heard = heardAt(worker, now);
    return notice({
      state: 'warning',
      text: `Worker ${worker.host}:${worker.pid} has been silent since ${clockWithSeconds(heard, zone)}.`,
      more: `${others ? 'The others take over its jobs; nothing is lost.' : 'Its jobs wait for another worker; nothing is lost.'} It is forgotten at ${clock(heard + forgottenMs, zone)} unless it comes back.`,
    });
  })}</div>`;
}
