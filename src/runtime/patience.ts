/** Waits that end although the work does not: commands wait for Redis without end. */

/**
 * Waits for work, or for the signal if it comes first: then undefined. Nothing of the work stays with the signal, as it would with one
 * promise for all works: a campaign may be followed for weeks, four looks a second.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const giveUp = () => resolve(undefined);
  signal.addEventListener('abort', giveUp);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Waits for work so long at most, in milliseconds: then undefined. */
export async function unlessLate<T>(work: Promise<T>, longestMs: number): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, longestMs, undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
