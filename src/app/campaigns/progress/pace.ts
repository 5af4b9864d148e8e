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

/** Rows a second, from the slowest to the quickest that the next rows may take. */
interface Estimate {
  readonly at: number;
  /** Number of rows that it was made from. */
  readonly rows: number;
  readonly slowest: number;
  readonly quickest: number;
}

const longMs = 300_000;
const recentMs = 30_000;
const sampleEveryMs = 1000;
/** Fewer rows or less time would make a rate a guess. */
const fewestRows = 3;
const shortestMs = 3000;
/** An estimate of a few rows is forgotten once so many times more are known. */
const muchMore = 4;

/** Ended rows over the last minutes, as observed. */
export class PaceWindow {
  readonly #samples: Sample[] = [];
  #endedLast = 0;
  /** Ended rows that were sent back, such as by a retry: they will end a second time. */
  #sentBack = 0;
  /** The estimates of the last minutes. Their union does not jump where the pace goes up and down. */
  #estimates: readonly Estimate[] = [];

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

  /** @param left rows that have not ended, without sleeping ones. @param mostPerSecond its limit. @returns undefined at first. */
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
    const recent = this.#estimates.filter(
      (each) => each.at > newest.at - longMs && each.rows * muchMore > rows,
    );
    const before = recent.at(-1);
    const estimate = {
      at: newest.at,
      rows,
      quickest: Math.max(...rates) * (1 + doubt),
      slowest: Math.min(...rates) * (1 - doubt),
    };
    const isSoon = before !== undefined && newest.at - before.at < sampleEveryMs;
    this.#estimates = [...(isSoon ? recent.slice(0, -1) : recent), estimate];
    const quickest = Math.min(Math.max(...this.#estimates.map((each) => each.quickest)), mostPerSecond);
    const slowest = Math.min(...this.#estimates.map((each) => each.slowest), mostPerSecond);
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
