/**
 * The workers of one process: one per queue, with the limits that `docs/architecture.md` explains.
 *
 * Duties: 1. start them; 2. recover work of killed processes within seconds; 3. stop: take no new jobs, let those at work
 * finish until a deadline, then cut them off; 4. say that they live.
 */
import { type Processor, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Withdraw, WorkerFacts } from '../ledger/presence.ts';
import { admissionPayload, campaignQueue, keeperJobName, recordsJobName } from '../queues/campaign.ts';
import { generateQueue } from '../queues/generate.ts';
import { pollQueue } from '../queues/poll.ts';
import { postQueue } from '../queues/post.ts';
import { type QueueName, queueNames } from '../queues/queues.ts';
import { showcaseQueue } from '../queues/showcase.ts';
import { uploadQueue } from '../queues/upload.ts';
import { admit } from './admission/admit.ts';
import { backoffMs } from './frame/backoff.ts';
import type { ProcessorContext } from './frame/context.ts';
import { jobProcessor } from './frame/job.ts';
import { done } from './frame/outcome.ts';
import { reportJob } from './frame/report.ts';
import { stepProcessor } from './frame/step.ts';
import { lookIntoAllRecords } from './records/publishing-records.ts';
import { generateStep } from './steps/generate.ts';
import { pollStep } from './steps/poll.ts';
import { postStep } from './steps/post.ts';
import { showcaseStep } from './steps/showcase.ts';
import { uploadStep } from './steps/upload.ts';
import { keep } from './upkeep/keeper.ts';

/** A killed worker's jobs are found after its locks have run out, at the next check: within 15 seconds. */
const lockDuration = 10_000;
const stalledInterval = 5_000;
/** A second crash in the same job must not fail it. */
const maxStalledCount = 5;
/** A worker whose queue is parked asks again so often whether it still is: a budget may have been raised. */
const maximumRateLimitDelay = 1000;
const keeperEveryMs = 15_000;
/** How often rows in review are looked at; posts are followed as often as the settings say. */
const recordsEveryMs = 15_000;
const longestCloseMs = 5_000;
/** What was cut off is written down within this time: rows go to review. */
const longestReportMs = 5_000;

export interface WorkersOptions {
  readonly context: ProcessorContext;
  /** A new connection for each worker: they block on it. */
  readonly connect: (purpose: string) => Redis;
  /** All queues unless named. */
  readonly queues?: readonly QueueName[] | undefined;
  /** Where and what this process is: the others see by it who is at work. */
  readonly self: Pick<WorkerFacts, 'host' | 'pid' | 'version'>;
  /** Called once all have stopped, to give back what was opened for them. */
  readonly release?: (() => Promise<void>) | undefined;
}

export class Workers {
  readonly #context: ProcessorContext;
  readonly #workers: readonly Worker[];
  readonly #release: (() => Promise<void>) | undefined;
  #stopping = false;
  /** What the other processes know of this one. */
  readonly facts: Omit<WorkerFacts, 'since'>;
  #withdraw: Withdraw | undefined;

  constructor({ context, connect, queues = queueNames, self, release }: WorkersOptions) {
    this.#context = context;
    this.#release = release;
    this.facts = { ...self, queues };
    this.#workers = queues.map((name) => this.#open(name, connect(`worker-${name}`)));
  }

  /** Whether every worker takes jobs: no longer once they are told to stop. */
  get areRunning(): boolean {
    return !this.#stopping && this.#workers.every((worker) => worker.isRunning());
  }

  /** Starts to take jobs, and lets the other processes know of it. */
  async start(): Promise<void> {
    const { queues, ledger, settings, log, now } = this.#context;
    this.#withdraw = await ledger.presence.announce({ ...this.facts, since: now() });
    await queues.schedule(keeperJobName, keeperEveryMs);
    if (settings.api.listPosts) {
      const everyMs = Math.max(1000, Math.min(recordsEveryMs, settings.records.every));
      await queues.schedule(recordsJobName, everyMs);
    }
    const paused = await queues.paused();
    if (paused.length > 0)
      log.warn({ queues: paused }, 'paused in Bull Board: their jobs wait until resumed');
    for (const worker of this.#workers) void worker.run();
  }

  /**
   * Stops: takes no new jobs, waits for those at work, and after `deadlineMs` cuts them off, their calls included. A call
   * that is cut off may have taken effect, so its row goes to review.
   * @param deadlineMs 0 when Redis is gone: then nothing can be waited for.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    this.#context.accounts.stopWaiting();
    // Not `close`, which could not be forced any more once it waits.
    const idle = Promise.all(this.#workers.map((worker) => worker.pause()));
    const finished = (await within(idle, deadlineMs)) || (await this.#cutOff(idle, deadlineMs));
    const closed = Promise.all(this.#workers.map((worker) => worker.close(!finished)));
    // Where Redis is gone there is nothing to take back; else it lapses by itself.
    const withdrawn = deadlineMs > 0 ? this.#withdraw?.().catch(() => undefined) : undefined;
    // Without Redis a worker may never close.
    await within(Promise.all([closed, withdrawn]), longestCloseMs);
    await this.#release?.();
  }

  /** Ends the jobs at work. @returns whether all of them could write down what they had come to. */
  async #cutOff(idle: Promise<unknown>, deadlineMs: number): Promise<boolean> {
    for (const worker of this.#workers) worker.cancelAllJobs('the runner stops');
    await this.#context.accounts.cutOff();
    return within(idle, Math.min(deadlineMs, longestReportMs));
  }

  #open(name: QueueName, connection: Redis): Worker {
    const { settings, queues, log } = this.#context;
    const worker = new Worker(name, processorOf(name, this.#context), {
      connection,
      prefix: queues.prefix,
      // No `skipVersionCheck`: a worker that does not know the server rounds waits up to whole seconds.
      autorun: false,
      concurrency: concurrencyOf(name, this.#context),
      lockDuration,
      stalledInterval,
      maxStalledCount,
      // No limit of its own: budgets limit. But only a worker with a limiter heeds a queue that was parked.
      limiter: { max: 1_000_000, duration: 1000 },
      maximumRateLimitDelay,
      settings: { backoffStrategy: (attemptsMade) => backoffMs(attemptsMade, settings.retry) },
    });
    worker.on('error', (error) => log.warn({ queue: name, error: error.message }, 'worker'));
    worker.on('failed', (job, error) => log.debug({ job: job?.id, error: error.message }, 'job failed'));
    worker.on('stalled', (jobId) => log.warn({ job: jobId }, 'taken over from a worker that went silent'));
    return worker;
  }
}

/** Whether it came to an end in time. */
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
  return name === campaignQueue ? 4 : settings.concurrency[name];
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
  }
}

/** Jobs of the queue `campaign` act for no row: there is none to end. */
function campaignProcessor(context: ProcessorContext): Processor {
  return jobProcessor(context, campaignQueue, async (at) => {
    const { job, signal } = at;
    if (job.name === keeperJobName) {
      await keep(context);
      return { outcome: done };
    }
    if (job.name === recordsJobName) {
      await lookIntoAllRecords(context, signal);
      return { outcome: done };
    }
    const { c: campaign } = admissionPayload.parse(job.data);
    const outcome = await admit(context, campaign, job);
    return { outcome, campaign, report: () => reportJob(at, outcome) };
  });
}
