/** Limits how many look-ups this process makes at once, whatever the number of jobs. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot. @returns undefined if one is free, else a promise to wait for. Slots are given in order. */
  take(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free -= 1;
    return undefined;
  }

  /** Gives a slot back. */
  free(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
