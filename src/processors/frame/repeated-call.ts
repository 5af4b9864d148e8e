/** Calls outside of jobs that only read: each waits for its turn, and is repeated as a step would be. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../../../config/schema.ts';
import { NotSentError } from '../../api/errors.ts';
import type { Budgets } from '../../queues/budgets.ts';
import { backoffMs } from './backoff.ts';
import { idempotent, outcomeOf } from './classify.ts';

/** A 429 uses no attempt, but somebody waits for this call: it is not put off for ever. */
const mostPauses = 20;

export interface RepeatedCallTools {
  readonly budgets: Budgets;
  readonly retry: Settings['retry'];
}

/**
 * Calls a reading operation until it has an answer that is of use.
 * @throws {ApiError} the last one, when attempts run out; at once for a refusal, and for a service that cannot be reached:
 *   a person at a terminal should hear of that now.
 */
export async function repeatedCall<T>(
  operation: string,
  call: () => Promise<T>,
  { budgets, retry }: RepeatedCallTools,
): Promise<T> {
  let failures = 0;
  let pauses = 0;
  for (;;) {
    await budgets.waitFor(operation);
    try {
      return await call();
    } catch (error) {
      const outcome = outcomeOf(error, idempotent);
      if (outcome?.kind === 'throttled' && pauses < mostPauses) {
        pauses += 1;
        await budgets.throttled(operation, outcome.retryAfterMs);
      } else if (
        outcome?.kind === 'retry' &&
        failures + 1 < retry.attempts &&
        !(error instanceof NotSentError)
      ) {
        failures += 1;
        await wait(backoffMs(failures, retry));
      } else throw error;
    }
  }
}
