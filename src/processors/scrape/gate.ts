/** Lets those who come one by one go on together: when all have come, or after a while. */
export class Gate {
  readonly #longestMs: number;
  #expected: number;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param longestMs how long the first one waits for others, at most. */
  constructor(expected: number, longestMs: number) {
    this.#expected = expected;
    this.#longestMs = longestMs;
  }

  /** Waits for the others. */
  pass(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#timer ??= setTimeout(() => this.#open(), this.#longestMs);
      this.leave();
    });
  }

  /** One of the expected does not come any more. */
  leave(): void {
    this.#expected -= 1;
    if (this.#expected === 0) this.#open();
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const goOn of waiting) goOn();
  }
}
