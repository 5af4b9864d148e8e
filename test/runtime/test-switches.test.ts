import { expect, it } from 'vitest';
import { readHaste } from '../../src/runtime/test-switches.ts';

it.each([
  ['', 1],
  ['3', 3],
  ['0.5', 1],
  ['soon', 1],
])('a haste of "%s" is %i', (text, times) => {
  expect(readHaste(text)).toBe(times);
});
