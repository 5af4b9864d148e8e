/**
 * The one place that tells BullMQ what to do after an outcome. The end of a row is written to the ledger first: if the process
 * dies in between, the job runs again and finds its row ended.
 */
import { DelayedError, RateLimitError, UnrecoverableError, WaitingChildrenError } from 'bullmq';
import type { PauseReason } from '../../ledger/campaigns/campaign.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { isDamage } from '../../platform/redis/refusal.ts';
import type { ProcessorContext } from './context.ts';
import { damagedCampaign, type RunningJob } from './job.ts';
import type { JobOutcome, Outcome, StepFailure } from './outcome.ts';
import type { RowsRun } from './runs.ts';

/** Jobs of a paused campaign try again after this long. */
export const pausedMs = 2000;
/** A snoozed queue tries again at least this often, even if nobody wakes it. */
const longestSnoozeMs = 30_000;
/** How often a queue tries again while the service does not answer, in milliseconds. */
const silentMs = 5000;

type DelayContext = Pick<ProcessorContext, 'queues' | 'now'>;

/** Reports a job that works for no row: returns when it is complete, else throws the error that BullMQ expects. */
export async function reportJob(
  context: DelayContext,
  running: Pick<RunningJob, 'job' | 'lock'>,
  outcome: JobOutcome,
): Promise<void> {
  if (outcome.kind === 'again') await delay(context, running, outcome.at);
}

/** As `reportJob`, for a job that works for rows: the rows end first. */
export async function report(context: ProcessorContext, run: RowsRun, outcome: Outcome): Promise<void> {
  try {
    await reportRows(context, run, outcome);
  } catch (error) {
    if (!isDamage(error)) throw error;
    await damaged(context, run, error.message);
  }
}

async function reportRows(context: ProcessorContext, run: RowsRun, outcome: Outcome): Promise<void> {
  switch (outcome.kind) {
    case 'done':
    case 'again':
      return reportJob(context, run, outcome);
    case 'outdated':
      return delay(context, run, context.now() + pausedMs);
    case 'wait-for-children':
      if (await run.job.moveToWaitingChildren(run.lock)) throw new WaitingChildrenError();
      return delay(context, run, context.now());
    case 'snooze':
      await run.clearJournal();
      return snooze(context, run, outcome.ms);
    case 'throttled':
      await run.clearJournal();
      await run.recordAttempt('throttled', outcome.failure);
      return throttle(context, run, outcome);
    case 'hold':
      await run.clearJournal();
      await run.recordAttempt('held', outcome.reason);
      return hold(context, run, outcome.reason);
    case 'not-sent':
      return retryUnanswered(context, run, outcome.failure, false);
    case 'retry':
      if (outcome.isUnanswered) return retryUnanswered(context, run, outcome.failure, true);
      return retry(context, run, outcome.failure, outcome.exhausted);
    case 'damaged':
      return damaged(context, run, outcome.failure.message);
    case 'creator-expired':
      return end(context, run, 'failed', outcome.failure);
    case 'refused':
      return end(context, run, 'failed', outcome.failure, outcome.fields);
    case 'unknown':
      return end(context, run, outcome.isCutOff ? 'cut-off' : 'review', outcome.failure);
    case 'row-ended':
      throw new UnrecoverableError(outcome.message);
  }
}

/** While the service answers no call at all, the job runs again without using an attempt. */
async function retryUnanswered(
  context: ProcessorContext,
  run: RowsRun,
  failure: StepFailure,
  wasSent: boolean,
): Promise<void> {
  const isExcused = context.service.reach?.covers(wasSent) ?? false;
  if (!isExcused) return retry(context, run, failure);
  await run.clearJournal();
  await run.recordAttempt('again', failure);
  return snooze(context, run, Math.min(context.settings.retry.cap, silentMs));
}

async function retry(
  context: ProcessorContext,
  run: RowsRun,
  failure: StepFailure,
  exhausted: 'failed' | 'review' = 'failed',
): Promise<never> {
  const { attemptsMade, opts } = run.job;
  if (attemptsMade + 1 >= (opts.attempts ?? 1)) return end(context, run, exhausted, failure);
  await run.clearJournal();
  await run.recordAttempt('retry', failure);
  throw new Error(`${failure.code}: ${failure.message}`);
}

/** A repetition would change nothing: the rows go to review, unless the damaged data is the campaign's, which is paused then. */
async function damaged(context: ProcessorContext, run: RowsRun, message: string): Promise<never> {
  const { ledger, queues, log } = context;
  const { job, campaign, rows } = run;
  try {
    if ((await ledger.steps.endDamaged(campaign, rows, message)) === 'wake')
      await queues.wakeAdmission(campaign);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return hold(context, run, damagedCampaign(error));
  }
  log.error({ job: job.id, error: message }, 'damaged data in Redis: rows go to review');
  throw new UnrecoverableError(`data_damaged: ${message}`);
}

async function end(
  context: ProcessorContext,
  run: RowsRun,
  verdict: 'failed' | 'review' | 'cut-off',
  failure: StepFailure,
  fields?: readonly (readonly [string, string])[],
): Promise<never> {
  await run.endRows(verdict, failure, fields);
  context.log.warn({ job: run.job.id, code: failure.code, subject: failure.subject }, verdict);
  throw new UnrecoverableError(`${failure.code}: ${failure.message}`);
}

/** Pauses the operation in all processes. If every answer was 429 for too long, the campaign is paused for a person to look. */
async function throttle(
  context: ProcessorContext,
  run: RowsRun,
  { operation, retryAfterMs }: Extract<Outcome, { readonly kind: 'throttled' }>,
): Promise<never> {
  const { pauseMs, forMs } = await context.service.rateLimits.throttled(operation, retryAfterMs);
  context.log.warn({ operation, pauseMs }, 'throttled');
  const { throttledFor } = context.settings.retry;
  if (forMs >= throttledFor) {
    const campaign = await context.ledger.campaigns.find(run.campaign);
    // A campaign that has just begun, or was resumed, gets the full time.
    const runsSince = campaign?.resumedAt ?? campaign?.createdAt ?? 0;
    if (context.now() - runsSince >= throttledFor) {
      return hold(context, run, {
        code: 'throttled',
        message: `Every call of ${operation} was answered with 429 (too many requests) for ${Math.round(forMs / 60_000)} min. Ask service support which rate is allowed, then lower the rate limit.`,
        hints: [hint('rate', { operation })],
      });
    }
  }
  return snooze(context, run, pauseMs);
}

async function hold(context: ProcessorContext, run: RowsRun, reason: PauseReason): Promise<never> {
  await context.ledger.campaigns.pause(run.campaign, reason);
  context.log.error({ campaign: run.campaign, code: reason.code }, 'campaign paused');
  return delay(context, run, context.now() + pausedMs);
}

async function delay(
  { queues, now }: DelayContext,
  { job, lock }: Pick<RunningJob, 'job' | 'lock'>,
  at: number,
): Promise<never> {
  await queues.delay(job, lock, at, now());
  throw new DelayedError();
}

async function snooze(context: ProcessorContext, run: RowsRun, ms: number): Promise<never> {
  const queue = await context.queues.queue(run.step);
  await queue.rateLimit(Math.ceil(Math.min(Math.max(ms, 10), longestSnoozeMs)));
  throw new RateLimitError();
}
