/**
 * Readings of whole sheets in a console: checks, imports, plans, and checks of drafts. Each holds rows in memory, so two run at a time,
 * whoever asked for them. The rest waits.
 */
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';

const never = new AbortController().signal;

/** Limits concurrent work. The rest waits: in order for each user, and one of each user after the other. */
export class WorkLimit {
  /** How many works could begin at once. */
  free: number;
  /** By party, the one first whose turn comes next. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(most: number) {
    this.free = most;
  }

  waitingOf(user: string): number {
    return this.#waiting.get(user)?.size ?? 0;
  }

  /** @param signal before the work begins: it does not, and this is undefined. @param user one with much work does not keep others waiting. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal, user = ''): Promise<T | undefined> {
    if (!(await this.#wait(signal, user))) return undefined;
    try {
      return await work();
    } finally {
      this.#beginNext();
    }
  }

  /** Begins a work of the user who waits longest, who then comes last. */
  #beginNext(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.free += 1;
      return;
    }
    const [user, works] = first;
    this.#waiting.delete(user);
    this.#waiting.set(user, works);
    const [begin] = works;
    begin?.();
  }

  /** @returns false if the signal came first. */
  async #wait(signal: AbortSignal, user: string): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.free > 0) {
      this.free -= 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const works = this.#waiting.get(user) ?? new Set();
    this.#waiting.set(user, works);
    const leave = (begins: boolean) => {
      works.delete(begin);
      if (works.size === 0 && this.#waiting.get(user) === works) this.#waiting.delete(user);
      signal.removeEventListener('abort', giveUp);
      resolve(begins);
    };
    const begin = () => leave(true);
    const giveUp = () => leave(false);
    works.add(begin);
    signal.addEventListener('abort', giveUp);
    return promise;
  }
}

const readings = new WorkLimit(2);
const mostWaiting = 2;
/** Sheets that arrive, and are then read in the background, by user. */
const arriving = new Map<string, number>();

/**
 * Reads a sheet for somebody who waits for it.
 * @param user their name.
 * @param signal ends the wait; the call then rejects with its reason.
 * @throws {UseCaseError} as `requireSheetPermit`; errors of the work.
 */
export async function readSheetWithPermit<T>(
  user: string,
  work: () => Promise<T>,
  signal: AbortSignal = never,
): Promise<T> {
  requireSheetPermit(user);
  const done = await readings.run(async () => ({ value: await work() }), signal, partyOf(user));
  if (done === undefined) throw signal.reason;
  return done.value;
}

/** Reads a sheet in the background. @param user whose sheet it is; default: nobody's. @param signal as for `WorkLimit`. */
export function readSheetLater(
  work: () => Promise<void>,
  { user, signal = never }: { readonly user?: string | undefined; readonly signal?: AbortSignal } = {},
): Promise<void> {
  return readings.run(work, signal, partyOf(user));
}

/** @throws {UseCaseError} `sheets_busy` if two readings of this user wait for their turn. */
export function requireSheetPermit(user: string): void {
  if (readings.waitingOf(partyOf(user)) >= mostWaiting) throw sheetsBusy();
}

/** Keeps a place for a sheet that arrives; dispose it when the reading has begun. @throws {UseCaseError} `sheets_busy` beyond this user's most. */
export function expectSheet(user: string): Disposable {
  const many = arriving.get(user) ?? 0;
  if (readings.waitingOf(partyOf(user)) + many >= mostWaiting + readings.free) throw sheetsBusy();
  arriving.set(user, many + 1);
  return {
    [Symbol.dispose]: () => {
      const left = (arriving.get(user) ?? 1) - 1;
      if (left === 0) arriving.delete(user);
      else arriving.set(user, left);
    },
  };
}

function sheetsBusy(): UseCaseError {
  return new UseCaseError('sheets_busy', 'two of your sheets are already waiting to be read', {
    fix: 'Try again when they are finished.',
  });
}

/** A user may have an empty name, but sheets of nobody wait apart. */
function partyOf(user: string | undefined): string {
  return user === undefined ? '' : `user ${user}`;
}
