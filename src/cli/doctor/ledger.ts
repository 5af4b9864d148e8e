/** Examines Redis: its durability, the workers, paused queues, and campaigns that need a person. */

import {
  describeLostJobs,
  describePausedQueues,
  describeSilence,
  describeWrongClock,
} from '../../campaigns/progress/notes.ts';
import { readPeriodicJobs } from '../../campaigns/queues.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { toleratedMs } from '../../redis/clock.ts';
import { parseInfo, replicasToAwait } from '../../redis/durability.ts';
import { refusalOf } from '../../runtime/redis.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { describeClock, describeDuration, plural } from '../../runtime/wording.ts';
import { measureClock } from '../../runtime/workers.ts';
import { type Finding, ok, problem, warning } from './machine.ts';

/** @param warnings messages from opening Redis: what a crash may lose. */
export async function examineRedis(
  { redis, settings }: Runtime,
  warnings: readonly string[],
): Promise<readonly Finding[]> {
  const version = parseInfo(await redis.connect('doctor').info('server')).get('redis_version') ?? '?';
  const found = ok('redis', `Redis ${version}, ${redis.description}`);
  const cure = 'See docs/redis.md.';
  // Said once a day elsewhere, and always here.
  const { loss } = redis.durability;
  const { warning: gap } = replicasToAwait(redis, settings.redis.replicas);
  const texts = new Set([...warnings, ...[loss, gap].filter((text) => text !== undefined)]);
  return [found, ...[...texts].map((text) => warning('redis-durability', text, cure))];
}

/**
 * Without writes nothing can be sent: also no permit can be taken to call the service. Nobody knows which workers live.
 * @returns undefined if Redis takes writes.
 */
export async function examineWrites({ ledger }: Runtime): Promise<Finding | undefined> {
  const refusal = refusalOf(await ledger.findRefusal());
  if (refusal === undefined) return undefined;
  const text = `Redis takes no writes: ${refusal.why}. Service and workers were not examined`;
  return problem('redis-writes', text, refusal.cure);
}

/** The clock of this machine: workers with a wrong one take no jobs. */
export async function examineOwnClock({ redis }: Runtime): Promise<Finding> {
  const ahead = await measureClock(redis);
  if (Math.abs(ahead) <= toleratedMs) return ok('redis-clock', 'the clock agrees with the clock of Redis');
  const text = `the clock of this machine is ${describeClock(ahead)}: no worker starts here`;
  return problem('redis-clock', text, 'Correct the wrong clock, for example with NTP.');
}

/** Jobs that BullMQ should start again and again, as long as there is a worker for them. */
export async function examinePeriodicJobs(runtime: Runtime): Promise<readonly Finding[]> {
  const { ledger, queues } = runtime;
  const [workers, paused] = await Promise.all([ledger.presence.workers(), queues.paused()]);
  const jobs = await readPeriodicJobs(runtime, workers, paused);
  return jobs.map(({ name, forMs, isMissing }) => {
    const long = describeDuration(forMs);
    const text = `the periodic job ${name} ${isMissing ? `has not run for ${long}` : `ran ${long} ago`}`;
    const cure =
      'Workers schedule it anew within a minute. If it stays away, restart them, and see their log.';
    return isMissing ? problem(name, text, cure) : ok(name, text);
  });
}

export async function examineWorkers({ ledger }: Runtime): Promise<readonly Finding[]> {
  const [workers, campaigns] = await Promise.all([ledger.presence.workers(), ledger.campaigns.list()]);
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  const silent = workers
    .filter(({ isAlive }) => !isAlive)
    .map((worker) =>
      warning('workers', describeSilence(worker), 'Check that machine. Other workers take over its jobs.'),
    );
  const wrong = workers.flatMap((worker) => {
    const text = describeWrongClock(worker);
    return text === undefined ? [] : [warning('workers', text, 'Correct that clock, for example with NTP.')];
  });
  const waiting = campaigns.filter(({ state }) => state === 'running').map(({ id }) => id);
  if (alive > 0 || waiting.length === 0)
    return [ok('workers', `${plural(alive, 'worker')} alive`), ...wrong, ...silent];
  const text = `rows wait in ${waiting.join(', ')}, but no worker is alive`;
  return [
    warning('workers', text, 'Start one:\n  campaigns worker\nOr go on in this process:\n  campaigns run'),
    ...silent,
  ];
}

export async function examineQueues({ queues }: Runtime): Promise<Finding> {
  const text = describePausedQueues(await queues.paused());
  if (text === undefined) return ok('queues', 'no queue is paused');
  return warning(
    'queues',
    text,
    'Resume them on the page Queues of the console, by the REST API, or on Bull Board:\n  campaigns serve',
  );
}

export async function examineCampaigns({ ledger }: Runtime): Promise<readonly Finding[]> {
  const { campaigns, unreadable } = await ledger.campaigns.readAll();
  const damaged = [
    ...unreadable.map(({ id, reason }) =>
      warning(
        'campaigns',
        `${id} is damaged in Redis: ${reason}`,
        'Its rows wait. Restore Redis from a backup: see docs/backup.md.',
      ),
    ),
    ...(await findAside(ledger, campaigns)),
    ...[...(await ledger.stranded.told())].flatMap(([id, { rows }]) => {
      const text = describeLostJobs(id, rows);
      return text === undefined
        ? []
        : [warning('campaigns', text, 'Check that workers run, and that nobody removes jobs.')];
    }),
  ];
  const findings = campaigns.flatMap(({ id, state, pauseReason, counts }) => [
    ...(state === 'paused'
      ? [warning('campaigns', `${id} is paused: ${pauseReason?.message ?? ''}`, `campaigns resume ${id}`)]
      : []),
    ...(counts.review > 0
      ? [warning('campaigns', `${id} has ${plural(counts.review, 'row')} in review`, `campaigns show ${id}`)]
      : []),
  ]);
  return findings.length + damaged.length > 0
    ? [...damaged, ...findings]
    : [ok('campaigns', `${plural(campaigns.length, 'campaign')}, none paused, no row in review`)];
}

/** Keys that another program had overwritten. */
async function findAside(
  { damage }: Runtime['ledger'],
  campaigns: readonly Campaign[],
): Promise<readonly Finding[]> {
  const found = campaigns.map(async ({ id }) => {
    const keys = [...(await damage.movedAside(id)).keys()];
    if (keys.length === 0) return [];
    const shown = keys.slice(0, mostKeys).join(', ');
    const more = keys.length > mostKeys ? ', ...' : '';
    const text = `${id} had data of a wrong type in Redis. It was moved aside: ${shown}${more}`;
    return [
      warning('campaigns', text, 'Find out which program writes there. Give the runner a Redis of its own.'),
    ];
  });
  return (await Promise.all(found)).flat();
}

const mostKeys = 5;
