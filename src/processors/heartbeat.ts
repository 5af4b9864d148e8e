/**
 * The heartbeats of the workers of one process.
 *
 * Duties: 1. announce the process to others; 2. learn the time of Redis, and keep the workers from jobs while the clock of this machine
 * is wrong; 3. add periodic jobs that are due, by the clock of Redis: every process asks, and Redis tells one of them.
 */
import { type Announcement, heartbeatMs } from '../ledger/presence.ts';
import type { RedisClock } from '../platform/redis/clock.ts';
import {
  outboxJobName,
  type PeriodicJobName,
  type PeriodicPayload,
  periodicQueue,
  recordsJobName,
  rescuerJobName,
} from '../queues/campaign-jobs.ts';
import type { QueueName } from '../queues/queues.ts';
import type { JobGate } from './gated-worker.ts';
import type { ProcessorContext } from './runner/context.ts';

/** A little less than three heartbeats, so that the third one finds it due. */
const usualEveryMs = 3 * heartbeatMs - 1000;

interface PeriodicJob {
  readonly name: PeriodicJobName;
  readonly everyMs: number;
}

/** @param queues those that this process works for. @param speedUp factor by which the rescuer runs more often. */
export function periodicJobs(
  { settings, receivers }: ProcessorContext,
  queues: readonly QueueName[],
  speedUp: number,
): readonly PeriodicJob[] {
  const jobs: PeriodicJob[] = [{ name: rescuerJobName, everyMs: Math.ceil(usualEveryMs / speedUp) }];
  if (settings.api.listPosts) {
    // The setting says how often posts are followed; rows in review are checked as often as usual.
    const everyMs = Math.max(1000, Math.min(usualEveryMs, settings.records.every));
    jobs.push({ name: recordsJobName, everyMs });
  }
  // At each heartbeat.
  if (receivers.all.length > 0) jobs.push({ name: outboxJobName, everyMs: 1000 });
  return jobs.filter(({ name }) => queues.includes(periodicQueue(name)));
}

/** Records the begin of a periodic job, for people. A failure to record it does not stop the job. */
export async function recordRun(
  { ledger, log }: ProcessorContext,
  { name, data }: { readonly name: string; readonly data: PeriodicPayload },
): Promise<void> {
  try {
    await ledger.periodic.begin(name, data.everyMs);
  } catch (error) {
    log.warn({ job: name, error: String(error) }, 'run not recorded');
  }
}

interface HeartbeatOptions {
  readonly announcement: Announcement;
  /** Undefined: the clock of this machine is not checked. */
  readonly clock: RedisClock | undefined;
  readonly periodic: readonly PeriodicJob[];
  readonly onDue: (job: PeriodicJob) => Promise<void>;
  readonly log: ProcessorContext['log'];
  readonly everyMs: number;
  readonly running: () => number;
}

export class Heartbeat implements JobGate {
  readonly #options: HeartbeatOptions;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<unknown> | undefined;
  /** Exists while the clock of this machine is wrong. */
  #blocked: PromiseWithResolvers<void> | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Sends the first heartbeat, and further ones until it stops. */
  async start(): Promise<void> {
    await this.beat();
    // A missed heartbeat needs no handling: without Redis, this worker gets no jobs either.
    this.#timer = setInterval(() => {
      this.#last = this.beat().catch(() => undefined);
    }, this.#options.everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#blocked?.resolve();
    await this.#last;
    await this.#options.announcement.withdraw();
  }

  get isOpen(): boolean {
    return this.#blocked === undefined;
  }

  async opened(): Promise<void> {
    await this.#blocked?.promise;
  }

  /** How far the clock of this machine is ahead of Redis (negative: behind), in milliseconds; undefined while it is right. */
  get clockAheadMs(): number | undefined {
    const { clock } = this.#options;
    return this.#blocked === undefined || !clock ? undefined : Math.round(clock.aheadMs);
  }

  async beat(): Promise<void> {
    const { announcement, clock, periodic, running, onDue } = this.#options;
    const wasBlocked = this.#blocked !== undefined;
    const ahead = this.clockAheadMs;
    const state = { atWork: running(), ...(ahead !== undefined && { clockAheadMs: ahead }) };
    const { time, due } = await announcement.beat(state, periodic);
    clock?.learn(time);
    this.#updateGate();
    for (const job of periodic) if (due.includes(job.name)) await onDue(job);
    // Others learn of the change at once.
    if (wasBlocked !== (this.#blocked !== undefined)) await this.beat();
  }

  #updateGate(): void {
    const { clock, log } = this.#options;
    if (!clock) return;
    const facts = { clockAheadMs: Math.round(clock.aheadMs) };
    if (clock.isTolerable) {
      if (this.#blocked !== undefined)
        log.warn(facts, 'takes jobs again: the clock of this machine is right');
      this.#blocked?.resolve();
      this.#blocked = undefined;
    } else if (this.#blocked === undefined) {
      this.#blocked = Promise.withResolvers();
      const fix =
        'Correct the clock, for example with NTP. Running jobs finish, and other workers take the others.';
      log.error({ ...facts, fix }, 'takes no jobs: the clock of this machine is far from that of Redis');
    }
  }
}
