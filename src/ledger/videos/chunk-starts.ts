/** Finds chunks of a history by their start times (Unix epoch, seconds), oldest first. */

/** Start of the chunk with the newest sample up to `limit`. */
export function startUpTo(starts: readonly number[], limit: number): number | undefined {
  return starts.findLast((start) => start <= limit);
}

/** Starts of the chunks with the newest sample up to `from`, and all later samples. */
export function startsFrom(starts: readonly number[], from: number): readonly number[] {
  const first = starts.findLastIndex((start) => start <= from);
  return starts.slice(Math.max(0, first));
}
