/**
 * The time of Redis, as one process knows it. Each answer that bears it is a bound on both sides; in between, a steady clock goes
 * on, which no jump of the machine's clock moves. So times that other processes act on do not depend on the clock of one machine.
 */

/** A clock that is further off does harm: rows would be posted late, or counted as late. Milliseconds. */
export const toleratedMs = 60_000;

/** An answer of Redis: its time, Unix epoch in milliseconds, and when it was asked for and came, by `performance.now()`. */
export interface TimeAnswer {
  readonly at: number;
  readonly askedAt: number;
  readonly cameAt: number;
}

export class RedisClock {
  readonly #wall: () => number;
  readonly #steady: () => number;
  /** Time of Redis, less that of the steady clock. Before the first answer, the clock of this machine is taken for right. */
  #offset: number;

  constructor(wall: () => number = () => Date.now(), steady: () => number = () => performance.now()) {
    this.#wall = wall;
    this.#steady = steady;
    this.#offset = wall() - steady();
  }

  /** Unix epoch, whole milliseconds. */
  readonly now = (): number => Math.floor(this.#steady() + this.#offset);

  /** How far the clock of this machine is ahead of Redis; negative: behind. Milliseconds. */
  get aheadMs(): number {
    return this.#wall() - this.now();
  }

  /** Whether the clock of this machine is close to that of Redis. */
  get isTolerable(): boolean {
    return Math.abs(this.aheadMs) <= toleratedMs;
  }

  /** Takes the time of Redis from an answer. A slow one leaves room for the time that is known already. */
  learn({ at, askedAt, cameAt }: TimeAnswer): void {
    const earliest = at - cameAt;
    const latest = at + 1 - askedAt;
    this.#offset = Math.min(Math.max(this.#offset, earliest), latest);
  }
}
