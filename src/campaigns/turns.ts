/** Limits concurrent work; the rest waits in order. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** @param signal if it comes before the turn, the work does not begin, and the call returns. */
  async run(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    if (!(await this.#wait(signal))) return;
    try {
      await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  /** @returns false if the signal came first. */
  async #wait(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = (hasTurn: boolean) => {
      this.#waiting.delete(begin);
      signal.removeEventListener('abort', giveUp);
      resolve(hasTurn);
    };
    const begin = () => leave(true);
    const giveUp = () => leave(false);
    this.#waiting.add(begin);
    signal.addEventListener('abort', giveUp);
    return promise;
  }
}
