/** The workers of a process: what they do with the jobs of each queue, how many at once, their start and their stop. */
import type { Processor, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { heartbeatMs, type WorkerFacts } from '../ledger/presence.ts';
import { isOutage, patiently } from '../platform/redis/refusal.ts';
import {
  admissionPayload,
  campaignQueue,
  notifyQueue,
  recordsJobName,
  rescuerJobName,
} from '../queues/campaign-jobs.ts';
import { type QueueName, queueNames } from '../queues/queues.ts';
import { repeatStrategy } from '../queues/scrape.ts';
import { admit } from './admission/admit.ts';
import { GatedWorker } from './gated-worker.ts';
import { Heartbeat, periodicJobs, recordRun } from './heartbeat.ts';
import { keepOutbox, notifyProcessor } from './notify/deliver.ts';
import { reconcileAll } from './publishing-records/reconcile.ts';
import { rescue } from './rescue/rescuer.ts';
import type { ProcessorContext } from './runner/context.ts';
import { jobProcessor, pauseIfDamaged } from './runner/job.ts';
import { done } from './runner/outcome.ts';
import { reportJob } from './runner/report.ts';
import { backoffMs } from './runner/retry-policy.ts';
import type { RowsRun } from './runner/runs.ts';
import { type OfCampaign, type OfCreator, type StepDefinition, stepProcessor } from './runner/step.ts';
import { scrapeJobsAtOnce, scrapeProcessor } from './scrape/scrape.ts';
import { generateStep } from './steps/generate.ts';
import { pollStep } from './steps/poll.ts';
import { postStep } from './steps/post.ts';
import { showcaseStep } from './steps/showcase.ts';
import { uploadStep } from './steps/upload.ts';

/** Jobs of a killed worker are found at the first check after their locks expire: within 15 seconds. */
const lockDuration = 10_000;
const stalledInterval = 5_000;
/** A second crash in the same job must not fail it. */
const maxStalledCount = 5;
/** How often a worker checks whether its queue is still snoozed, because a rate limit may have been raised. Milliseconds. */
const maximumRateLimitDelay = 1000;

/** How long running jobs may take to finish once the process is told to stop, in milliseconds. */
export const drainMs = 25_000;
const longestCloseMs = 5_000;
/** Time to record the end of jobs that were cut off: their rows go to review. */
const longestReportMs = 5_000;

interface QueueWork {
  readonly atOnce: (context: ProcessorContext) => number;
  readonly processor: (context: ProcessorContext) => Processor;
}

const queueWork: Readonly<Record<QueueName, QueueWork>> = {
  campaign: { atOnce: () => 4, processor: campaignProcessor },
  showcase: workOf(showcaseStep),
  generate: workOf(generateStep),
  poll: workOf(pollStep),
  upload: workOf(uploadStep),
  // Most of its jobs upload a file before their call: each has a limit of its own.
  post: { ...workOf(postStep), atOnce: postJobsAtOnce },
  // This setting limits calls, not jobs.
  scrape: {
    atOnce: ({ settings }) => scrapeJobsAtOnce(settings.concurrency.scrape),
    processor: scrapeProcessor,
  },
  // A receiver that does not answer must not hold up the others.
  notify: { atOnce: () => 16, processor: notifyProcessor },
};

/** The jobs of a step are in the queue of its name. */
function workOf<P extends OfCampaign, R extends RowsRun, T extends OfCreator>(
  definition: StepDefinition<P, R, T>,
): QueueWork {
  return {
    atOnce: ({ settings }) => settings.concurrency[definition.step],
    processor: (context) => stepProcessor(context, definition),
  };
}

function postJobsAtOnce({ settings: { concurrency }, takesUploads }: ProcessorContext): number {
  return takesUploads ? concurrency.upload + concurrency.post : concurrency.post;
}

/** Jobs of the queue `campaign` work for no row, so there is no row to end. */
function campaignProcessor(context: ProcessorContext): Processor {
  return jobProcessor(context, campaignQueue, async (running) => {
    const { job, signal } = running;
    if (job.name === rescuerJobName) {
      await recordRun(context, job);
      await rescue(context);
      return { outcome: done };
    }
    if (job.name === recordsJobName) {
      await recordRun(context, job);
      await reconcileAll(context, signal);
      return { outcome: done };
    }
    const { campaign } = admissionPayload.parse(job.data);
    const outcome = await pauseIfDamaged(context, campaign, () => admit(context, campaign, job));
    return { outcome, campaign, report: () => reportJob(context, running, outcome) };
  });
}

interface WorkersOptions {
  readonly context: ProcessorContext;
  /** Opens a new connection. The workers share one, and BullMQ duplicates it for each, to wait for jobs. */
  readonly connect: (purpose: string) => Redis;
  /** Default: all, but `notify` only with receivers in the settings. */
  readonly queues?: readonly QueueName[] | undefined;
  /** Identifies this process to the others. */
  readonly self: Pick<WorkerFacts, 'host' | 'pid' | 'version' | 'isRun'>;
  /** Factor by which work is taken over sooner and the rescuer runs more often; default 1. */
  readonly speedUp?: number | undefined;
  /** Aborts when Redis has ended for good: then running jobs cannot record their end, and a stop waits for none. */
  readonly gone?: AbortSignal | undefined;
  /** Called once all workers have stopped, to close what was opened for them. */
  readonly release?: (() => Promise<void>) | undefined;
}

export class Workers {
  readonly #options: WorkersOptions;
  readonly #context: ProcessorContext;
  readonly #workers: readonly Worker[];
  readonly #heartbeat: Heartbeat;
  readonly #warn: (message: string, facts: object) => void;
  #stopping: Promise<void> | undefined;
  #running = 0;
  /** When an error last showed that Redis is away or takes no writes, as `performance.now()`: its connections report that. */
  #outageAt = Number.NEGATIVE_INFINITY;
  /** Facts about this process for others. */
  readonly facts: Omit<WorkerFacts, 'since'>;

  constructor(options: WorkersOptions) {
    const { context, connect, queues: chosen, self, speedUp = 1 } = options;
    const isUsed = (name: QueueName) => name !== notifyQueue || context.receivers.all.length > 0;
    const queues = chosen ?? queueNames.filter(isUsed);
    const periodic = periodicJobs(context, queues, speedUp);
    this.#options = options;
    this.#context = context;
    this.#warn = onceAMinute((facts, message) => context.log.warn(facts, message));
    this.facts = { ...self, queues, periodic: periodic.map(({ name }) => name) };
    this.#heartbeat = new Heartbeat({
      announcement: context.ledger.presence.announce({ ...this.facts, since: context.now() }),
      clock: context.clock,
      periodic,
      onDue: ({ name, everyMs }) => context.queues.addPeriodic(name, everyMs),
      log: context.log,
      everyMs: heartbeatMs / speedUp,
      running: () => this.#running,
    });
    // Commands of one turn of the event loop are sent together.
    const connection = connect('workers');
    this.#workers = queues.map((name) => this.#open(name, connection));
  }

  #open(name: QueueName, connection: Redis): Worker {
    const { settings, queues, log, clock, ledger } = this.#context;
    const { processor, atOnce } = queueWork[name];
    const { speedUp = 1 } = this.#options;
    const process = processor(this.#context);
    const counted: Processor = async (job, token, signal) => {
      this.#running += 1;
      try {
        return await process(job, token, signal);
      } finally {
        this.#running -= 1;
      }
    };
    const worker = new GatedWorker(name, counted, {
      connection,
      prefix: queues.prefix,
      ...(queues.telemetry && { telemetry: queues.telemetry }),
      // No `skipVersionCheck`: a worker that does not know the server's version rounds waits up to whole seconds.
      autorun: false,
      concurrency: atOnce(this.#context),
      lockDuration: Math.ceil(lockDuration / speedUp),
      stalledInterval: Math.ceil(stalledInterval / speedUp),
      maxStalledCount,
      // Rate limits limit the rate, not this limiter. But only a worker with a limiter respects a snoozed queue.
      limiter: { max: 1_000_000, duration: 1000 },
      maximumRateLimitDelay,
      metrics: { maxDataPoints: 2 },
      gate: this.#heartbeat,
      untilWritable: ledger.untilWritable,
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

  /** Whether every worker takes jobs; false once they are told to stop. */
  get areRunning(): boolean {
    return this.#stopping === undefined && this.#workers.every((worker) => worker.isRunning());
  }

  /** How far the clock of this machine is ahead of Redis (negative: behind), in milliseconds, while it keeps them from jobs. */
  get clockAheadMs(): number | undefined {
    return this.#heartbeat.clockAheadMs;
  }

  /** Starts to take jobs, and announces this process. Waits as long as Redis takes no writes. */
  async start(): Promise<void> {
    const { queues, ledger, log } = this.#context;
    await patiently(() => this.#heartbeat.start(), ledger.untilWritable);
    if (this.#stopping !== undefined) return;
    await patiently(() => keepOutbox(this.#context), ledger.untilWritable);
    if (this.#stopping !== undefined) return;
    ledger.journal.onReplaced(() => {
      // The rescuer does it as well.
      if (this.#stopping === undefined) void keepOutbox(this.#context).catch(() => undefined);
    });
    const paused = await queues.paused();
    if (paused.length > 0) log.warn({ queues: paused }, 'paused by a person: their jobs wait until resumed');
    for (const worker of this.#workers) void worker.run();
  }

  /**
   * Stops: takes no new jobs, waits for running jobs, and after `deadlineMs` cuts them off, including their calls. A call that was
   * cut off may have taken effect, so its row goes to review.
   * Later calls wait for the first.
   */
  stop(deadlineMs = drainMs): Promise<void> {
    this.#stopping ??= this.#stop(this.#options.gone?.aborted ? 0 : deadlineMs);
    return this.#stopping;
  }

  async #stop(deadlineMs: number): Promise<void> {
    this.#context.service.rateLimits.close();
    // Not `close`, which cannot be forced once it waits. A pause fails if Redis is lost meanwhile: the others still wait for their jobs.
    const idle = Promise.allSettled(this.#workers.map((worker) => worker.pause()));
    const finished = (await within(idle, deadlineMs)) || (await this.#cutOff(idle, deadlineMs));
    const closed = Promise.allSettled(this.#workers.map((worker) => worker.close(!finished)));
    // Without Redis the announcement cannot be withdrawn, and expires by itself.
    const withdrawn = deadlineMs > 0 ? this.#heartbeat.stop().catch(() => undefined) : undefined;
    // Without Redis a worker may never close.
    await within(Promise.all([closed, withdrawn]), longestCloseMs);
    await this.#options.release?.();
  }

  /** Cuts off running jobs. @returns whether all of them could record their end. */
  async #cutOff(idle: Promise<unknown>, deadlineMs: number): Promise<boolean> {
    for (const worker of this.#workers) worker.cancelAllJobs('the runner stops');
    await this.#context.service.client.cutOff();
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

/** After an outage, each of a thousand jobs warns of the same: logs the first, and a minute later how many there were. */
function onceAMinute(log: (facts: object, message: string) => void) {
  const logged = new Map<string, { readonly at: number; more: number }>();
  return (message: string, facts: object): void => {
    const last = logged.get(message);
    if (last && performance.now() - last.at < 60_000) last.more += 1;
    else {
      log(last ? { ...facts, more: last.more } : facts, message);
      logged.set(message, { at: performance.now(), more: 0 });
    }
  };
}
