/** Repeatable randomness: a failed test prints its seed, and TEST_SEED sets it. */
import { onTestFailed, type TestContext } from 'vitest';

export interface SeededRandom {
  readonly seed: number;
  /** A number from 0 to below 1. */
  next(): number;
  /** An integer from `min` to `max`, inclusive. */
  integer(min: number, max: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/**
 * Call it in a test. To repeat a failure: `TEST_SEED=<seed> npm test -- <file>`.
 * @param test required if tests run side by side.
 */
export function seededRandom(
  seed = chosenSeed(),
  test: Pick<TestContext, 'onTestFailed'> = { onTestFailed },
): SeededRandom {
  test.onTestFailed(() => {
    process.stderr.write(`seed of the failed test: TEST_SEED=${seed}\n`);
  });
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
    seed,
    next,
    integer,
    pick: (choices) => choices[integer(0, choices.length - 1)] ?? choices[0],
  };
}

function chosenSeed(): number {
  const given = Number(process.env.TEST_SEED);
  return Number.isInteger(given) && given > 0 ? given : Math.floor(Math.random() * 2 ** 32);
}
