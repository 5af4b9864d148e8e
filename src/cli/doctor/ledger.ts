/** Examines Redis: its durability, the workers, paused queues, and campaigns that need a person. */

import { findForgotten } from '../../app/campaigns/journal.ts';
import { describeDue, findDue } from '../../app/campaigns/post-status.ts';
import {
  describeLeftJobs,
  describeLostJobs,
  describePausedQueues,
  describeSilence,
  describeWrongClock,
} from '../../app/campaigns/progress/notes.ts';
import { readPeriodicJobs } from '../../app/campaigns/queues.ts';
import { commandLine } from '../../app/runtime/command-line.ts';
import { documentPlace } from '../../app/runtime/package.ts';
import { refusalOf } from '../../app/runtime/redis.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { measureClock } from '../../app/runtime/workers.ts';
import { describeClock, describeDuration, few, plural } from '../../manifest/wording.ts';
import { toleratedMs } from '../../platform/redis/clock.ts';
import { parseInfo, replicasToAwait } from '../../platform/redis/durability.ts';
import { fixHere } from '../hints.ts';
import { type Findings, ok, problem, warning } from './machine.ts';

/** @param warnings messages from opening Redis: what a crash may lose. */
export async function* examineRedis({ redis, settings }: Runtime, warnings: readonly string[]): Findings {
  const version = parseInfo(await redis.connect('doctor').info('server')).get('redis_version') ?? '?';
  yield ok('redis', `Redis ${version}, ${redis.description}`);
  // Said once a day elsewhere, and always here.
  const { loss } = redis.durability;
  const { warning: gap } = replicasToAwait(redis, settings.redis.replicas);
  for (const text of new Set([...warnings, loss, gap])) {
    if (text !== undefined) yield warning('redis-durability', text, `See ${documentPlace('redis.md')}`);
  }
}

/** Without writes nothing can be sent: also no permit can be taken to call the service. Nobody knows which workers live. */
export async function* examineWrites({ ledger }: Runtime): Findings {
  const refusal = refusalOf(await ledger.findRefusal());
  if (refusal === undefined) return;
  const text = `Redis takes no writes: ${refusal.why}. Service and workers were not examined`;
  yield problem('redis-writes', text, refusal.fix);
}

/** The clock of this machine: workers with a wrong one take no jobs. */
export async function* examineOwnClock({ redis }: Runtime): Findings {
  const ahead = await measureClock(redis);
  const text = `the clock of this machine is ${describeClock(ahead)}: no worker starts here`;
  yield Math.abs(ahead) <= toleratedMs
    ? ok('redis-clock', 'the clock agrees with the clock of Redis')
    : problem('redis-clock', text, 'Correct the wrong clock, for example with NTP.');
}

/** Jobs that BullMQ should start again and again, as long as there is a worker for them. */
export async function* examinePeriodicJobs(runtime: Runtime): Findings {
  const { ledger, queues } = runtime;
  const [workers, paused] = await Promise.all([ledger.presence.workers(), queues.paused()]);
  const fix = 'If it does not run within a minute, see the log of the workers, and restart them.';
  for (const { name, forMs, isMissing } of await readPeriodicJobs(runtime, workers, paused)) {
    const long = describeDuration(forMs);
    if (isMissing) yield problem(name, `the periodic job ${name} has not run for ${long}`, fix);
    else yield ok(name, `the periodic job ${name} ran ${long} ago`);
  }
}

