import { expect, it } from 'vitest';
import { readSpeedUp } from '../../../src/app/runtime/configuration.ts';

it.each([
  ['', 1],
  ['3', 3],
  ['0.5', 1],
  ['soon', 1],
])('a speed-up of "%s" is %i', (text, times) => {
  expect(readSpeedUp(text)).toBe(times);
});
