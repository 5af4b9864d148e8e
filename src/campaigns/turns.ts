/** Limits concurrent work. The rest waits: in order for each party, and one of each party after the other. */
export class Turns {
  #free: number;
  /** By party, the one first whose turn comes next. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(most: number) {
    this.#free = most;
  }

  /** How many works could begin at once. */
  get free(): number {
    return this.#free;
  }

  /** How many works of a party wait. */
  waitingOf(who: string): number {
    return this.#waiting.get(who)?.size ?? 0;
  }

  /**
   * @param signal if it comes before the turn, the work does not begin, and the call returns.
   * @param who the party: one with much work does not keep others waiting.
   */
  async run(work: () => Promise<void>, signal: AbortSignal, who = ''): Promise<void> {
    if (!(await this.#wait(signal, who))) return;
    try {
      await work();
    } finally {
      const next = this.#next();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  /** The first of the party that waits longest. The party then comes last. */
  #next(): (() => void) | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [who, works] = first;
    this.#waiting.delete(who);
    this.#waiting.set(who, works);
    const [next] = works;
    return next;
  }

  /** @returns false if the signal came first. */
  async #wait(signal: AbortSignal, who: string): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const works = this.#waiting.get(who) ?? new Set();
    this.#waiting.set(who, works);
    const leave = (hasTurn: boolean) => {
      works.delete(begin);
      if (works.size === 0 && this.#waiting.get(who) === works) this.#waiting.delete(who);
      signal.removeEventListener('abort', giveUp);
      resolve(hasTurn);
    };
    const begin = () => leave(true);
    const giveUp = () => leave(false);
    works.add(begin);
    signal.addEventListener('abort', giveUp);
    return promise;
  }
}
