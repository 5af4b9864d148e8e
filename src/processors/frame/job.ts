/** The run of any job: it is worked, its outcome is reported to BullMQ, and whoever counts jobs is told of it. */
import type { Job, Processor } from 'bullmq';
import { campaignQueue } from '../../queues/campaign.ts';
import type { QueueName } from '../../queues/queues.ts';
import type { FinishedJob, ProcessorContext } from './context.ts';
import type { Outcome } from './outcome.ts';

/** A job at work, as BullMQ hands it over. */
export interface JobAtWork {
  readonly job: Job;
  /** BullMQ's lock token, which moves of the job need. */
  readonly lock: string;
  readonly signal: AbortSignal | undefined;
}

/** What a job has come to, and for whom it acted. */
interface Worked extends Pick<FinishedJob, 'campaign' | 'row' | 'rows'> {
  readonly outcome: Outcome;
  /** Tells BullMQ of the outcome; a job that is simply complete has nothing to tell. */
  readonly report?: () => Promise<void>;
}

/** Makes a processor. It declares three parameters: BullMQ passes its signal only to those that do. */
export function jobProcessor(
  context: ProcessorContext,
  queue: QueueName,
  work: (at: JobAtWork) => Promise<Worked>,
): Processor {
  return async (job, lock, signal) => {
    const began = performance.now();
    let worked: Worked | undefined;
    try {
      worked = await work({ job, lock: lock ?? '', signal });
      await worked.report?.();
    } finally {
      const runMs = Math.round(performance.now() - began);
      const finished = describe(job, queue, worked, runMs);
      context.log.debug(finished, 'job');
      context.onJobFinished?.(finished);
    }
  };
}

function describe(job: Job, queue: QueueName, worked: Worked | undefined, runMs: number): FinishedJob {
  const { outcome, report: _report, ...place } = worked ?? { outcome: undefined };
  return {
    ...place,
    step: queue === campaignQueue ? job.name : queue,
    queue,
    job: job.id ?? '',
    outcome: outcome?.kind ?? 'error',
    code: outcome && codeOf(outcome),
    attempt: job.attemptsMade + 1,
    waitMs: waitOf(job),
    runMs,
  };
}

function codeOf(outcome: Outcome): string | undefined {
  if ('failure' in outcome) return outcome.failure.code;
  return outcome.kind === 'hold' ? outcome.reason.code : undefined;
}

/** BullMQ forgets since when a job waits that comes again: only that of the first run is known. */
function waitOf({ attemptsStarted, processedOn, timestamp, opts }: Job): number | undefined {
  if (attemptsStarted > 1 || processedOn === undefined) return undefined;
  // Clocks of machines differ.
  return Math.max(0, processedOn - timestamp - (opts.delay ?? 0));
}
