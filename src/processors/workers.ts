/**
 * The workers of one process: one per queue, with the limits that `docs/architecture.md` explains.
 *
 * Duties: 1. start them; 2. recover work of killed processes within seconds; 3. stop: take no new jobs, let those at work
 * finish until a deadline, then cut them off.
 */
import { type Job, type Processor, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { campaignQueue, keeperJobName } from '../queues/campaign.ts';
import { generateQueue } from '../queues/generate.ts';
import { pollQueue } from '../queues/poll.ts';
import { postQueue } from '../queues/post.ts';
import { type QueueName, queueNames } from '../queues/queues.ts';
import { showcaseQueue } from '../queues/showcase.ts';
import { uploadQueue } from '../queues/upload.ts';
import { admit } from './admission.ts';
import { backoffMs } from './backoff.ts';
import type { ProcessorContext } from './context.ts';
import { generateStep } from './generate.ts';
import { keep } from './keeper.ts';
import { pollStep } from './poll.ts';
import { postStep } from './post.ts';
import { settle } from './settle.ts';
import { showcaseProcessor } from './showcase.ts';
import { stepProcessor } from './step.ts';
import { uploadStep } from './upload.ts';

/** A killed worker's jobs are found after its locks have run out, at the next check: within 15 seconds. */
const lockDuration = 10_000;
const stalledInterval = 5_000;
/** A second crash in the same job must not fail it. */
const maxStalledCount = 5;
const keeperEveryMs = 15_000;
const longestCloseMs = 5_000;

export interface WorkersOptions {
  readonly context: ProcessorContext;
  /** A new connection for each worker: they block on it. */
  readonly connect: (purpose: string) => Redis | Cluster;
  /** All queues unless named. */
  readonly queues?: readonly QueueName[] | undefined;
  /** Called once all have stopped, to give back what was opened for them. */
  readonly release?: (() => Promise<void>) | undefined;
}

export class Workers {
  readonly #context: ProcessorContext;
  readonly #workers: readonly Worker[];
  readonly #release: (() => Promise<void>) | undefined;
  #stopping = false;

  constructor({ context, connect, queues = queueNames, release }: WorkersOptions) {
    this.#context = context;
    this.#release = release;
    this.#workers = queues.map((name) => this.#open(name, connect(`worker-${name}`)));
  }

  /** Whether every worker takes jobs: no longer once they are told to stop. */
  get areRunning(): boolean {
    return !this.#stopping && this.#workers.every((worker) => worker.isRunning());
  }

  /** Starts to take jobs. */
  async start(): Promise<void> {
    const { queues, log } = this.#context;
    await queues.scheduleKeeper(keeperEveryMs);
    const paused = await queues.paused();
    if (paused.length > 0)
      log.warn({ queues: paused }, 'paused in Bull Board: their jobs wait until resumed');
    for (const worker of this.#workers) void worker.run();
  }

  /**
   * Stops: takes no new jobs, waits for those at work, and after `deadlineMs` cuts them off. A call that is cut off may have
   * taken effect, so its row goes to review when it is taken up again.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    this.#context.budgets.close();
    // Not `close`, which could not be forced any more once it waits.
    const idle = Promise.all(this.#workers.map((worker) => worker.pause()));
    const finished = await within(idle, deadlineMs);
    if (!finished) for (const worker of this.#workers) worker.cancelAllJobs('the runner stops');
    const closed = Promise.all(this.#workers.map((worker) => worker.close(!finished)));
    // Without Redis a worker may never close.
    await within(closed, longestCloseMs);
    await this.#release?.();
  }

  #open(name: QueueName, connection: Redis | Cluster): Worker {
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
      return showcaseProcessor(context);
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

/** Jobs of the queue `campaign` act for no row: there is nothing to end or to clear. */
function campaignProcessor(context: ProcessorContext): Processor {
  return async (job: Job, lock) => {
    if (job.name === keeperJobName) return keep(context);
    const run = {
      job,
      lock: lock ?? '',
      queue: campaignQueue,
      campaign: '',
      clearJournal: async () => undefined,
      endRows: async () => undefined,
      openBreaker: async () => undefined,
    } as const;
    return settle(context, run, await admit(context, job));
  };
}
