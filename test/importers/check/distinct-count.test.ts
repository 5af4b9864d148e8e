import { expect, test } from 'vitest';
import { DistinctCount } from '../../../src/importers/check/distinct-count.ts';

test('pairs are counted, however their texts are split', () => {
  const count = new DistinctCount();
  const added = [
    count.add('ab', 'c'),
    count.add('a', 'bc'),
    count.add('abc'),
    count.add('ab', 'c'),
    count.add('', 'abc'),
  ];
  expect(added).toEqual([1, 1, 1, 0, 1]);
  expect(count.size).toBe(4);
});

test('a few thousand are counted exactly', () => {
  const count = new DistinctCount();
  for (let index = 0; index < 20_000; index += 1) count.add(`video-${index % 5000}.mp4`);
  expect(count.size).toBe(5000);
});

test('a hundred thousand distinct texts, each added twice, are counted to within two percent', () => {
  const count = new DistinctCount();
  for (let index = 0; index < 200_000; index += 1) count.add(`video-${index % 100_000}.mp4`, 'anna');
  expect(Math.abs(count.size / 100_000 - 1)).toBeLessThan(0.02);
});
