/**
 * The workers of one process: one per queue, with the limits explained in `docs/architecture.md`.
 *
 * Duties: 1. start; 2. recover the work of killed processes within seconds; 3. stop: take no new jobs, let running jobs finish
 * until a deadline, then cut them off; 4. send heartbeats, and take no jobs while the clock of this machine is wrong (`pulse.ts`);
 * 5. stop when a newer version of the runner has converted the ledger.
 */
import type { Processor, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { isNewer, type LedgerFormatError } from '../ledger/format/format.ts';
import { heartbeatMs, type WorkerFacts } from '../ledger/presence.ts';
import {
  admissionPayload,
  campaignQueue,
  keeperJobName,
  notifyQueue,
  recordsJobName,
  showcaseQueue,
} from '../queues/campaign-jobs.ts';
import { type QueueName, queueNames } from '../queues/queues.ts';
import { generateQueue, pollQueue, postQueue, uploadQueue } from '../queues/row-jobs.ts';
import { repeatStrategy, scrapeQueue } from '../queues/scrape.ts';
import { isOutage, refusalCode } from '../redis/refusal.ts';
import { admit } from './admission/admit.ts';
import { backoffMs } from './frame/backoff.ts';
import type { ProcessorContext } from './frame/context.ts';
import { jobProcessor } from './frame/job.ts';
import { mendingCampaign } from './frame/mending.ts';
import { done } from './frame/outcome.ts';
import { reportJob } from './frame/report.ts';
import { stepProcessor } from './frame/step.ts';
import { notifyProcessor } from './notify/deliver.ts';
import { keepOutbox } from './notify/hand-out.ts';
import { beginRun, type MissingJob, PeriodicWatch, periodicJobs } from './periodic-jobs.ts';
import { PromptWorker } from './prompt-worker.ts';
import { Pulse } from './pulse.ts';
import { lookIntoAllRecords } from './records/publishing-records.ts';
import { scrapeJobsAtOnce, scrapeProcessor } from './scrape/processor.ts';
import { generateStep } from './steps/generate.ts';
import { pollStep } from './steps/poll.ts';
import { postStep } from './steps/post.ts';
import { showcaseStep } from './steps/showcase.ts';
import { uploadStep } from './steps/upload.ts';
import { keep } from './upkeep/keeper.ts';

/** Jobs of a killed worker are found at the first check after their locks expire: within 15 seconds. */
const lockDuration = 10_000;
const stalledInterval = 5_000;
/** A second crash in the same job must not fail it. */
const maxStalledCount = 5;
/** How often a worker checks whether its queue is still parked, because a budget may have been raised. Milliseconds. */
const maximumRateLimitDelay = 1000;
/** A receiver that does not answer must not hold up the others. */
const deliveriesAtOnce = 16;
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
  /** Factor by which work is taken over sooner and the keeper runs more often; default 1. */
  readonly haste?: number | undefined;
  /** Called once all workers have stopped, to close what was opened for them. */
  readonly release?: (() => Promise<void>) | undefined;
}

/** The workers of a process. */
export class Workers {
  readonly #context: ProcessorContext;
  readonly #workers: readonly Worker[];
  readonly #haste: number;
  readonly #release: (() => Promise<void>) | undefined;
  readonly #outdated = new AbortController();
  #stopping: Promise<void> | undefined;
  /** Facts about this process for others. */
  readonly facts: Omit<WorkerFacts, 'since'>;
  readonly #periodic: PeriodicWatch;
  readonly #pulse: Pulse;
  /** Jobs that run in this process. */
  #atWork = 0;
  /** When an error last showed that Redis is away or takes no writes, as `performance.now()`: its connections report that. */
  #outageAt = Number.NEGATIVE_INFINITY;
  readonly #warn: (message: string, facts: object) => void;

