/** Gauges for Prometheus, read from the ledger and Redis. Labels have few values: states, queues, operations. */
import { Gauge, Registry } from 'prom-client';
import { rowState } from '../../campaigns/documents/campaign.ts';
import { shownCounts } from '../../campaigns/find.ts';
import { type CampaignList, listCampaigns } from '../../campaigns/list.ts';
import { readPeriodicJobs, readQueues } from '../../campaigns/queues.ts';
import { readUsableRateLimits } from '../../campaigns/rate-limits.ts';
import { readRedisFacts } from '../../runtime/redis.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { dueSince, showSchedule } from '../../videos/scrape.ts';

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

/** The gauges that are known without Redis. */
export function gaugesWithoutRedis(): Registry {
  const registry = new Registry();
  gauge(registry, 'campaigns_redis_up', 'Whether Redis answers.').set(0);
  return registry;
}

function gauge<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Gauge<Label> {
  return new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
}

async function readCampaigns(registry: Registry, runtime: Runtime): Promise<void> {
  const { campaigns, ...seen } = await listCampaigns(runtime);
  const rows = gauge(registry, 'campaigns_rows', 'Rows of all campaigns, by state.', ['state']);
  for (const state of rowState.options) rows.set({ state }, 0);
  const states = gauge(registry, 'campaigns_campaigns', 'Campaigns, by state.', ['state']);
  for (const state of ['running', 'paused', 'cancelling', 'ended']) states.set({ state }, 0);
  for (const campaign of campaigns) {
    states.inc({ state: campaign.state });
    for (const [state, count] of Object.entries(shownCounts(campaign))) rows.inc({ state }, count);
  }
  const paused = gauge(
    registry,
    'campaigns_campaigns_paused',
    'Paused campaigns, by reason: by hand (paused), by a rule, or another one.',
    ['reason'],
  );
  for (const reason of [...pauseReasons, 'other']) paused.set({ reason }, 0);
  for (const { state, pauseReason } of campaigns) {
    if (state === 'paused') paused.inc({ reason: reasonLabel(pauseReason?.code) });
  }
  const waiting = campaigns.reduce((sum, { counts }) => sum + counts.review, 0);
  gauge(registry, 'campaigns_review_waiting', 'Rows that wait for the decision of a person.').set(waiting);
  const stranded = [...(await runtime.ledger.stranded.told()).values()];
  gauge(registry, 'campaigns_rows_without_jobs', 'Running rows that stay without a live job.').set(
    stranded.reduce((sum, { rows: some }) => sum + some, 0),
  );
  // Without heartbeats nobody knows.
  if (seen.redisRefuses === undefined) await readWorkerGauges(registry, runtime, seen);
}

async function readWorkerGauges(
  registry: Registry,
  runtime: Runtime,
  { workers, pausedQueues }: Pick<CampaignList, 'workers' | 'pausedQueues'>,
): Promise<void> {
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  const seen = gauge(registry, 'campaigns_workers', 'Workers, by whether they are alive.', ['state']);
  seen.set({ state: 'alive' }, alive);
  seen.set({ state: 'silent' }, workers.length - alive);
  const wrong = workers.filter(({ isAlive, clockAheadMs }) => isAlive && clockAheadMs !== undefined).length;
  seen.set({ state: 'wrong_clock' }, wrong);
  const periodic = await readPeriodicJobs(runtime, workers, pausedQueues);
  const missing = gauge(
    registry,
    'campaigns_periodic_missing',
    'Periodic jobs (rescuer, records, outbox) that have not run for three periods though workers live.',
  );
  missing.set(periodic.filter(({ isMissing }) => isMissing).length);
  const rescuer = periodic.find(({ name }) => name === 'rescuer');
  const age = gauge(
    registry,
    'campaigns_keeper_age_seconds',
    'How long ago the rescuer ran; 0 while no worker would run it.',
  );
  age.set((rescuer?.forMs ?? 0) / 1000);
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
  const jobs = gauge(registry, 'campaigns_queue_jobs', 'Jobs, by queue and state.', ['queue', 'state']);
  const oldest = gauge(
    registry,
    'campaigns_queue_oldest_seconds',
    'How long the oldest waiting job has waited; 0 without one.',
    ['queue'],
  );
  const paused = gauge(registry, 'campaigns_queue_paused', 'Whether a queue is paused.', ['queue']);
  for (const load of await readQueues(runtime)) {
    const { name: queue, active, waiting, delayed, failed, oldestSince, isPaused } = load;
    for (const [state, count] of Object.entries({ active, waiting, delayed, failed })) {
      jobs.set({ queue, state }, count);
    }
    oldest.set({ queue }, oldestSince === undefined ? 0 : Math.max(0, runtime.now() - oldestSince) / 1000);
    paused.set({ queue }, isPaused ? 1 : 0);
  }
}

