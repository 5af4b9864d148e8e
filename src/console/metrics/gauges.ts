/** Gauges for Prometheus, read from the ledger and Redis. Labels have few values: states, queues, operations. */

import { Gauge, Registry } from 'prom-client';
import { shownCounts } from '../../app/campaigns/find.ts';
import { type CampaignList, listCampaigns } from '../../app/campaigns/list.ts';
import { findDue } from '../../app/campaigns/post-status.ts';
import { readPeriodicJobs, readQueues } from '../../app/campaigns/queues.ts';
import { readRateLimits, usableOperations } from '../../app/campaigns/rate-limits.ts';
import { rowState } from '../../app/runtime/documents.ts';
import { readRedisFacts } from '../../app/runtime/redis.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { dueSince, showSchedule } from '../../app/videos/schedule.ts';

/** A Redis connection of its own, so that nothing else waits behind a slow reading. */
type Connection = ReturnType<Runtime['redis']['connect']>;

/** Reads all gauges once, into a new registry. */
export async function readGauges(
  runtime: Runtime,
  connection: Connection,
  isWritable: boolean,
): Promise<Registry> {
  const registry = new Registry();
  await Promise.all([
    readCampaigns(registry, runtime),
    readQueueGauges(registry, runtime),
    readRateLimitGauges(registry, runtime),
    readScrapes(registry, runtime),
    readRedis(registry, connection, isWritable),
  ]);
  return registry;
}

export function gaugesWithoutRedis(): Registry {
  const registry = new Registry();
  gauge(registry, 'campaigns_redis_up', 'Whether Redis answers.', 0);
  return registry;
}

type Labelled = readonly [labels: Readonly<Record<string, string>>, value: number];

/** @param values the one value, or one for each combination of labels; those that come twice are added up. */
function gauge(registry: Registry, name: string, help: string, values: number | readonly Labelled[]): void {
  const labelled: readonly Labelled[] = typeof values === 'number' ? [[{}, values]] : values;
  // Without labels, it would be shown as 0.
  if (labelled.length === 0) return;
  const labelNames = [...new Set(labelled.flatMap(([labels]) => Object.keys(labels)))];
  const made = new Gauge({ name, help, labelNames, registers: [registry] });
  for (const [labels, value] of labelled) made.inc({ ...labels }, value);
}

function by(label: string, values: Readonly<Record<string, number>>): readonly Labelled[] {
  return Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);
}

async function readCampaigns(registry: Registry, runtime: Runtime): Promise<void> {
  const { campaigns, ...seen } = await listCampaigns(runtime);
  const rows = campaigns.flatMap((campaign) => by('state', shownCounts(campaign)));
  const none = rowState.options.map((state): Labelled => [{ state }, 0]);
  gauge(registry, 'campaigns_rows', 'Rows of all campaigns, by state.', [...none, ...rows]);
  const states = campaigns.map(({ state }): Labelled => [{ state }, 1]);
  gauge(registry, 'campaigns_campaigns', 'Campaigns, by state.', [
    ...by('state', { running: 0, paused: 0, cancelling: 0, ended: 0 }),
    ...states,
  ]);
  const paused = campaigns.filter(({ state }) => state === 'paused');
  gauge(
    registry,
    'campaigns_campaigns_paused',
    'Paused campaigns, by reason: by hand (paused), by a rule, or another one.',
    [
      ...[...pauseReasons, 'other'].map((reason): Labelled => [{ reason }, 0]),
      ...paused.map(({ pauseReason }): Labelled => [{ reason: reasonLabel(pauseReason?.code) }, 1]),
    ],
  );
  const underWay = campaigns.filter(({ state }) => state === 'running' || state === 'cancelling');
  const due = await Promise.all(underWay.map((campaign) => findDue(runtime, campaign)));
  gauge(
    registry,
    'campaigns_rows_due',
    'Rows that need a worker at once, or within a day.',
    due.reduce((sum, { waiting: some, ready }) => sum + some + ready, 0),
  );
  const waiting = campaigns.reduce((sum, { counts }) => sum + counts.review, 0);
  gauge(registry, 'campaigns_review_waiting', 'Rows that wait for the decision of a person.', waiting);
  const stranded = [...(await runtime.ledger.stranded.lasting()).values()];
  const without = stranded.reduce((sum, { rows: some }) => sum + some, 0);
  gauge(registry, 'campaigns_rows_without_jobs', 'Running rows that have no live job.', without);
  // Without heartbeats nobody knows.
  if (seen.redisRefuses === undefined) await readWorkerGauges(registry, runtime, seen);
}

