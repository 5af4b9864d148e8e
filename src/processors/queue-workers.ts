/** What the workers of a process do with the jobs of each queue, how many at once, and how BullMQ is told to do it. */
import type { Processor, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { admissionPayload, campaignQueue, recordsJobName, rescuerJobName } from '../queues/campaign-jobs.ts';
import type { QueueName } from '../queues/queues.ts';
import { repeatStrategy } from '../queues/scrape.ts';
import { isOutage } from '../redis/refusal.ts';
import { admit } from './admission/admit.ts';
import { notifyProcessor } from './notify/deliver.ts';
import { beginRun } from './periodic-jobs.ts';
import { type JobGate, PromptWorker } from './prompt-worker.ts';
import { lookIntoAllRecords } from './records/reconcile.ts';
import { rescue } from './rescue/rescuer.ts';
import type { ProcessorContext } from './runner/context.ts';
import { jobProcessor, mendingCampaign } from './runner/job.ts';
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

interface QueueWork {
  readonly atOnce: (context: ProcessorContext) => number;
  readonly processor: (context: ProcessorContext) => Processor;
}

const works: Readonly<Record<QueueName, QueueWork>> = {
  campaign: { atOnce: () => 4, processor: campaignProcessor },
  showcase: workOf(showcaseStep),
  generate: workOf(generateStep),
  poll: workOf(pollStep),
  upload: workOf(uploadStep),
  // Most of its jobs upload a file before their call.
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
  return takesUploads ? concurrency.post * 2 : concurrency.post;
}

/** Jobs of the queue `campaign` work for no row, so there is no row to end. */
function campaignProcessor(context: ProcessorContext): Processor {
  return jobProcessor(context, campaignQueue, async (at) => {
    const { job, signal } = at;
    if (job.name === rescuerJobName) {
      await beginRun(context, job);
      await rescue(context);
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

export class QueueWorkers {
  readonly all: readonly Worker[];
  /** Jobs that run in this process. */
  atWork = 0;
  /** When an error last showed that Redis is away or takes no writes, as `performance.now()`: its connections report that. */
  #outageAt = Number.NEGATIVE_INFINITY;
  readonly #context: ProcessorContext;
  readonly #options: { readonly connection: Redis; readonly gate: JobGate; readonly speedUp: number };
  readonly #warn: (message: string, facts: object) => void;

  /** Opens a worker for each queue; none of them runs yet. @param options as `WorkersOptions`. */
  constructor(
    context: ProcessorContext,
    queues: readonly QueueName[],
    options: { readonly connection: Redis; readonly gate: JobGate; readonly speedUp: number },
  ) {
    this.#context = context;
    this.#options = options;
    this.#warn = onceAMinute((facts, message) => context.log.warn(facts, message));
    this.all = queues.map((name) => this.#open(name));
  }

  #open(name: QueueName): Worker {
    const { settings, queues, log, clock, ledger } = this.#context;
    const { connection, gate, speedUp } = this.#options;
    const { processor, atOnce } = works[name];
    const process = processor(this.#context);
    const counted: Processor = async (job, token, signal) => {
      this.atWork += 1;
      try {
        return await process(job, token, signal);
      } finally {
        this.atWork -= 1;
      }
    };
    const worker = new PromptWorker(name, counted, {
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
      gate,
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
    worker.untilWritable = ledger.untilWritable;
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