async function readRateLimitGauges(registry: Registry, runtime: Runtime): Promise<void> {
  const labels = ['account', 'operation'] as const;
  const allowed = gauge(
    registry,
    'campaigns_rate_limit_calls_per_second',
    'Calls per second that the rate limit of an operation allows now.',
    labels,
  );
  const used = gauge(
    registry,
    'campaigns_rate_limit_used_per_second',
    'Calls of an operation over the last minute.',
    labels,
  );
  for (const account of runtime.accounts.names) {
    const rateLimits = await readUsableRateLimits(runtime, { account });
    for (const { operation, rateLimit, share, usedPerSecond } of rateLimits) {
      allowed.set({ account, operation }, rateLimit.perSecond * share);
      used.set({ account, operation }, usedPerSecond);
    }
  }
}

async function readScrapes(registry: Registry, runtime: Runtime): Promise<void> {
  const shown = await showSchedule(runtime);
  const { scrapes } = shown;
  const isRunning = scrapes.some(({ state }) => state === 'running');
  gauge(registry, 'campaigns_scrape_running', 'Whether the figures of videos are being updated.').set(
    isRunning ? 1 : 0,
  );
  const due = dueSince(shown);
  if (due !== undefined) {
    const name = 'campaigns_scrape_due_timestamp_seconds';
    gauge(registry, name, 'When the next scheduled update of videos to end is, or was, due.').set(due / 1000);
  }
  const last = scrapes.find(({ state }) => state !== 'running');
  if (!last) return;
  const ended = gauge(
    registry,
    'campaigns_scrape_ended_timestamp_seconds',
    'When the last update of videos ended.',
  );
  ended.set((last.endedAt ?? last.startedAt) / 1000);
  const took = (last.endedAt ?? last.startedAt) - last.startedAt;
  gauge(registry, 'campaigns_scrape_duration_seconds', 'How long the last update of videos took.').set(
    took / 1000,
  );
  const videos = gauge(registry, 'campaigns_scrape_videos', 'Videos of the last update, by outcome.', [
    'outcome',
  ]);
  const { done, failed, gone, skipped } = last;
  for (const [outcome, count] of Object.entries({ done, failed, gone, skipped }))
    videos.set({ outcome }, count);
}

async function readRedis(registry: Registry, connection: Connection, isWritable: boolean): Promise<void> {
  const { usedBytes, maxBytes, clients, isDiskWell } = await readRedisFacts(connection);
  gauge(registry, 'campaigns_redis_up', 'Whether Redis answers.').set(1);
  gauge(
    registry,
    'campaigns_redis_writable',
    'Whether Redis takes writes; missing while it does not answer.',
  ).set(isWritable ? 1 : 0);
  gauge(registry, 'campaigns_redis_memory_bytes', 'Memory that Redis uses.').set(usedBytes);
  gauge(registry, 'campaigns_redis_memory_max_bytes', 'Memory that Redis may use; 0: no limit.').set(
    maxBytes,
  );
  gauge(registry, 'campaigns_redis_clients', 'Connections to Redis.').set(clients);
  gauge(registry, 'campaigns_redis_disk_well', 'Whether the last write of Redis to disk succeeded.').set(
    isDiskWell ? 1 : 0,
  );
}
