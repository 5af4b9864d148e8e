import type { Redis } from 'ioredis';
import { isNewer, type LedgerFormatError } from '../ledger/format.ts';
import { heartbeatMs, type WorkerFacts } from '../ledger/presence.ts';
import { notifyQueue } from '../queues/campaign-jobs.ts';
import { type QueueName, queueNames } from '../queues/queues.ts';
import { patiently } from '../redis/refusal.ts';
import { keepOutbox } from './notify/deliver.ts';
import { type MissingJob, PeriodicWatch, periodicJobs } from './periodic-jobs.ts';
import { Pulse } from './pulse.ts';
import { QueueWorkers } from './queue-workers.ts';
import type { ProcessorContext } from './runner/context.ts';

const longestCloseMs = 5_000;
/** Time for running jobs once the ledger has a newer format. */
const retirementMs = 25_000;
/** Time to record the end of jobs that were cut off: their rows go to review. */
const longestReportMs = 5_000;

export interface WorkersOptions {
  readonly context: ProcessorContext;
  /** Opens a new connection. The workers share one, and BullMQ duplicates it for each, to wait for jobs. */
  readonly connect: (purpose: string) => Redis;
  /** Default: all, but `notify` only with receivers in the settings. */
  readonly queues?: readonly QueueName[] | undefined;
  /** Identifies this process to the others. */
  readonly self: Pick<WorkerFacts, 'host' | 'pid' | 'version' | 'isRun'>;
  /** Factor by which work is taken over sooner and the rescuer runs more often; default 1. */
  readonly speedUp?: number | undefined;
  /** Called once all workers have stopped, to close what was opened for them. */
  readonly release?: (() => Promise<void>) | undefined;
}

/** The workers of a process. */
export class Workers {
  readonly #context: ProcessorContext;
  readonly #workers: QueueWorkers;
  readonly #speedUp: number;
  readonly #release: (() => Promise<void>) | undefined;
  readonly #outdated = new AbortController();
  #stopping: Promise<void> | undefined;
  /** Facts about this process for others. */
  readonly facts: Omit<WorkerFacts, 'since'>;
  readonly #periodic: PeriodicWatch;
  readonly #pulse: Pulse;

  constructor(options: WorkersOptions) {
    const { context, connect, queues: chosen, self, speedUp = 1, release } = options;
    const isUsed = (name: QueueName) => name !== notifyQueue || context.receivers.all.length > 0;
    const queues = chosen ?? queueNames.filter(isUsed);
    this.#context = context;
    this.#speedUp = speedUp;
    this.#release = release;
    this.#periodic = new PeriodicWatch(context, queues, speedUp);
    this.facts = {
      ...self,
      queues,
      format: context.ledger.format.newest,
      periodic: this.#periodic.names,
    };
    this.#pulse = new Pulse({
      announcement: context.ledger.presence.announce({ ...this.facts, since: context.now() }),
      clock: context.clock,
      periodic: this.#periodic,
      log: context.log,
      everyMs: heartbeatMs / speedUp,
      atWork: () => this.#workers.atWork,
      onFormat: (format) => {
        const { newest } = context.ledger.format;
        if (format > newest) this.#retire(isNewer(format, newest));
      },
    });
    // Commands of one turn of the event loop are sent together.
    const connection = connect('workers');
    this.#workers = new QueueWorkers(context, queues, { connection, gate: this.#pulse, speedUp });
  }

  /** Whether every worker takes jobs; false once they are told to stop. */
  get areRunning(): boolean {
    return this.#stopping === undefined && this.#workers.all.every((worker) => worker.isRunning());
  }

  /** How far the clock of this machine is ahead of Redis (negative: behind), in milliseconds, while it keeps them from jobs. */
  get clockAheadMs(): number | undefined {
    return this.#pulse.clockAheadMs;
  }

  /** Periodic jobs of their queues that have not run for three periods. */
  get missingJobs(): readonly MissingJob[] {
    return this.#periodic.missing;
  }

  /**
   * Aborted, with the `LedgerFormatError`, once a newer version of the runner has converted the ledger: these workers have stopped or
   * are about to.
   */
  get outdated(): AbortSignal {
    return this.#outdated.signal;
  }

  /** Starts to take jobs, and announces this process. Waits as long as Redis takes no writes. */
  async start(): Promise<void> {
    const { queues, ledger, log } = this.#context;
    await patiently(() => this.#pulse.start(), ledger.untilWritable);
    if (this.outdated.aborted || this.#stopping !== undefined) return;
    await patiently(() => this.#schedule(), ledger.untilWritable);
    if (this.#stopping !== undefined) return;
    ledger.journal.onReplaced(() => {
      // The next heartbeat or restart tries again.
      if (this.#stopping === undefined) void this.#schedule().catch(() => undefined);
    });
    const paused = await queues.paused();
    if (paused.length > 0) log.warn({ queues: paused }, 'paused by a person: their jobs wait until resumed');
    for (const worker of this.#workers.all) void worker.run();
  }

  /** Schedules the jobs that serve all campaigns. They may be gone if the data in Redis was replaced. */
  async #schedule(): Promise<void> {
    const { queues, receivers } = this.#context;
    if (receivers.all.length > 0) await keepOutbox(this.#context);
    for (const { name, everyMs } of periodicJobs(this.#context, this.#speedUp))
      await queues.schedule(name, everyMs);
  }

  /**
   * Stops: takes no new jobs, waits for running jobs, and after `deadlineMs` cuts them off, including their calls. A call that was
   * cut off may have taken effect, so its row goes to review.
   * @param deadlineMs 0 when Redis is gone: then waiting makes no sense. Later calls wait for the first.
   */
  stop(deadlineMs: number): Promise<void> {
    this.#stopping ??= this.#stop(deadlineMs);
    return this.#stopping;
  }

  async #stop(deadlineMs: number): Promise<void> {
    this.#context.accounts.stopWaiting();
    // Not `close`, which cannot be forced once it waits. A pause fails if Redis is lost meanwhile: the others still wait for their jobs.
    const idle = Promise.allSettled(this.#workers.all.map((worker) => worker.pause()));
    const finished = (await within(idle, deadlineMs)) || (await this.#cutOff(idle, deadlineMs));
    const closed = Promise.allSettled(this.#workers.all.map((worker) => worker.close(!finished)));
    // Without Redis the announcement cannot be withdrawn, and expires by itself.
    const withdrawn = deadlineMs > 0 ? this.#pulse.stop().catch(() => undefined) : undefined;
    // Without Redis a worker may never close.
    await within(Promise.all([closed, withdrawn]), longestCloseMs);
    await this.#release?.();
  }

  /** Takes no further job, because this version might misread the new data, or write data that newer ones misread. */
  #retire(reason: LedgerFormatError): void {
    if (this.outdated.aborted) return;
    this.#context.log.error(
      { reason: reason.message, cure: reason.cure },
      'worker stops: the data is of a newer version',
    );
    this.#outdated.abort(reason);
    void this.stop(retirementMs);
  }

  /** Cuts off running jobs. @returns whether all of them could record their end. */
  async #cutOff(idle: Promise<unknown>, deadlineMs: number): Promise<boolean> {
    for (const worker of this.#workers.all) worker.cancelAllJobs('the runner stops');
    await this.#context.accounts.cutOff();
    return within(idle, Math.min(deadlineMs, longestReportMs));
  }
}

/** @returns whether the promise resolved in time. */
async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, ms, false);
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
