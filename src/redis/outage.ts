/** Warns when something stops working, once a minute while it lasts, and once when it has been working again for a while. */

/** An outage without a failure for this long is over, because workers write to Redis at least every few seconds. */
const overAfterMs = 12_000;
const remindMs = 60_000;

export class Outage {
  readonly #warn: (message: string) => void;
  readonly #over: string;
  #timer: NodeJS.Timeout | undefined;
  #warnedAt = 0;

  /** @param over the message for its end. */
  constructor(warn: (message: string) => void, over: string) {
    this.#warn = warn;
    this.#over = over;
  }

  /** Whether the outage lasts. */
  get lasts(): boolean {
    return this.#timer !== undefined;
  }

  /** Reports one failure. Warns with `message` unless that was done within the last minute of the outage. */
  strike(message: string): void {
    const now = performance.now();
    if (!this.lasts || now - this.#warnedAt >= remindMs) {
      this.#warnedAt = now;
      this.#warn(message);
    }
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
