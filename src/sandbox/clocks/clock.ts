/** The sandbox's clock: an injected clock that can be set ahead. */

/** Unix epoch, milliseconds. */
export interface Clock {
  now(): number;
}

/** Everything in the sandbox that depends on time (expiry, generations, publishing) reads this clock. */
export class SandboxClock implements Clock {
  readonly #base: Clock;
  #ahead = 0;

  constructor(base: Clock = Date) {
    this.#base = base;
  }

  now(): number {
    return this.#base.now() + this.#ahead;
  }

  /** Jumps ahead by milliseconds, or back with a negative number. @returns the new time. */
  advance(milliseconds: number): number {
    this.#ahead += milliseconds;
    return this.now();
  }
}