  constructor(options: WorkersOptions) {
    const { context, connect, queues: chosen, self, haste = 1, release } = options;
    const isUsed = (name: QueueName) => name !== notifyQueue || context.receivers.all.length > 0;
    const queues = chosen ?? queueNames.filter(isUsed);
    this.#context = context;
    this.#warn = onceAMinute((facts, message) => context.log.warn(facts, message));
    this.#haste = haste;
    this.#release = release;
    this.#periodic = new PeriodicWatch(context, queues, haste);
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
      everyMs: heartbeatMs / haste,
      atWork: () => this.#atWork,
      onFormat: (format) => {
        const { newest } = context.ledger.format;
        if (format > newest) this.#retire(isNewer(format, newest));
      },
    });
    // Commands of one turn of the event loop are sent together.
    const connection = connect('workers');
    this.#workers = queues.map((name) => this.#open(name, connection));
  }

  /** Whether every worker takes jobs; false once they are told to stop. */
  get areRunning(): boolean {
    return this.#stopping === undefined && this.#workers.every((worker) => worker.isRunning());
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
    await this.#onceWritable(() => this.#pulse.start());
    if (this.outdated.aborted || this.#stopping !== undefined) return;
    await this.#onceWritable(() => this.#schedule());
    if (this.#stopping !== undefined) return;
    ledger.journal.onReplaced(() => {
      // The next heartbeat or restart tries again.
      if (this.#stopping === undefined) void this.#schedule().catch(() => undefined);
    });
    const paused = await queues.paused();
    if (paused.length > 0) log.warn({ queues: paused }, 'paused by a person: their jobs wait until resumed');
    for (const worker of this.#workers) void worker.run();
  }

  async #onceWritable(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        if (refusalCode(error) === undefined) throw error;
        await this.#context.ledger.untilWritable();
      }
    }
  }

  /** Schedules the jobs that serve all campaigns. They may be gone if the data in Redis was replaced. */
  async #schedule(): Promise<void> {
    const { queues, receivers } = this.#context;
    if (receivers.all.length > 0) await keepOutbox(this.#context);
    for (const { name, everyMs } of periodicJobs(this.#context, this.#haste))
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
    const idle = Promise.allSettled(this.#workers.map((worker) => worker.pause()));
    const finished = (await within(idle, deadlineMs)) || (await this.#cutOff(idle, deadlineMs));
    const closed = Promise.allSettled(this.#workers.map((worker) => worker.close(!finished)));
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
    for (const worker of this.#workers) worker.cancelAllJobs('the runner stops');
    await this.#context.accounts.cutOff();
    return within(idle, Math.min(deadlineMs, longestReportMs));
  }

  #open(name: QueueName, connection: Redis): Worker {
    const { settings, queues, log, clock } = this.#context;
    const process = processorOf(name, this.#context);
    const counted: Processor = async (job, token, signal) => {
      this.#atWork += 1;
      try {
        return await process(job, token, signal);
      } finally {
        this.#atWork -= 1;
      }
    };
    const worker = new PromptWorker(name, counted, {
      connection,
      prefix: queues.prefix,
      ...(queues.telemetry && { telemetry: queues.telemetry }),
      // No `skipVersionCheck`: a worker that does not know the server's version rounds waits up to whole seconds.
      autorun: false,
      concurrency: concurrencyOf(name, this.#context),
      lockDuration: Math.ceil(lockDuration / this.#haste),
      stalledInterval: Math.ceil(stalledInterval / this.#haste),
      maxStalledCount,
      // Budgets limit the rate, not this limiter. But only a worker with a limiter respects a parked queue.
      limiter: { max: 1_000_000, duration: 1000 },
      maximumRateLimitDelay,
      metrics: { maxDataPoints: 2 },
      gate: this.#pulse,
      settings: {
        backoffStrategy: (attemptsMade) => {
          const ms = backoffMs(attemptsMade, settings.retry);
          if (clock === undefined || clock.isTolerable) return ms;
          // BullMQ adds it to the time by the clock of this machine.
          return Math.max(0, Math.round(ms - clock.aheadMs));
        },
        repeatStrategy,
      },
    });
    worker.untilWritable = this.#context.ledger.untilWritable;
    worker.on('error', (error) => {
      if (isOutage(error)) this.#outageAt = performance.now();
      // Locks that expired, for example.
      const isConsequence = performance.now() - this.#outageAt < lockDuration * 2;
      if (isConsequence) log.debug({ queue: name, error: error.message }, 'worker: Redis is in trouble');
      else this.#warn('worker', { queue: name, error: error.message });
    });
    worker.on('failed', (job, error) => log.debug({ job: job?.id, error: error.message }, 'job failed'));
    worker.on('stalled', (job) =>
      this.#warn('taken over from a worker that went silent', { queue: name, job }),
    );
    return worker;
  }
}

/** After an outage, each of a thousand jobs has the same to tell: logs the first, and a minute later how many there were. */
function onceAMinute(log: (facts: object, message: string) => void) {
  const said = new Map<string, { readonly at: number; more: number }>();
  return (message: string, facts: object): void => {
    const last = said.get(message);
    if (last && performance.now() - last.at < 60_000) last.more += 1;
    else {
      log(last ? { ...facts, more: last.more } : facts, message);
      said.set(message, { at: performance.now(), more: 0 });
    }
  };
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

function concurrencyOf(name: QueueName, { settings }: ProcessorContext): number {
  if (name === campaignQueue) return 4;
  if (name === notifyQueue) return deliveriesAtOnce;
  // This setting limits calls, not jobs.
  return name === scrapeQueue ? scrapeJobsAtOnce(settings.concurrency.scrape) : settings.concurrency[name];
}

function processorOf(name: QueueName, context: ProcessorContext): Processor {
  switch (name) {
    case campaignQueue:
      return campaignProcessor(context);
    case showcaseQueue:
      return stepProcessor(context, showcaseStep);
    case generateQueue:
      return stepProcessor(context, generateStep);
    case pollQueue:
      return stepProcessor(context, pollStep);
    case uploadQueue:
      return stepProcessor(context, uploadStep);
    case postQueue:
      return stepProcessor(context, postStep);
    case notifyQueue:
      return notifyProcessor(context);
    case scrapeQueue:
      return scrapeProcessor(context);
  }
}

/** Jobs of the queue `campaign` work for no row, so there is no row to end. */
function campaignProcessor(context: ProcessorContext): Processor {
  return jobProcessor(context, campaignQueue, async (at) => {
    const { job, signal } = at;
    if (job.name === keeperJobName) {
      await beginRun(context, job);
      await keep(context);
      return { outcome: done };
    }
    if (job.name === recordsJobName) {
      await beginRun(context, job);
      await lookIntoAllRecords(context, signal);
      return { outcome: done };
    }
    const { c: campaign } = admissionPayload.parse(job.data);
    const outcome = await mendingCampaign(context, campaign, () => admit(context, campaign, job));
    return { outcome, campaign, report: () => reportJob(context, at, outcome) };
  });
}
