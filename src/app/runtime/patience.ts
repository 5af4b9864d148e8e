/** Waits that end although the work does not: commands wait for Redis without end. */

/** Undefined if the signal comes first. Removes its listener: with one shared promise, they would pile up over weeks. */
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

/** Waits for work, or returns undefined after so many milliseconds. */
export async function unlessLate<T>(work: Promise<T>, longestMs: number): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  // After a pause of this process, timers fire before answers that have arrived are read. A second timer gives the answers a chance.
  let timer = setTimeout(() => {
    timer = setTimeout(resolve, longestMs / 2, undefined);
  }, longestMs / 2);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
