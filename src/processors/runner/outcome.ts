/** All outcomes of a step, as one closed union. Only `report.ts` decides what BullMQ does with each. */

import type { PauseReason } from '../../ledger/campaigns/campaign.ts';
import type { ErrorCode } from '../../manifest/problems/error-codes.ts';
import { authorizationExpiredCode } from '../../service/contract/creators.ts';

/** An error as written to the row: `message` is for people. */
export interface StepFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly subject?: string | undefined;
  readonly fix?: string | undefined;
}

export type Outcome =
  | { readonly kind: 'done' }
  /** Not an error: the job runs again at `at` (Unix epoch, milliseconds). Uses no attempt. */
  | { readonly kind: 'again'; readonly at: number }
  /** The rows were read from another sheet than the campaign has now: the job reads them again. Uses no attempt. */
  | { readonly kind: 'outdated' }
  /** The job waits for jobs that were added under it. */
  | { readonly kind: 'wait-for-children' }
  /** The rate limit of the operation is spent for too long to wait in place: the whole queue waits. Uses no attempt. */
  | { readonly kind: 'snooze'; readonly ms: number }
  /** The service answered 429: the operation pauses in all processes. Uses no attempt. */
  | {
      readonly kind: 'throttled';
      readonly operation: string;
      readonly retryAfterMs: number | undefined;
      readonly failure: StepFailure;
    }
  /** The connection was never made. While the service answers no call at all, the job waits, without using an attempt. */
  | { readonly kind: 'not-sent'; readonly failure: StepFailure }
  /** A transient failure without effect: retried with backoff. `exhausted` is how the row ends after the last attempt. */
  | {
      readonly kind: 'retry';
      readonly failure: StepFailure;
      readonly exhausted: 'failed' | 'review';
      /** Whether no answer came. While the service answers no call at all, the job waits for a while, without using an attempt. */
      readonly isUnanswered?: boolean;
    }
  /** The row fails. `fields` is progress made before that. `isForbidden`: a permission is missing, perhaps for everyone. */
  | {
      readonly kind: 'refused';
      readonly failure: StepFailure;
      readonly isForbidden?: boolean;
      readonly fields?: readonly (readonly [string, string])[];
    }
  /** It is unknown whether the call took effect, or what to do: a person decides. `isCutOff`: the call may still be under way. */
  | { readonly kind: 'unknown'; readonly failure: StepFailure; readonly isCutOff?: boolean }
  /** Data of the row in Redis cannot be used: a person decides. If it is the campaign's, that is paused. */
  | { readonly kind: 'damaged'; readonly failure: StepFailure }
  /** The creator's authorization has expired: the creator's breaker opens, and the row fails. */
  | { readonly kind: 'creator-expired'; readonly failure: StepFailure }
  /** Not the row's fault (such as a refused key): the campaign pauses, and the job runs again. */
  | { readonly kind: 'hold'; readonly reason: PauseReason }
  /** Another job has ended the row. This one stays failed, so that its parent does not run without it. */
  | { readonly kind: 'row-ended'; readonly message: string };

/** Outcomes of a job that works for no row. */
export type JobOutcome = Extract<Outcome, { readonly kind: 'done' | 'again' }>;

export const done: JobOutcome = { kind: 'done' };

/** Outcome of a job that was run again although its rows have failed, and that may not revive them. */
export function retryByCommand(campaign: string): Outcome {
  const message = `This job sent nothing. Retry the failed rows of campaign ${campaign} instead`;
  return { kind: 'row-ended', message };
}

/** Outcome of a job of failed rows that was run again although their creator has not authorized again. The rows stay failed. */
export function stillOnHold(campaign: string, creator: string): Outcome {
  return {
    kind: 'row-ended',
    message: `Nothing was sent: ${creator} is on hold. After the creator has authorized again, resume campaign ${campaign} for this creator`,
  };
}

/** While a creator's breaker is open, the creator's rows fail without a call, with the code that opened it. */
export function breakerFailure(message: string, creator: string): StepFailure {
  return {
    code: `${authorizationExpiredCode}`,
    message,
    subject: creator,
    fix: 'Ask the creator to authorize again, then resume the campaign for this creator.',
  };
}
