/**
 * Readings of whole sheets in a console: checks, imports, plans, and checks of drafts. Each holds rows in memory, so two run at a time,
 * whoever asked for them. The rest waits.
 */
import { UseCaseError } from '../runtime/use-case-error.ts';
import { Turns } from './turns.ts';

const turns = new Turns(2);
const mostWaiting = 2;

/**
 * Reads a sheet for somebody who waits for it.
 * @param user their name.
 * @param signal ends the wait; the call then rejects with its reason.
 * @throws {UseCaseError} as `requireSheetTurn`; errors of the work.
 */
export async function readSheetInTurn<T>(
  user: string,
  work: () => Promise<T>,
  signal: AbortSignal = never,
): Promise<T> {
  requireSheetTurn(user);
  let done: { readonly value: T } | undefined;
  const read = async () => {
    done = { value: await work() };
  };
  await turns.run(read, signal, partyOf(user));
  if (done === undefined) throw signal.reason;
  return done.value;
}

/** @throws {UseCaseError} `sheets_busy` if two readings of this user wait for their turn. */
export function requireSheetTurn(user: string): void {
  if (turns.waitingOf(partyOf(user)) >= mostWaiting) throw sheetsBusy();
}

function sheetsBusy(): UseCaseError {
  return new UseCaseError('sheets_busy', 'two of your sheets wait to be read already', {
    cure: 'Try again when they are done.',
  });
}

/** Readings that begin when their sheet has arrived, by user. */
const expected = new Map<string, number>();

/**
 * Keeps a place for a sheet that arrives, and is then read in the background. Dispose it when the reading has begun.
 * @throws {UseCaseError} `sheets_busy` if as many sheets of this user wait or arrive as may be read and wait.
 */
export function expectSheet(user: string): Disposable {
  const arriving = expected.get(user) ?? 0;
  if (turns.waitingOf(partyOf(user)) + arriving >= mostWaiting + turns.free) throw sheetsBusy();
  expected.set(user, arriving + 1);
  return {
    [Symbol.dispose]: () => {
      const left = (expected.get(user) ?? 1) - 1;
      if (left === 0) expected.delete(user);
      else expected.set(user, left);
    },
  };
}

/** Reads a sheet in the background. @param user whose sheet it is; default: nobody's. @param signal as for `Turns`. */
export function readSheetLater(
  work: () => Promise<void>,
  { user, signal = never }: { readonly user?: string | undefined; readonly signal?: AbortSignal } = {},
): Promise<void> {
  return turns.run(work, signal, user === undefined ? '' : partyOf(user));
}

const never = new AbortController().signal;

function partyOf(user: string): string {
  return `user ${user}`;
}
