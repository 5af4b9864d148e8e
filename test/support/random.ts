/** Repeatable randomness: a failed test prints its seed, and TEST_SEED sets it. */
import { onTestFailed, type TestContext } from 'vitest';
import { type Random, randomFrom } from '../fuzz/random.ts';

export interface SeededRandom extends Random {
  readonly seed: number;
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
  return { seed, ...randomFrom(seed) };
}

function chosenSeed(): number {
  const given = Number(process.env.TEST_SEED);
  return Number.isInteger(given) && given > 0 ? given : Math.floor(Math.random() * 2 ** 32);
}
