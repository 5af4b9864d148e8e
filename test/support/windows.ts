/** Density of calls. */

/** Largest number of calls in any window of `ms` milliseconds. @param times in order, Unix epoch in milliseconds. */
export function mostWithin(times: readonly number[], ms: number): number {
  let most = 0;
  let first = 0;
  times.forEach((time, last) => {
    while (time - (times[first] ?? time) >= ms) first += 1;
    most = Math.max(most, last - first + 1);
  });
  return most;
}
