/**
 * The periodic jobs: rescuer, records, and the hand-out of events. BullMQ computes each next run by the clock of the worker that takes
 * the present one. So every process also looks, at each heartbeat, at when they ran last by the clock of Redis.
 */
import type { Job, RepeatOptions } from 'bullmq';
import { heartbeatMs, missingAfterMs, type PeriodicRun } from '../ledger/presence.ts';
import { outboxJobName, recordsJobName, rescuerJobName } from '../queues/campaign-jobs.ts';
import { type PeriodicJobName, periodicQueue, type QueueName } from '../queues/queues.ts';
import type { ProcessorContext } from './runner/context.ts';

const rescuerEveryMs = 15_000;
/** How often rows in review are checked; the settings tell how often posts are followed. */
const recordsEveryMs = 15_000;
/** How soon an event is handed out. */
const outboxEveryMs = 1000;
/** Nobody watched for so many heartbeats: Redis was away, or this machine was suspended. */
const unwatchedBeats = 4;

export interface PeriodicJob {
  readonly name: PeriodicJobName;
  readonly everyMs: number;
}

/** The periodic jobs that the settings ask for. @param speedUp factor by which the rescuer runs more often. */
export function periodicJobs(
  { settings, receivers }: ProcessorContext,
  speedUp: number,
): readonly PeriodicJob[] {
  const jobs: PeriodicJob[] = [{ name: rescuerJobName, everyMs: Math.ceil(rescuerEveryMs / speedUp) }];
  if (settings.api.listPosts) {
    const everyMs = Math.max(1000, Math.min(recordsEveryMs, settings.records.every));
    jobs.push({ name: recordsJobName, everyMs });
  }
  if (receivers.all.length > 0) jobs.push({ name: outboxJobName, everyMs: outboxEveryMs });
  return jobs;
}

/** Records that a periodic job begins. It does its work also where this cannot be recorded. */
export async function beginRun({ ledger, log }: ProcessorContext, job: Job): Promise<void> {
  // BullMQ's types leave it out.
  const { repeat } = job.opts as { readonly repeat?: RepeatOptions };
  try {
    await ledger.periodic.begin(job.name, repeat?.every ?? rescuerEveryMs);
  } catch (error) {
    log.warn({ job: job.name, error: String(error) }, 'run not recorded');
  }
}

/** A periodic job that has not run for three periods. */
export interface MissingJob {
  readonly name: PeriodicJobName;
  /** Milliseconds since its last run, or since this process began to watch. */
  readonly forMs: number;
}

/** Watches the periodic jobs that this process takes, and schedules missing ones anew. */
export class PeriodicWatch {
  readonly #context: ProcessorContext;
  readonly #jobs: readonly PeriodicJob[];
  readonly #beatMs: number;
  #since = 0;
  #lookedAt = 0;
  #missing: readonly MissingJob[] = [];

  constructor(context: ProcessorContext, queues: readonly QueueName[], speedUp: number) {
    this.#context = context;
    this.#jobs = periodicJobs(context, speedUp).filter(({ name }) => queues.includes(periodicQueue(name)));
    this.#beatMs = heartbeatMs / speedUp;
  }

  get names(): readonly PeriodicJobName[] {
    return this.#jobs.map(({ name }) => name);
  }

  /** As of the last look. */
  get missing(): readonly MissingJob[] {
    return this.#missing;
  }

  /**
   * Looks which jobs are missing, and repairs their schedules.
   * @param now time of Redis: Unix epoch, milliseconds.
   * @param runs the last run of each job of `names`.
   */
  async look(now: number, runs: readonly (PeriodicRun | undefined)[]): Promise<void> {
    if (Math.abs(now - this.#lookedAt) > unwatchedBeats * this.#beatMs) this.#since = now;
    this.#lookedAt = now;
    const late = this.#jobs.flatMap((job, index) => {
      const last = runs[index]?.at ?? 0;
      // A time to come is of a clock of Redis that was put back.
      const forMs = now - Math.max(this.#since, last <= now ? last : 0);
      return forMs > this.#missingAfterMs(job) ? [{ ...job, forMs }] : [];
    });
    const { queues } = this.#context;
    const paused = await Promise.all(late.map(({ name }) => queues.queue(periodicQueue(name)).isPaused()));
    // A person who paused a queue knows that its jobs wait.
    const missing = late.filter((_job, index) => !paused[index]);
    this.#missing = missing;
    for (const job of missing) await this.#repair(job, now);
  }

  #missingAfterMs({ everyMs }: Pick<PeriodicJob, 'everyMs'>): number {
    return missingAfterMs(everyMs, 2 * this.#beatMs);
  }

  async #repair({ name, everyMs, forMs }: PeriodicJob & MissingJob, now: number): Promise<void> {
    const { ledger, queues, log } = this.#context;
    if (!(await ledger.periodic.claimRepair(name, this.#missingAfterMs({ everyMs })))) return;
    const isNew = await queues.reviveSchedule(name, everyMs, now);
    log.error(
      { job: name, forMs },
      isNew ? 'periodic job was missing: scheduled anew' : 'periodic job is late',
    );
  }
}
