/** Warns once when something stops working, and once when it has been working again for a while. */

/** An outage without a failure for this long is over, because workers write to Redis at least every few seconds. */
const overAfterMs = 12_000;

export class Outage {
  readonly #warn: (message: string) => void;
  readonly #over: string;
  #timer: NodeJS.Timeout | undefined;

  /** @param over the message for its end. */
  constructor(warn: (message: string) => void, over: string) {
    this.#warn = warn;
    this.#over = over;
  }

  /** Whether the outage lasts. */
  get lasts(): boolean {
    return this.#timer !== undefined;
  }

  /** Reports one failure. Warns with `message` unless the outage lasts already. */
  strike(message: string): void {
    if (!this.lasts) this.#warn(message);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#warn(this.#over);
    }, overAfterMs).unref();
  }

  /** Ends without a message. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
