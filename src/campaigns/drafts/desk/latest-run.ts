/** Runs a task that is begun anew whenever things change. One runs at a time: the next one stops it, and begins when it has ended. */

/** Never rejects. */
export type Task = (signal: AbortSignal) => Promise<void>;

export class LatestRun {
  #abort = new AbortController();
  #ended: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** The end of the task that runs or is about to; undefined if there is none. */
  get ended(): Promise<void> | undefined {
    return this.#ended;
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
    await work();
  }
}
