/**
 * Metrics of the workers of this process, for Prometheus. Labels have few values, and never name a campaign, creator or job.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { freeBytesOf } from '../../platform/files/disk.ts';
import type { FinishedJob } from '../../processors/runner/context.ts';
import type { ObservedCall } from '../../service/transport/transport.ts';

/** Metrics as text, with their `Content-Type`. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Seconds: from a read of Redis to an upload of gigabytes. */
const runBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800];
/** Seconds: jobs wait for their rate limit, and rows of a big campaign for their turn. */
const waitBuckets = [0.1, 1, 5, 30, 60, 300, 1800, 3600, 21_600];

/** Known statuses of the service. Others are counted by class, so that an odd service adds few labels. */
const knownStatuses: ReadonlySet<number> = new Set([
  200, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504,
]);

/** Gauges of `prom-client` with names of counters, which `promtool check metrics` refuses. Each has a twin with a type. */
const misnamed = ['resources', 'handles', 'requests'].map((what) => `nodejs_active_${what}_total`);

export class WorkerMetrics implements MetricsSource {
  readonly #registry = new Registry();
  readonly #jobs = new Counter({
    name: 'campaigns_jobs_total',
    help: 'Job runs, by queue and outcome.',
    labelNames: ['queue', 'outcome'],
    registers: [this.#registry],
  });
  readonly #runs = new Histogram({
    name: 'campaigns_job_run_seconds',
    help: 'How long job runs took.',
    labelNames: ['queue'],
    buckets: runBuckets,
    registers: [this.#registry],
  });
  readonly #waits = new Histogram({
    name: 'campaigns_job_wait_seconds',
    help: 'How long jobs waited from the time they were due to their first run, with the work of their children.',
    labelNames: ['queue'],
    buckets: waitBuckets,
    registers: [this.#registry],
  });
  readonly #calls = new Counter({
    name: 'campaigns_service_calls_total',
    help: 'Calls to the service, by operation and HTTP status; none if no answer came.',
    labelNames: ['operation', 'status'],
    registers: [this.#registry],
  });

  #clockAheadMs: () => number = () => 0;

  constructor() {
    const clock: Gauge = new Gauge({
      name: 'campaigns_worker_clock_ahead_seconds',
      help: 'How far the clock of this machine is ahead of the clock of Redis; negative: behind.',
      registers: [this.#registry],
      collect: () => clock.set(this.#clockAheadMs() / 1000),
    });
    // The event loop, memory and processor time of this process.
    collectDefaultMetrics({ register: this.#registry });
    for (const name of misnamed) this.#registry.removeSingleMetric(name);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  metrics(): Promise<string> {
    return this.#registry.metrics();
  }

  /** @param aheadMs how far the clock of this machine is ahead of the clock of Redis now, in milliseconds. */
  watchClock(aheadMs: () => number): void {
    this.#clockAheadMs = aheadMs;
  }

  /** @param dataDir absolute path of `DATA_DIR`. */
  watchDataDir(dataDir: string): void {
    watchDataDir(this.#registry, dataDir);
  }

  finished({ queue, outcome, runMs, waitMs }: FinishedJob): void {
    this.#jobs.inc({ queue, outcome });
    this.#runs.observe({ queue }, runMs / 1000);
    if (waitMs !== undefined) this.#waits.observe({ queue }, waitMs / 1000);
  }

  called({ operation, status }: ObservedCall): void {
    this.#calls.inc({ operation, status: statusLabel(status) });
  }
}

/** A disk of the network may not answer: then metrics go without it. Milliseconds. */
const longestLookMs = 1000;

/** The disk of a process without workers. @param dataDir absolute path of `DATA_DIR`. */
export function diskMetrics(dataDir: string): MetricsSource {
  const registry = new Registry();
  watchDataDir(registry, dataDir);
  return registry;
}

/** Adds the room on the disk of `DATA_DIR` to metrics; none while it cannot be read. */
function watchDataDir(registry: Registry, dataDir: string): void {
  let look: Promise<number | undefined> | undefined;
  const free: Gauge = new Gauge({
    name: 'campaigns_data_dir_free_bytes',
    help: 'Free bytes on the disk of DATA_DIR.',
    registers: [registry],
    async collect() {
      // One look at a time, or looks that hang would occupy all threads for files.
      look ??= freeBytesOf(dataDir)
        .catch(() => undefined)
        .finally(() => {
          look = undefined;
        });
      const bytes = await Promise.race([look, wait(longestLookMs, undefined, { ref: false })]);
      if (bytes === undefined) free.remove();
      else free.set(bytes);
    },
  });
}

function statusLabel(status: number | undefined): string {
  if (status === undefined) return 'none';
  return knownStatuses.has(status) ? String(status) : `${Math.floor(status / 100)}xx`;
}
