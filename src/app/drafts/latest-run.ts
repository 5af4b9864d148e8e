/**
 * Runs a task that restarts whenever its inputs change. One task runs at a time: a new one stops it, and begins when it has
 * ended.
 */
import { unlessLate } from '../runtime/patience.ts';

/** Never rejects. */
export type Task = (signal: AbortSignal) => Promise<void>;

const leastRestMs = 5000;

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

  /** Resolves when the running or next task has ended; undefined if there is none. */
  get ended(): Promise<void> | undefined {
    return this.#ended;
  }

  async endsWithin(ms?: number): Promise<void> {
    if (this.#ended === undefined || ms === undefined) return this.#ended;
    await unlessLate(this.#ended, ms);
  }

  /** Whether nothing has run for `leastRestMs`, and for twice the duration of the last task. */
  hasRested(): boolean {
    const { endedAt, tookMs } = this.#last;
    return this.#ended === undefined && this.#now() - endedAt >= Math.max(leastRestMs, 2 * tookMs);
  }

  begin(task: Task): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    const before = this.#ended;
    const abort = new AbortController();
    this.#abort = abort;
    const run = async () => {
      await before;
      const begunAt = this.#now();
      await task(abort.signal);
      const endedAt = this.#now();
      this.#last = { endedAt, tookMs: endedAt - begunAt };
      if (this.#ended === ended) this.#ended = undefined;
    };
    const ended = run();
    this.#ended = ended;
  }

  /** @param ms delay. A begin or stop within it replaces this one. */
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
}
