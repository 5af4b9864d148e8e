/** Divides long work: jobs, pages and timers of this process wait until the work ends its turn of the event loop. */
import { setImmediate } from 'node:timers/promises';

/** Longest piece of work, in milliseconds. */
const longestMs = 5;

/** A turn of the event loop. All loops of a process share one, so that they do not add up to a long turn. */
export class Turn {
  readonly #now: () => number;
  readonly #next: () => Promise<unknown>;
  #begun: number | undefined;

  /** @param now in milliseconds. @param next resolves in the next turn. */
  constructor(
    now: () => number = () => performance.now(),
    next: () => Promise<unknown> = () => setImmediate(),
  ) {
    this.#now = now;
    this.#next = next;
  }

  /** Whether work has filled this turn, so that `end` is due. It counts from the first question in a turn. */
  get isFull(): boolean {
    const now = this.#now();
    if (this.#begun === undefined) {
      this.#begun = now;
      void this.#next().then(() => {
        this.#begun = undefined;
      });
    }
    return now - this.#begun >= longestMs;
  }

  /** Resolves at once, or in the first turn that is not full. Call it between the pieces of long work. */
  async pause(): Promise<void> {
    // Others that waited may have filled the next turn, too.
    while (this.isFull) await this.#next();
  }
}

export const turn = new Turn();
