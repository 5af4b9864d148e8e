/** Backoff between attempts, with full jitter, so that jobs that failed together are not retried together. */

export interface RetryTimes {
  /** Milliseconds. */
  readonly base: number;
  /** Milliseconds. */
  readonly cap: number;
}

/**
 * @param attemptsMade how many attempts have failed so far, from 1.
 * @returns milliseconds: `random(0, min(cap, base * 2^n))`.
 */
export function backoffMs(attemptsMade: number, { base, cap }: RetryTimes, random = Math.random): number {
  return Math.round(random() * Math.min(cap, base * 2 ** Math.min(attemptsMade - 1, 30)));
}
