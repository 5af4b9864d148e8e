/** Something that does not work for a while: says so once when it begins, and once when it has not struck for a while. */

/** Workers write to Redis every few seconds at least: what has not struck for so long is over. */
const overAfterMs = 12_000;

export class Outage {
  readonly #warn: (message: string) => void;
  readonly #over: string;
  #timer: NodeJS.Timeout | undefined;

  /** @param over what is said when it has ended. */
  constructor(warn: (message: string) => void, over: string) {
    this.#warn = warn;
    this.#over = over;
  }

  /** Whether it has struck lately. */
  get lasts(): boolean {
    return this.#timer !== undefined;
  }

  /** It has struck. `message` is said unless it lasts already. */
  strike(message: string): void {
    if (!this.lasts) this.#warn(message);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#warn(this.#over);
    }, overAfterMs).unref();
  }

  /** Nothing is said any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
