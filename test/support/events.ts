/** Waits for things to happen: with a deadline, and never by sleeping. */
import type { EventEmitter } from 'node:events';
import { once } from 'node:events';

/**
 * How long a test waits for what has to come. No test is about speed, and the machine may be busy; less than a test may take
 * (`vitest.config.ts`), so that the message says what did not come. Milliseconds.
 */
export const patienceMs = 120_000;

/**
 * Waits for one event.
 * @param deadlineMs milliseconds; then the promise rejects and names the event.
 * @returns the arguments of the event.
 */
export async function waitForEvent(
  emitter: EventEmitter,
  event: string,
  deadlineMs = patienceMs,
): Promise<unknown[]> {
  try {
    return await once(emitter, event, { signal: AbortSignal.timeout(deadlineMs) });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw new WaitedTooLongError(`event "${event}"`, deadlineMs);
    throw error;
  }
}

/** Rejects if `promise` does not settle in time; `what` names it in the message. */
export async function withDeadline<T>(
  promise: Promise<T>,
  what: string,
  deadlineMs = patienceMs,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new WaitedTooLongError(what, deadlineMs)), deadlineMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Looks again until `look` returns something other than `undefined` or `false`. For changes without an event, such as the end
 * of a process or a file that another process writes. The longer a look or the wait takes, the less often: the looks must not
 * slow down what they wait for.
 */
export async function waitUntil<T>(
  look: () => T | Promise<T>,
  what: string,
  deadlineMs = patienceMs,
): Promise<Exclude<T, undefined | false>> {
  const start = performance.now();
  for (;;) {
    const lookedAt = performance.now();
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen as Exclude<T, undefined | false>;
    const now = performance.now();
    if (now > start + deadlineMs) throw new WaitedTooLongError(what, deadlineMs);
    const pauseMs = Math.min(Math.max(10, 3 * (now - lookedAt), (now - start) / 20), 100);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export class WaitedTooLongError extends Error {
  override readonly name = 'WaitedTooLongError';

  constructor(what: string, deadlineMs: number) {
    super(`waited ${deadlineMs} ms for ${what}`);
  }
}
