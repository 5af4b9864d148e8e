/**
 * The time of Redis, as one process knows it. Each answer that bears it is a bound on both sides; in between, a steady clock goes
 * on, which no jump of the machine's clock moves. So times that other processes act on do not depend on the clock of one machine.
 */

/** A clock that is further off does harm: rows would be posted late, or counted as late. Milliseconds. */
export const toleratedMs = 60_000;
/** A larger change since the last answer is a jump of the clock, or a machine that was suspended. Milliseconds. */
const unexplainedMs = 1000;

/** A time when the clock of a machine was too far from that of Redis. */
export interface WrongClock {
  /** By the clock of Redis: Unix epoch, milliseconds. */
  readonly at: number;
  /** How far it was ahead; negative: behind. Milliseconds. */
  readonly aheadMs: number;
}

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
  #aheadAtAnswer = 0;
  #lastWrong: WrongClock | undefined;

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

  /** Whether the clock of this machine has not jumped, and the machine was not suspended, since Redis was asked. */
  get isSure(): boolean {
    return Math.abs(this.aheadMs - this.#aheadAtAnswer) <= unexplainedMs;
  }

  /** The last answer that showed this clock to be wrong; undefined for none. */
  get lastWrong(): WrongClock | undefined {
    return this.#lastWrong;
  }

  /** Takes the time of Redis from an answer. A slow one leaves room for the time that is known already. */
  learn({ at, askedAt, cameAt }: TimeAnswer): void {
    const earliest = at - cameAt;
    const latest = at + 1 - askedAt;
    this.#offset = Math.min(Math.max(this.#offset, earliest), latest);
    this.#aheadAtAnswer = this.aheadMs;
    if (!this.isTolerable) this.#lastWrong = { at: this.now(), aheadMs: this.aheadMs };
  }
}
