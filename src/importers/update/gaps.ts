/** Rows of a sheet between two that a campaign has. */
import { turn } from '../../manifest/event-loop.ts';

interface Numbered {
  readonly number: number;
}

export interface Gap<R> {
  /** Number of the known row before it; 0 if there is none. */
  readonly after: number;
  readonly before: number;
  readonly rows: readonly R[];
  /** Whether rows before it were found, and none behind it. */
  readonly isLast: boolean;
}

/** Index of the first row with this number, or with a higher one. @param rows in the order of their numbers. */
export function placeOf(rows: readonly Numbered[], number: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.number ?? number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows that were not found, between those that were. @param numberOf number that the found row has among the known ones. */
export async function* gapsOf<R>(
  rows: readonly R[],
  numberOf: (row: R) => number | undefined,
): AsyncGenerator<Gap<R>> {
  let after = 0;
  let gap: R[] = [];
  for (const row of rows) {
    if (turn.isFull) await turn.pause();
    const number = numberOf(row);
    if (number === undefined) {
      gap.push(row);
      continue;
    }
    if (gap.length > 0) yield { after, before: number, rows: gap, isLast: false };
    after = number;
    gap = [];
  }
  if (gap.length > 0) yield { after, before: Number.POSITIVE_INFINITY, rows: gap, isLast: after > 0 };
}
