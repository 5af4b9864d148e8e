/** Read-only calls outside of jobs. Each waits for its turn and is retried like a step. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../../../config/schema.ts';
import type { Budgets } from '../../queues/budgets.ts';
import { backoffMs } from './backoff.ts';
import { idempotent, outcomeOf } from './classify.ts';

/** A 429 uses no attempt, but somebody is waiting for this call, so the number of pauses is limited. */
const mostPauses = 20;

export interface RepeatedCallTools {
  readonly budgets: Budgets;
  readonly retry: Settings['retry'];
}

/**
 * Repeats a read-only call until it gets a usable answer.
 * @throws {ApiError} the last one, after the last attempt. A refusal or an unreachable service is thrown at once, because a
 *   person at a terminal should know immediately.
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
      } else if (outcome?.kind === 'retry' && failures + 1 < retry.attempts) {
        failures += 1;
        await wait(backoffMs(failures, retry));
      } else throw error;
    }
  }
}
