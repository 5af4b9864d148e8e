/**
 * The never-twice protocol: how a call is made that must not be repeated blindly (`docs/states.md`). A post and a generation
 * go this way, and nothing else does.
 */
import type { RowProgress } from '../../ledger/row-progress.ts';
import type { Effect } from '../../ledger/states.ts';
import type { RowPayload } from '../../queues/jobs.ts';
import type { ProcessorContext } from './context.ts';
import { done, type Outcome } from './outcome.ts';
import { openStep, type RowInput } from './row-step.ts';
import { takeTurn } from './turn.ts';

/** What a step says of its call. `Q` is what it sends, `A` what the service answers. */
export interface JournalledCall<Q, A> {
  /** Whose budget the turn is taken from. */
  readonly operation: string;
  /** The call of the row that the journal guards. */
  readonly effect: Effect;
  /** Whether the row may be sent as the ledger knows it now. @returns what the step comes to where it may not. */
  readonly refuse: (progress: RowProgress) => Outcome | undefined;
  readonly request: (progress: RowProgress) => Q;
  readonly send: (request: Q) => Promise<A>;
  /** Writes the answer to the ledger, which drops the journal entry in the same script. */
  readonly record: (answer: A, request: Q, progress: RowProgress) => Promise<void>;
}

/**
 * Makes a journalled call.
 * @throws what the budget, the ledger and the service throw. After a call that may have been sent the journal entry stands
 *   (`run.isJournalled`), so that the error is read as one of a call that may have taken effect.
 */
export async function journalledCall<P extends RowPayload, Q, A>(
  context: ProcessorContext,
  input: RowInput<P>,
  call: JournalledCall<Q, A>,
): Promise<Outcome> {
  // The turn comes first: it may be long in coming, and whoever meets an entry that only waits for a turn must take it for a
  // call under way.
  await takeTurn(input.account, call.operation);
  context.failpoint('before-sending');

  // The journal comes before the first byte: of a process that dies from here on, the entry tells that the call may be out.
  const opened = await openStep(context, input, { effect: call.effect });
  if (!opened.ok) return opened.outcome;
  const { progress } = opened;

  // Only now, not before the journal: an earlier attempt may have sent the call, and then the row is in review for that.
  const prepared = await unsent(input, () => prepare(call, progress));
  if ('refused' in prepared) return prepared.refused;
  context.failpoint('after-sending');

  const answer = await call.send(prepared.request);
  context.failpoint('after-answer');

  // Answer, state and the end of the entry are one script: a crash leaves either all of it or a call in doubt.
  await call.record(answer, prepared.request, progress);
  context.failpoint('after-bookkeeping');
  return done;
}

type Prepared<Q> = { readonly request: Q } | { readonly refused: Outcome };

function prepare<Q, A>(call: JournalledCall<Q, A>, progress: RowProgress): Prepared<Q> {
  const refused = call.refuse(progress);
  return refused ? { refused } : { request: call.request(progress) };
}

/** The one way out between journal and send, for refusals and errors alike: nothing was sent, so the entry goes first of all. */
async function unsent<P extends RowPayload, Q>(
  { run }: RowInput<P>,
  work: () => Prepared<Q>,
): Promise<Prepared<Q>> {
  try {
    const prepared = work();
    if ('refused' in prepared) await run.clearJournal();
    return prepared;
  } catch (error) {
    await run.clearJournal();
    throw error;
  }
}
