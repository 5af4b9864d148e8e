/** Lets so many pieces of work run at a time; the others wait in order. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** @param signal work that is no longer wanted before its turn is not begun, and nobody waits for it. */
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

  /** @returns whether it has its turn. */
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
