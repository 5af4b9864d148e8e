/** Runs a task that is begun anew whenever things change. One runs at a time: the next one stops it, and begins when it has ended. */

/** Never rejects. */
export type Task = (signal: AbortSignal) => Promise<void>;

export class LatestRun {
  #abort = new AbortController();
  #ended: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #now: () => number;
  /** When the last task ended, and how long it took. Milliseconds. */
  #last = { endedAt: Number.NEGATIVE_INFINITY, tookMs: 0 };

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The end of the task that runs or is about to; undefined if there is none. */
  get ended(): Promise<void> | undefined {
    return this.#ended;
  }

  /** Whether nothing runs, and has not for so long, or for twice as long as the last task took. */
  hasRested(leastMs: number): boolean {
    const { endedAt, tookMs } = this.#last;
    return this.#ended === undefined && this.#now() - endedAt >= Math.max(leastMs, 2 * tookMs);
  }

  begin(task: Task): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const ended = this.#after(this.#ended, () => task(abort.signal));
    this.#ended = ended;
    void ended.then(() => {
      if (this.#ended === ended) this.#ended = undefined;
    });
  }

  /** @param ms until then, another begin or a stop takes its place. */
  beginAfter(ms: number, task: Task): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.begin(task), ms).unref();
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#abort.abort();
    await this.#ended;
  }

  async #after(before: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
    await before;
    const begunAt = this.#now();
    await work();
    const endedAt = this.#now();
    this.#last = { endedAt, tookMs: endedAt - begunAt };
  }
}
