/** How fast rows end, and how long the rest may take, as a range, because a few rows give little certainty. */

export interface Pace {
  /** Rows that ended per minute, recently. */
  readonly rowsPerMinute: number;
  /** Milliseconds until the last row ends; `most` is undefined while no row ends. */
  readonly remaining: { readonly least: number; readonly most: number | undefined };
}

interface Sample {
  readonly at: number;
  readonly ended: number;
}

const longMs = 300_000;
const recentMs = 30_000;
const sampleEveryMs = 1000;
/** Fewer rows or less time would make a rate a guess. */
const fewestRows = 3;
const shortestMs = 3000;

/** Ended rows over the last minutes, as observed. */
export class PaceWindow {
  readonly #samples: Sample[] = [];
  #endedLast = 0;
  /** Ended rows that were sent back, such as by a retry: they will end a second time. */
  #sentBack = 0;

  /** @param at milliseconds of any steady clock. @param endedNow rows ended by then. */
  add(at: number, endedNow: number): void {
    this.#sentBack += Math.max(0, this.#endedLast - endedNow);
    this.#endedLast = endedNow;
    const ended = endedNow + this.#sentBack;
    const [before, last] = this.#samples.slice(-2);
    // Replaces the newest sample until it is a second younger than the one before it.
    if (before && last && at - before.at < sampleEveryMs) this.#samples.pop();
    this.#samples.push({ at, ended });
    while ((this.#samples[1]?.at ?? at) <= at - longMs) this.#samples.shift();
  }

  /**
   * @param left rows that have not ended, without sleeping ones.
   * @param mostPerSecond upper limit of the pace.
   * @returns undefined while there are too few samples.
   */
  pace(left: number, mostPerSecond = Number.POSITIVE_INFINITY): Pace | undefined {
    const newest = this.#samples.at(-1);
    const oldest = this.#samples[0];
    if (!newest || !oldest) return undefined;
    const rows = newest.ended - oldest.ended;
    if (rows < fewestRows || newest.at - oldest.at < shortestMs) return undefined;
    const recentFrom = this.#samples.findLast(({ at }) => at <= newest.at - recentMs) ?? oldest;
    const rates = [rateBetween(oldest, newest), rateBetween(recentFrom, newest)] as const;
    // The uncertainty of a count is its square root.
    const doubt = 1 / Math.sqrt(rows);
    const quickest = Math.min(Math.max(...rates) * (1 + doubt), mostPerSecond);
    const slowest = Math.min(Math.min(...rates) * (1 - doubt), mostPerSecond);
    return {
      rowsPerMinute: rates[1] * 60,
      remaining: {
        least: (left / quickest) * 1000,
        most: slowest > 0 ? (left / slowest) * 1000 : undefined,
      },
    };
  }
}

/** Rows a second. */
function rateBetween(first: Sample, last: Sample): number {
  return last.at > first.at ? ((last.ended - first.ended) * 1000) / (last.at - first.at) : 0;
}
