/** How quickly rows end, and how long the rest may take: a range, because few rows tell little. */

export interface Pace {
  /** Rows that ended in a minute, of late. */
  readonly rowsPerMinute: number;
  /** Milliseconds until the last row has ended; `most` is undefined while none ends. */
  readonly remaining: { readonly least: number; readonly most: number | undefined };
}

interface Sample {
  readonly at: number;
  readonly ended: number;
}

const longMs = 300_000;
const recentMs = 30_000;
const sampleEveryMs = 1000;
/** With fewer rows or less time a rate would be a guess. */
const fewestRows = 3;
const shortestMs = 3000;

/** The ends of rows over the last minutes, as whoever watches has seen them. */
export class PaceWindow {
  readonly #samples: Sample[] = [];

  /** @param at milliseconds of any steady clock. @param ended rows that have ended by then. */
  add(at: number, ended: number): void {
    const [before, last] = this.#samples.slice(-2);
    // The newest sample is moved along until it is a second younger than the one before it.
    if (before && last && at - before.at < sampleEveryMs) this.#samples.pop();
    this.#samples.push({ at, ended });
    while ((this.#samples[1]?.at ?? at) <= at - longMs) this.#samples.shift();
  }

  /**
   * @param left rows that have not ended, and wait for no time of their own.
   * @param mostPerSecond no more rows than these can end, whatever the pace.
   * @returns undefined while too little was seen.
   */
  pace(left: number, mostPerSecond = Number.POSITIVE_INFINITY): Pace | undefined {
    const newest = this.#samples.at(-1);
    const oldest = this.#samples[0];
    if (!newest || !oldest) return undefined;
    const rows = newest.ended - oldest.ended;
    if (rows < fewestRows || newest.at - oldest.at < shortestMs) return undefined;
    const recentFrom = this.#samples.findLast(({ at }) => at <= newest.at - recentMs) ?? oldest;
    const rates = [rateBetween(oldest, newest), rateBetween(recentFrom, newest)] as const;
    // Of so few events the number itself is as uncertain as its root.
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
