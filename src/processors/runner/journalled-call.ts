/**
 * The never-twice protocol for calls that must not be repeated blindly (`docs/internals/states.md`). Only posts and generations use it.
 */

import type { RowProgress } from '../../ledger/rows/row-progress.ts';
import type { Effect } from '../../ledger/states.ts';
import type { RowRef } from '../../manifest/row.ts';
import { NotSentError } from '../../service/errors.ts';
import { done, type Outcome } from './outcome.ts';
import type { StartOptions } from './runs.ts';
import { takePermit } from './service.ts';
import { type RowInput, startStep } from './step.ts';

/** `isTooLate` is to be asked right before the first byte leaves. @returns how the answer is written, which ends the journal entry. */
export type Send = (isTooLate: () => boolean) => Promise<() => Promise<void>>;

interface JournalledCall extends Pick<StartOptions, 'fileId' | 'same' | 'spends'> {
  /** The operation whose rate limit applies. */
  readonly operation: string;
  readonly effect: Effect;
  /** Prepares the call from the row's current progress, or refuses to send it. */
  readonly prepare: (progress: RowProgress) => Outcome | Send;
}

/** A permit that is taken again, because the journal took long, must come within this time (milliseconds): the entry waits for it. */
const soonMs = 1000;

/**
 * Makes a journalled call.
 * @throws errors of the rate limit, the ledger and the service; `NotSentError` while the service is silent. After a call that may have been sent, the journal entry still exists
 *   (`run.isJournalled`), so that the error is treated as one of a call that may have taken effect.
 */
export async function journalledCall(input: RowInput<RowRef>, call: JournalledCall): Promise<Outcome> {
  const { context, run } = input;
  const { service } = context;
  // Permits that were taken before a wait for Redis would all be used when it ends.
  await context.ledger.steps.whenChecked();
  // Before the journal, because it may take long. An entry that only waits for a permit would look like a call under way.
  using permit = await takePermit(service, call.operation);
  using begun = service.reach?.beginCall();
  if (service.reach !== undefined && begun === undefined) throw notSent(call.operation);
  context.failpoint('before-sending');

  // The journal is written before the first byte: if the process dies after this, the entry shows that the call may have been
  // sent.
  const { effect, fileId, same, spends } = call;
  const started = await startStep(input, { effect, fileId, same, spends });
  if (!started.ok) return started.outcome;
  const { progress, isTooLate } = started;

  // After the journal, not before: if an earlier attempt may have sent the call, the row must go to review for that reason.
  let send: Outcome | Send;
  try {
    send = call.prepare(progress);
  } catch (error) {
    await run.clearJournal();
    throw error;
  }
  if (typeof send !== 'function') {
    // Nothing was sent.
    await run.clearJournal();
    return send;
  }
  const current = permit.isOver ? await takePermit(service, call.operation, soonMs) : permit;
  current.use();
  context.failpoint('after-journal');

  const record = await send(isTooLate);
  context.failpoint('after-answer');

  // One script writes answer and state and removes the entry: a crash leaves either all of it or a call of unknown outcome.
  await record();
  context.failpoint('after-bookkeeping');
  return done;
}

function notSent(operation: string): NotSentError {
  const message = `${operation} was not sent: the service does not answer at present, and another call is trying it.`;
  return new NotSentError(message, { operation });
}
