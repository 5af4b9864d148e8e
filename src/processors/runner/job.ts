/** Runs any job: does its work, reports the outcome to BullMQ and to the metrics. */
import { DelayedError, type Job, type Processor } from 'bullmq';
import type { PauseReason } from '../../ledger/campaigns/campaign.ts';
import { describeDamage, isDamage, refusalCode } from '../../platform/redis/refusal.ts';
import { campaignQueue, scrapeQueue } from '../../queues/campaign-jobs.ts';
import type { QueueName } from '../../queues/queues.ts';
import type { FinishedJob, ProcessorContext } from './context.ts';
import type { Outcome } from './outcome.ts';

/** A running job, as BullMQ hands it over. */
export interface RunningJob {
  readonly job: Job;
  /** BullMQ's lock token, required to move the job. */
  readonly lock: string;
  readonly signal: AbortSignal | undefined;
  /** Set by the work, called once the job has ended and its end is reported. */
  release?: () => void;
}

/**
 * Identifies a job to the ledger. A job that a person runs again may send the rows again that it failed. A job taken over from a
 * killed worker may not, because it may have failed them already, so it gets another id. BullMQ counts the takeovers.
 */
export function identityOf({ id = '', stalledCounter }: Job): string {
  return stalledCounter === 0 ? id : `${id}~${stalledCounter}`;
}

interface JobResult extends Pick<FinishedJob, 'campaign' | 'row' | 'rows'> {
  readonly outcome: Outcome;
  /** Reports the outcome to BullMQ; not needed for a completed job. */
  readonly report?: () => Promise<void>;
  /** Result of a completed job, for Bull Board. */
  readonly result?: unknown;
}

/** Creates a processor. It must declare three parameters, or BullMQ does not pass the signal. */
export function jobProcessor(
  context: ProcessorContext,
  queue: QueueName,
  work: (running: RunningJob) => Promise<JobResult>,
): Processor {
  return async (job, lock, signal) => {
    const began = performance.now();
    const running: RunningJob = { job, lock: lock ?? '', signal };
    let worked: JobResult | undefined;
    try {
      worked = await work(running);
      await worked.report?.();
      return worked.result;
    } catch (error) {
      if (refusalCode(error) === undefined) throw error;
      worked = undefined;
      return await putBack(context, running);
    } finally {
      running.release?.();
      const runMs = Math.round(performance.now() - began);
      const finished = describe(job, queue, worked, runMs);
      context.log.debug(finished, 'job');
      context.onJobFinished?.(finished);
    }
  };
}

/** Delays the job until Redis takes writes again, without using an attempt. A job whose lock expires before is taken over without one, too. */
async function putBack(
  { ledger, queues, now }: ProcessorContext,
  { job, lock, signal }: RunningJob,
): Promise<never> {
  const stopped = Promise.withResolvers<void>();
  if (signal?.aborted) stopped.resolve();
  signal?.addEventListener('abort', () => stopped.resolve(), { once: true });
  await Promise.race([ledger.untilWritable(), stopped.promise]);
  const at = now();
  await queues.delay(job, lock, at, at).catch(() => undefined);
  throw new DelayedError();
}

function describe(job: Job, queue: QueueName, worked: JobResult | undefined, runMs: number): FinishedJob {
  const { outcome, report: _report, result: _result, ...place } = worked ?? { outcome: undefined };
  return {
    ...place,
    step: queue === campaignQueue || queue === scrapeQueue ? job.name : queue,
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

/** Milliseconds from due to start, for the first run only: BullMQ does not record since when a later run has been waiting. */
function waitOf({ attemptsStarted, processedOn, timestamp, opts }: Job): number | undefined {
  if (attemptsStarted > 1 || processedOn === undefined) return undefined;
  // The clocks of machines may differ.
  return Math.max(0, processedOn - timestamp - (opts.delay ?? 0));
}

/** Pauses a campaign whose data in Redis cannot be used. @throws every error of the work. */
export async function pauseIfDamaged<T>(
  { ledger, log }: Pick<ProcessorContext, 'ledger' | 'log'>,
  campaign: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDamage(error)) {
      log.error({ campaign, error: error.message }, 'damaged data in Redis');
      await ledger.campaigns.pause(campaign, damagedCampaign(error));
    }
    throw error;
  }
}

/** @param error of Redis, which names the key. */
export function damagedCampaign(error: Error): PauseReason {
  const message = `Data of this campaign in Redis is damaged: ${describeDamage(error)}. Find out which program writes there, restore or remove the key, then resume.`;
  return { code: 'data_damaged', message };
}
