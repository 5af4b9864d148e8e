/**
 * The retry policy: what an error of a step comes to. A pure function.
 *
 * The two calls that are not idempotent (`journalled`) differ from all others in one thing: without a usable answer nobody
 * can tell whether they took effect, so they are not repeated (contract, sections 1.5, 3 and 7).
 */

import {
  ApiError,
  CreatorAuthorizationExpiredError,
  KeyRefusedError,
  NotSentError,
  OutcomeUnknownError,
  ServerError,
  ThrottledError,
} from '../../api/errors.ts';
import { MediaError } from '../../media/errors.ts';
import { NotConfirmedError } from '../../redis/confirmed.ts';
import { isRedisFailure } from '../../redis/refusal.ts';
import { UnreadableRowError } from './campaign-view.ts';
import type { Outcome, StepFailure } from './outcome.ts';
import { BudgetSpent } from './turn.ts';

export interface RetryPolicy {
  readonly journalled: boolean;
  /** What HTTP 500 comes to for a journalled call. */
  readonly on500: 'retry' | 'review';
}

/** How long a queue pauses when Redis did not confirm the send journal, in milliseconds. */
const unconfirmedMs = 2000;

export const idempotent: RetryPolicy = { journalled: false, on500: 'retry' };

/** @returns undefined for an error that is none of the step's own (Redis, a defect): it is thrown on. */
export function outcomeOf(error: unknown, policy: RetryPolicy, subject?: string): Outcome | undefined {
  if (error instanceof BudgetSpent) return { kind: 'park', ms: error.ms };
  // Nothing was sent, and no call of this queue can be until Redis confirms again.
  if (error instanceof NotConfirmedError) return { kind: 'park', ms: unconfirmedMs };
  if (error instanceof MediaError) {
    const failure = failureOf(error, error.subject ?? subject);
    return error.transient ? { kind: 'retry', failure, exhausted: 'failed' } : { kind: 'refused', failure };
  }
  if (error instanceof UnreadableRowError) {
    return { kind: 'refused', failure: { code: 'row_unreadable', message: error.message } };
  }
  if (!(error instanceof ApiError)) return undefined;

  const failure = failureOf(error, subject);
  if (error instanceof ThrottledError) {
    return { kind: 'throttled', operation: error.operation, retryAfterMs: error.retryAfterMs };
  }
  if (error instanceof KeyRefusedError) {
    return { kind: 'hold', reason: { code: error.code, message: `${error.message} ${error.cure}` } };
  }
  if (error instanceof CreatorAuthorizationExpiredError) return { kind: 'creator-expired', failure };
  if (error instanceof NotSentError) return { kind: 'retry', failure, exhausted: 'failed' };
  if (error instanceof ServerError) {
    if (!policy.journalled) return { kind: 'retry', failure, exhausted: 'failed' };
    return policy.on500 === 'review'
      ? { kind: 'unknown', failure }
      : { kind: 'retry', failure, exhausted: 'review' };
  }
  if (error instanceof OutcomeUnknownError) {
    return policy.journalled ? { kind: 'unknown', failure } : { kind: 'retry', failure, exhausted: 'failed' };
  }
  return { kind: 'refused', failure };
}

/**
 * An error that is none of the step's own. What Redis says passes by itself, and the job runs again. Anything else is a
 * defect: the row ends with it like with any other error, instead of running for ever.
 * @returns undefined for what Redis says.
 */
export function outcomeOfDefect(error: unknown, policy: RetryPolicy): Outcome | undefined {
  if (isRedisFailure(error)) return undefined;
  const failure = {
    code: 'internal_error',
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    cure: 'This is a defect of the runner, please report it; then retry the row.',
  };
  // Whether the call went out before cannot be told.
  return policy.journalled ? { kind: 'unknown', failure } : { kind: 'retry', failure, exhausted: 'failed' };
}

function failureOf(
  error: { readonly code: string; readonly message: string; readonly cure: string },
  subject: string | undefined,
): StepFailure {
  return { code: error.code, message: error.message, subject, cure: error.cure };
}