async function readWorkerGauges(
  registry: Registry,
  runtime: Runtime,
  { workers, pausedQueues }: Pick<CampaignList, 'workers' | 'pausedQueues'>,
): Promise<void> {
  const alive = workers.filter(({ isAlive }) => isAlive);
  const wrong = alive.filter(({ clockAheadMs }) => clockAheadMs !== undefined);
  const states = { alive: alive.length, silent: workers.length - alive.length, wrong_clock: wrong.length };
  gauge(registry, 'campaigns_workers', 'Workers, by whether they are alive.', by('state', states));
  const periodic = await readPeriodicJobs(runtime, workers, pausedQueues);
  gauge(
    registry,
    'campaigns_periodic_missing',
    'Periodic jobs (rescuer, records, outbox) that have not run for three periods, although workers are alive.',
    periodic.filter(({ isMissing }) => isMissing).length,
  );
  const rescuer = periodic.find(({ name }) => name === 'rescuer');
  const age = (rescuer?.forMs ?? 0) / 1000;
  const help = 'How long ago the rescuer ran; 0 while no worker would run it.';
  gauge(registry, 'campaigns_keeper_age_seconds', help, age);
}

/** Redis is open to others: a code that the runner does not know must not become a label. */
const pauseReasons = [
  'paused',
  'canary',
  'key_refused',
  'refused_for_everyone',
  'throttled',
  'stop_after',
  'journal_behind',
];

function reasonLabel(code: string | undefined): string {
  return code !== undefined && pauseReasons.includes(code) ? code : 'other';
}

async function readQueueGauges(registry: Registry, runtime: Runtime): Promise<void> {
  const loads = await readQueues(runtime);
  const jobs = loads.flatMap(({ name: queue, active, waiting, delayed, failed }) =>
    by('state', { active, waiting, delayed, failed }).map(
      ([state, many]): Labelled => [{ queue, ...state }, many],
    ),
  );
  gauge(registry, 'campaigns_queue_jobs', 'Jobs, by queue and state.', jobs);
  const ageOf = (since: number | undefined) =>
    since === undefined ? 0 : Math.max(0, runtime.now() - since) / 1000;
  gauge(
    registry,
    'campaigns_queue_oldest_seconds',
    'How long the oldest waiting job has waited; 0 without one.',
    loads.map(({ name, oldestSince }) => [{ queue: name }, ageOf(oldestSince)]),
  );
  gauge(
    registry,
    'campaigns_queue_paused',
    'Whether a queue is paused.',
    loads.map(({ name, isPaused }) => [{ queue: name }, isPaused ? 1 : 0]),
  );
}

async function readRateLimitGauges(registry: Registry, runtime: Runtime): Promise<void> {
  const allowed: Labelled[] = [];
  const used: Labelled[] = [];
  for (const { operation, rateLimit, share, usedPerSecond } of await readRateLimits(
    runtime,
    usableOperations(runtime),
  )) {
    allowed.push([{ operation }, rateLimit.perSecond * share]);
    used.push([{ operation }, usedPerSecond]);
  }
  const ofLimit = 'Calls per second that the rate limit of an operation allows now.';
  gauge(registry, 'campaigns_rate_limit_calls_per_second', ofLimit, allowed);
  const ofUse = 'Calls of an operation over the last minute.';
  gauge(registry, 'campaigns_rate_limit_used_per_second', ofUse, used);
}

async function readScrapes(registry: Registry, runtime: Runtime): Promise<void> {
  const shown = await showSchedule(runtime);
  const { scrapes } = shown;
  const isRunning = scrapes.some(({ state }) => state === 'running');
  gauge(
    registry,
    'campaigns_scrape_running',
    'Whether the figures of videos are being updated.',
    isRunning ? 1 : 0,
  );
  const due = dueSince(shown);
  if (due !== undefined) {
    const help = 'When the oldest unfinished update of videos was due; without one, when the next is due.';
    gauge(registry, 'campaigns_scrape_due_timestamp_seconds', help, due / 1000);
  }
  const last = scrapes.find(({ state }) => state !== 'running');
  if (!last) return;
  const { startedAt, endedAt = startedAt, done, failed, gone, skipped } = last;
  const ended = 'When the last update of videos ended.';
  gauge(registry, 'campaigns_scrape_ended_timestamp_seconds', ended, endedAt / 1000);
  const took = 'How long the last update of videos took.';
  gauge(registry, 'campaigns_scrape_duration_seconds', took, (endedAt - startedAt) / 1000);
  const outcomes = by('outcome', { done, failed, gone, skipped });
  gauge(registry, 'campaigns_scrape_videos', 'Videos of the last update, by outcome.', outcomes);
}

async function readRedis(registry: Registry, connection: Connection, isWritable: boolean): Promise<void> {
  const { usedBytes, maxBytes, clients, isDiskWell } = await readRedisFacts(connection);
  gauge(registry, 'campaigns_redis_up', 'Whether Redis answers.', 1);
  const writable = 'Whether Redis takes writes; missing while it does not answer.';
  gauge(registry, 'campaigns_redis_writable', writable, isWritable ? 1 : 0);
  gauge(registry, 'campaigns_redis_memory_bytes', 'Memory that Redis uses.', usedBytes);
  const most = 'Memory that Redis may use; 0: no limit.';
  gauge(registry, 'campaigns_redis_memory_max_bytes', most, maxBytes);
  gauge(registry, 'campaigns_redis_clients', 'Connections to Redis.', clients);
  const well = 'Whether the last write of Redis to disk succeeded.';
  gauge(registry, 'campaigns_redis_disk_well', well, isDiskWell ? 1 : 0);
}
