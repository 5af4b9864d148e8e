/**
 * The retry policy: turns an error of a step into its outcome. A pure function.
 *
 * The two calls that are not idempotent (`journalled`) differ from all others in one point: without a usable answer it is
 * unknown whether they took effect, so they are not repeated (contract, sections 1.5, 3 and 7).
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../../../config/schema.ts';
import { plainFix } from '../../manifest/problems/hint.ts';
import { NotConfirmedError } from '../../platform/redis/durability.ts';
import { isDamage, isRedisFailure } from '../../platform/redis/refusal.ts';
import type { RateLimits } from '../../queues/rate-limits.ts';
import {
  ApiError,
  CreatorAuthorizationExpiredError,
  CutOffError,
  ForbiddenError,
  KeyRefusedError,
  MalformedAnswerError,
  NotSentError,
  OutcomeUnknownError,
  ServerError,
  ThrottledError,
  TooLateError,
} from '../../service/errors.ts';
import { MediaError } from '../../service/media/errors.ts';
import { UnreadableRowError } from './campaign-view.ts';
import type { Outcome, StepFailure } from './outcome.ts';
import { RateLimitReached } from './service.ts';

export interface RetryPolicy {
  readonly journalled: boolean;
  /** Outcome of HTTP 500 for a journalled call. */
  readonly on500: 'retry' | 'review';
}

/** Pause of a queue when Redis did not confirm the send journal, in milliseconds. */
const unconfirmedMs = 2000;

export const idempotent: RetryPolicy = { journalled: false, on500: 'retry' };

/**
 * Any error that is not of the service, of media or of Redis is a defect, of the row's data or of the runner: the row ends with it, as
 * with any other error, instead of running forever.
 * @returns undefined for an outage of Redis: it is temporary, and the job runs again.
 */
export function outcomeOf(error: unknown, policy: RetryPolicy, subject?: string): Outcome | undefined {
  if (error instanceof RateLimitReached) return { kind: 'snooze', ms: error.ms };
  // Nothing was sent, and this queue cannot send until Redis confirms again.
  if (error instanceof NotConfirmedError) return { kind: 'snooze', ms: unconfirmedMs };
  if (error instanceof MediaError) {
    const { code, message, fix } = error;
    const failure = { code, message, subject: error.subject ?? subject, fix: plainFix(fix) };
    return error.transient ? { kind: 'retry', failure, exhausted: 'failed' } : { kind: 'refused', failure };
  }
  if (error instanceof UnreadableRowError) {
    return { kind: 'refused', failure: { code: 'row_unreadable', message: error.message } };
  }
  if (error instanceof ApiError) return outcomeOfCall(error, policy, subject);
  if (isDamage(error)) {
    return { kind: 'damaged', failure: { code: 'data_damaged', message: error.message } };
  }
  if (isRedisFailure(error)) return undefined;
  const failure: StepFailure = {
    code: 'internal_error',
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    fix: `This is a defect of the runner. Report it. ${policy.journalled ? checkThenDecide : 'Then retry the row.'}`,
  };
  // It is unknown whether the call was sent.
  return policy.journalled ? { kind: 'unknown', failure } : { kind: 'retry', failure, exhausted: 'failed' };
}

function outcomeOfCall(error: ApiError, { journalled, on500 }: RetryPolicy, subject?: string): Outcome {
  const { code, message } = error;
  const failure = { code, message, subject, fix: fixOf(error, journalled) };
  if (error instanceof ThrottledError) {
    return { kind: 'throttled', operation: error.operation, retryAfterMs: error.retryAfterMs, failure };
  }
  if (error instanceof KeyRefusedError) {
    return { kind: 'hold', reason: { code, message: `${message} ${error.fix}` } };
  }
  if (error instanceof CreatorAuthorizationExpiredError) return { kind: 'creator-expired', failure };
  // This process stood still: that says nothing about the service.
  if (error instanceof TooLateError) return { kind: 'retry', failure, exhausted: 'failed' };
  if (error instanceof NotSentError) return { kind: 'not-sent', failure };
  if (error instanceof ServerError) {
    if (journalled && on500 === 'review') return { kind: 'unknown', failure };
    return { kind: 'retry', failure, exhausted: journalled ? 'review' : 'failed' };
  }
  if (error instanceof OutcomeUnknownError) {
    if (journalled) return { kind: 'unknown', failure, isCutOff: error instanceof CutOffError };
    return { kind: 'retry', failure, exhausted: 'failed', isUnanswered: true };
  }
  return { kind: 'refused', failure, isForbidden: error instanceof ForbiddenError };
}

const checkThenDecide = "Check the creator's profile, or the service's dashboard, then decide.";

/** A row whose journalled call may have taken effect will be in review, where a retry is not possible. */
function fixOf(error: ApiError, journalled: boolean): string | undefined {
  if (journalled && error instanceof MalformedAnswerError) {
    return `${checkThenDecide} Tell service support: its answer breaks the contract.`;
  }
  const isUnknown = error instanceof OutcomeUnknownError;
  if (journalled && (isUnknown || error instanceof ServerError)) return checkThenDecide;
  return isUnknown && error.code === 'outcome_unknown'
    ? 'Try again later. If the error persists, ask service support.'
    : plainFix(error.fix);
}

/**
 * Backoff between attempts, with full jitter, so that jobs that failed together are not retried together.
 * @param attemptsMade how many attempts have failed so far, from 1.
 * @returns milliseconds: `random(0, min(cap, base * 2^n))`.
 */
export function backoffMs(
  attemptsMade: number,
  { base, cap }: Pick<Settings['retry'], 'base' | 'cap'>,
  random = Math.random,
): number {
  return Math.round(random() * Math.min(cap, base * 2 ** Math.min(attemptsMade - 1, 30)));
}

/** A 429 uses no attempt, but somebody is waiting for this call, so the number of pauses is limited. */
const mostPauses = 20;

/**
 * Repeats a read-only call until it gets a usable answer.
 * @throws {ApiError} the last one, after the last attempt. A refusal or an unreachable service is thrown at once, because a
 *   person at a terminal should know immediately.
 */
export async function repeatedCall<T>(
  operation: string,
  call: () => Promise<T>,
  { rateLimits, retry }: { readonly rateLimits: RateLimits; readonly retry: Settings['retry'] },
): Promise<T> {
  let failures = 0;
  let pauses = 0;
  for (;;) {
    await rateLimits.waitFor(operation);
    try {
      return await call();
    } catch (error) {
      const outcome = error instanceof ApiError ? outcomeOfCall(error, idempotent) : undefined;
      if (outcome?.kind === 'throttled' && pauses < mostPauses) {
        pauses += 1;
        await rateLimits.throttled(operation, outcome.retryAfterMs);
      } else if (outcome?.kind === 'retry' && failures + 1 < retry.attempts) {
        failures += 1;
        await wait(backoffMs(failures, retry));
      } else throw error;
    }
  }
}
