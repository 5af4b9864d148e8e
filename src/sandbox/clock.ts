/** The sandbox's idea of now: a clock given from outside, which can be sent ahead. */

/** Unix epoch, milliseconds. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Everything in the sandbox that depends on time (expiry, generations, publishing) reads this one. */
export class SandboxClock implements Clock {
  readonly #base: Clock;
  #ahead = 0;

  constructor(base: Clock = systemClock) {
    this.#base = base;
  }

  now(): number {
    return this.#base.now() + this.#ahead;
  }

  /** Jumps ahead by so many milliseconds (back with a negative number); answers the new time. */
  advance(milliseconds: number): number {
    this.#ahead += milliseconds;
    return this.now();
  }
}