export async function* examineWorkers(runtime: Runtime): Findings {
  const { ledger } = runtime;
  const [workers, campaigns] = await Promise.all([ledger.presence.workers(), ledger.campaigns.list()]);
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  const waiting: string[] = [];
  // Of rows that are due later, `campaigns run` would end at once.
  let isWork = false;
  for (const campaign of campaigns.filter(({ state }) => state === 'running')) {
    const due = await findDue(runtime, campaign);
    const rows = describeDue(due);
    if (rows !== '') waiting.push(`${campaign.id} (${rows})`);
    if (due.waiting > 0 || (due.ready > 0 && due.isPast)) isWork = true;
  }
  const isMissed = alive === 0 && waiting.length > 0;
  if (isMissed) {
    const text = `no worker is alive, but rows need one: ${few(waiting)}`;
    const here = isWork ? '\nOr process them here:\n  campaigns run' : '';
    yield warning('workers', text, `Start one:\n  campaigns worker${here}`);
  } else
    yield ok(
      'workers',
      alive === 0 ? 'no worker is alive; `campaigns run` needs none' : `${plural(alive, 'worker')} alive`,
    );
  for (const worker of isMissed ? [] : workers) {
    const text = describeWrongClock(worker);
    if (text) yield warning('workers', text, 'Correct that clock, for example with NTP.');
  }
  for (const worker of workers) {
    if (!worker.isAlive) yield warning('workers', describeSilence(worker), describeLeftJobs(workers));
  }
}

export async function* examineQueues({ queues }: Runtime): Findings {
  const text = describePausedQueues(await queues.paused());
  const fix =
    'Resume them on the page Queues of the console, by the REST API, or on Bull Board:\n  campaigns serve';
  yield text === undefined ? ok('queues', 'no queue is paused') : warning('queues', text, fix);
}

/** Whether Redis has what this machine remembers, and no campaign is paused for a loss. */
export async function* examineJournal(runtime: Runtime): Findings {
  const campaigns = await runtime.ledger.campaigns.count();
  const forgotten = await findForgotten(runtime, campaigns);
  for (const { about, text, hints } of forgotten) {
    // What is sent after a loss would be paused at once; another Redis may be meant.
    yield about === 'lost'
      ? problem('journal', text, fixHere(hints))
      : warning('journal', text, 'Set REDIS_URL and CAMPAIGNS_PREFIX to those that you mean.');
  }
  if (forgotten.length > 0) return;
  const { position } = runtime.ledger.journal.seen;
  const known =
    position === 0
      ? 'this machine remembers no sent calls, so it cannot see a loss'
      : 'Redis has the records of all sent calls that this machine remembers';
  yield ok('journal', known);
}

/** Keys that another program has changed. */
export async function* examineKeys({ ledger }: Runtime): Findings {
  const ids = await ledger.campaigns.ids();
  const { unreadable } = await ledger.campaigns.survey();
  const damaged = await ledger.campaigns.damagedKeys(ids);
  for (const key of [...unreadable.map((campaign) => campaign.key), ...damaged]) {
    const text = `the key ${key} in Redis holds something else`;
    const fix = `Find out which program writes there, and give the runner its own Redis. Then restore the key from a backup: see ${documentPlace('backup.md')}`;
    yield problem('keys', text, fix);
  }
}

export async function* examineCampaigns({ ledger }: Runtime): Findings {
  const check = 'campaigns';
  const campaigns = await ledger.campaigns.list();
  let isWell = true;
  for (const [id, { rows }] of await ledger.stranded.lasting()) {
    const text = describeLostJobs(id, rows);
    if (text === undefined) continue;
    isWell = false;
    yield warning(check, text, 'Check that workers run, and that no one removes jobs.');
  }
  for (const { id, state, pauseReason, counts } of campaigns) {
    isWell &&= state !== 'paused' && counts.review === 0;
    if (state === 'paused') {
      const text = `${id} is paused: ${pauseReason?.message ?? ''}`;
      yield warning(check, text, commandLine('resume', { own: [id] }));
    }
    if (counts.review > 0) {
      const text = `${id} has ${plural(counts.review, 'row')} in review`;
      yield warning(check, text, commandLine('show', { own: [id] }));
    }
  }
  if (isWell) yield ok(check, `${plural(campaigns.length, 'campaign')}, none paused, no row in review`);
}
