/**
 * Makes calls of the file system synchronously while the disk is quick: on a local disk they take a tenth of the time of the same calls
 * through the thread pool. If calls are slow (a network share, a sleeping disk), they go through the pool for a while, so that the event
 * loop does not wait. On a busy machine single calls are slow although the disk is not: it takes several in a row, or a very slow one.
 */

const slowMs = 3;
const verySlowMs = 200;
const slowInARow = 3;
/** Slow calls are followed by this many times their own time without another. */
const restFactor = 100;
/** Time of one turn of the event loop that calls may take together. */
const mostOfTurnMs = 10;

export class PromptDisk {
  readonly #now: () => number;
  #notBefore = 0;
  /** The slow calls that came last, one after the other: their number, and their milliseconds. */
  #slow = { calls: 0, ms: 0 };
  /** Milliseconds that calls took in this turn of the event loop. */
  #ofTurn = 0;

  /** @param now a monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param work calls the file system synchronously.
   * @returns its result; undefined if the caller must go through the thread pool, which also tells why `work` threw.
   */
  try<T>(work: () => T): T | undefined {
    const begun = this.#now();
    if (begun < this.#notBefore || this.#ofTurn >= mostOfTurnMs) return undefined;
    try {
      return work();
    } catch {
      return undefined;
    } finally {
      this.#judge(begun, this.#now());
    }
  }

  #judge(begun: number, ended: number): void {
    const took = ended - begun;
    if (this.#ofTurn === 0) setImmediate(() => this.#beginTurn());
    this.#ofTurn += took;
    const { calls, ms } = this.#slow;
    this.#slow = took > slowMs ? { calls: calls + 1, ms: ms + took } : { calls: 0, ms: 0 };
    if (took <= verySlowMs && this.#slow.calls < slowInARow) return;
    this.#notBefore = ended + restFactor * this.#slow.ms;
    this.#slow = { calls: 0, ms: 0 };
  }

  #beginTurn(): void {
    this.#ofTurn = 0;
  }
}
