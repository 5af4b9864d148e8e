/** Everything that a step can come to, as one closed union. What BullMQ makes of each is decided in `report.ts` alone. */
import { authorizationExpiredCode } from '../../api/contract/showcase.ts';
import type { PauseReason } from '../../ledger/campaigns.ts';

/** An error as it is written to the row: `code` is stable, `message` is for people. */
export interface StepFailure {
  readonly code: string;
  readonly message: string;
  readonly subject?: string | undefined;
  readonly cure?: string | undefined;
}

export type Outcome =
  /** The step has done its part. */
  | { readonly kind: 'done' }
  /** Nothing went wrong; the job comes again at a time (Unix epoch, milliseconds). Uses no attempt. */
  | { readonly kind: 'again'; readonly at: number }
  /** The job waits for jobs that were added under it. */
  | { readonly kind: 'wait-for-children' }
  /** The budget of the operation is spent for longer than is worth waiting: the whole queue waits. Uses no attempt. */
  | { readonly kind: 'park'; readonly ms: number }
  /** The service answered 429: the operation pauses for everybody. Uses no attempt. */
  | { readonly kind: 'throttled'; readonly operation: string; readonly retryAfterMs: number | undefined }
  /** A transient failure without effect: tried again with backoff; `exhausted` is how the row ends when attempts run out. */
  | { readonly kind: 'retry'; readonly failure: StepFailure; readonly exhausted: 'failed' | 'review' }
  /** The row fails; `fields` is what was learnt of it on the way. */
  | {
      readonly kind: 'refused';
      readonly failure: StepFailure;
      readonly fields?: readonly (readonly [string, string])[];
    }
  /** Nobody can tell whether the call took effect, or what to do: a person decides. */
  | { readonly kind: 'unknown'; readonly failure: StepFailure }
  /** The creator's authorization has expired: its breaker is open, and the row fails. */
  | { readonly kind: 'creator-expired'; readonly failure: StepFailure }
  /** Something that is no fault of the row (the key): the campaign pauses, and the job comes again. */
  | { readonly kind: 'hold'; readonly reason: PauseReason }
  /** The row has ended by another job; this one stays failed, so that its parent does not run without it. */
  | { readonly kind: 'row-ended'; readonly message: string };

/** What a job that acts for no row can come to. */
export type JobOutcome = Extract<Outcome, { readonly kind: 'done' | 'again' }>;

export const done: JobOutcome = { kind: 'done' };

/** A row of a creator whose breaker is open fails without a call, with the code that opened it. */
export function breakerFailure(message: string, creator: string): StepFailure {
  return {
    code: String(authorizationExpiredCode),
    message,
    subject: creator,
    cure: 'Let the creator authorize anew, then resume the campaign for this creator.',
  };
}
