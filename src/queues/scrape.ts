/**
 * Queue `scrape`: the nightly start, the job of a running scrape, and its parts of up to 100 videos each. The job of a scrape
 * keeps the queue supplied, sleeps, and ends with the record of the scrape as its result.
 */
import { defaultRepeatStrategy, type Job, type JobsOptions, type Queue, type RepeatOptions } from 'bullmq';
import { toTemporalInstant } from 'temporal-polyfill';
import { z } from 'zod';
import { toleratedMs } from '../platform/redis/clock.ts';

export const nightJobName = 'night';
export const scrapeJobName = 'scrape';
const partJobName = 'videos';

export const scrapePayload = z.object({
  /** Number of the scrape. */
  run: z.int().positive(),
});
type ScrapePayload = z.infer<typeof scrapePayload>;

export const partPayload = scrapePayload.extend({
  /** Numbers of the first and the last video. */
  from: z.int().positive(),
  to: z.int().positive(),
  /** How often each video has failed in this scrape, and when it may be tried again (Unix epoch, ms). */
  failures: z.record(z.string(), z.object({ count: z.int().positive(), next: z.number() })).default({}),
});
export type PartPayload = z.infer<typeof partPayload>;

function partJobId({ run, from }: Pick<PartPayload, 'run' | 'from'>): string {
  return `scrape-${run}-${from}`;
}

/** Each video has attempts of its own. Those of the job are for outages of Redis. */
const attempts: JobsOptions = { attempts: 1000, backoff: { type: 'custom' } };
/** An ended part is not added again: its scrape has no record of it any more. */
const partOptions: JobsOptions = {
  ...attempts,
  removeOnComplete: { count: 200 },
  removeOnFail: { count: 200 },
};
const scrapeOptions: JobsOptions = {
  ...attempts,
  removeOnComplete: { count: 100 },
  removeOnFail: { count: 100 },
};

/** When a schedule runs: a cron pattern in an IANA zone. */
export interface Cron {
  readonly pattern: string;
  readonly tz: string;
}

/** A schedule, and when it runs next (Unix epoch, milliseconds). */
export interface ScrapeSchedule extends Cron {
  readonly next: number | undefined;
  readonly hasRun: boolean;
}

export class ScrapeJobs {
  readonly #queue: Queue;

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /** Makes sure that a scrape has its job. */
  async ensure(run: number): Promise<Job> {
    const payload: ScrapePayload = { run };
    const job = await this.#queue.add(scrapeJobName, payload, { ...scrapeOptions, jobId: `scrape-${run}` });
    // Another process may be quicker.
    if (await job.isFailed()) await job.retry('failed', { resetAttemptsMade: true }).catch(() => undefined);
    return job;
  }

  /** As `ensure`, and wakes the job if it sleeps. */
  async wake(run: number): Promise<void> {
    const job = await this.ensure(run);
    if (await job.isDelayed()) await job.promote().catch(() => undefined);
  }

  /** Adds the jobs of parts; those that exist stay as they are. */
  async addParts(run: number, parts: readonly Pick<PartPayload, 'from' | 'to'>[]): Promise<void> {
    if (parts.length === 0) return;
    await this.#queue.addBulk(
      parts.map(({ from, to }) => {
        const data = { run, from, to };
        return { name: partJobName, data, opts: { ...partOptions, jobId: partJobId(data) } };
      }),
    );
  }

  /** Makes parts run that failed by stalling, or were failed by hand: their scrape waits for them. */
  async reviveParts(run: number, parts: readonly Pick<PartPayload, 'from' | 'to'>[]): Promise<void> {
    for (const part of parts) {
      const job = await this.#queue.getJob(partJobId({ run, from: part.from }));
      const state = await job?.getState();
      if (state === 'failed') {
        await job?.retry('failed', { resetAttemptsMade: true }).catch(() => undefined);
      } else if (state === 'completed') await job?.remove().catch(() => undefined);
    }
    await this.addParts(run, parts);
  }

  /** @throws {Error} for a pattern or zone that cannot be read. */
  async schedule({ pattern, tz }: Cron): Promise<void> {
    const opts = {
      attempts: 3,
      backoff: { type: 'custom' },
      removeOnComplete: { count: 20 },
      removeOnFail: { count: 20 },
      telemetry: { omitContext: true },
    };
    await this.#queue.upsertJobScheduler(nightJobName, { pattern, tz }, { name: nightJobName, opts });
  }

  /** A wrong clock may have put the next night too late. @param now time of Redis: Unix epoch, milliseconds. @returns whether it had. */
  async repairSchedule(now: number): Promise<boolean> {
    const found = await this.scheduled();
    if (found?.next === undefined) return false;
    // A worker whose clock is a little ahead may have begun a night that is due in a moment.
    const due = nextTime(now + toleratedMs, found);
    if (due === undefined || found.next <= due) return false;
    await this.schedule(found);
    return true;
  }

  /** @returns whether there was one. */
  unschedule(): Promise<boolean> {
    return this.#queue.removeJobScheduler(nightJobName);
  }

  async scheduled(): Promise<ScrapeSchedule | undefined> {
    const found = await this.#queue.getJobScheduler(nightJobName);
    if (!found?.pattern) return undefined;
    const { pattern, tz = 'UTC', next, iterationCount = 1 } = found;
    return { pattern, tz, next, hasRun: iterationCount > 1 };
  }
}

const daySeconds = 86_400;

/**
 * When a pattern is due next. A time that a change of clocks leaves out is due when it would have come, an hour later by the
 * clock; a time that comes twice is due once. (The parser alone skips some nights of the first kind.)
 * @param after Unix epoch, milliseconds.
 * @throws {Error} for a pattern or zone that cannot be read.
 */
export function nextTime(after: number, { pattern, tz }: Cron): number | undefined {
  const parsed = defaultRepeatStrategy(after, { pattern, tz });
  const byClock = nextByClock(after, { pattern, tz });
  if (parsed === undefined || byClock === undefined) return parsed ?? byClock;
  return Math.min(parsed, byClock);
}

/** Reads the clock on the wall as if its zone had no changes. */
function nextByClock(after: number, { pattern, tz }: Cron): number | undefined {
  const now = toTemporalInstant.call(new Date(after)).toZonedDateTimeISO(tz);
  let wall = now.toPlainDateTime();
  // After a change back, times of the hour that comes twice lie behind.
  for (let tries = 0; tries < daySeconds; tries += 1) {
    const utc = defaultRepeatStrategy(wall.toZonedDateTime('UTC').epochMilliseconds, {
      pattern,
      tz: 'UTC',
    });
    if (utc === undefined) return undefined;
    wall = toTemporalInstant.call(new Date(utc)).toZonedDateTimeISO('UTC').toPlainDateTime();
    const due = wall.toZonedDateTime(tz, { disambiguation: 'compatible' }).epochMilliseconds;
    if (due > after) return due;
  }
  return undefined;
}

/** How queues and workers find the next time of a schedule. */
export function repeatStrategy(after: number, { pattern, tz }: RepeatOptions): number | undefined {
  return pattern === undefined ? undefined : nextTime(after, { pattern, tz: tz ?? 'UTC' });
}
