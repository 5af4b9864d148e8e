/** Repeatable randomness: the same seed gives the same numbers. */

export interface Random {
  /** A number from 0 to below 1. */
  next(): number;
  /** An integer from `min` to `max`, inclusive. */
  integer(min: number, max: number): number;
  /** @throws {RangeError} without choices. */
  pick<T>(choices: readonly T[]): T;
  /** True once in `times`. */
  once(times: number): boolean;
}

/** @param seed 32 bits of it count. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;

  // mulberry32: small, and good enough to choose faults.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new RangeError('there is nothing to choose from');
      return choices[integer(0, choices.length - 1)] as T;
    },
    once: (times) => integer(1, times) === 1,
  };
}
