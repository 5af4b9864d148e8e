import { describe, expect, it } from 'vitest';
import { keepLargest, medianOf } from '../../../src/app/videos/aggregate.ts';
import { engagementOf, plus, ratioOf, viewsPerDay } from '../../../src/app/videos/figures.ts';
import { mostCount } from '../../../src/ledger/videos/sample.ts';

const day = 86_400;

describe('views per day', () => {
  it.each([
    ['in its first day count as those of a whole day', 500, day / 2, 500],
    ['are told to a tenth', 100, 3 * day, 33.3],
    ['are unknown at the moment of its release', 500, 0, undefined],
    ['are unknown without a figure', undefined, day, undefined],
  ])('%s', (_what, views, seenAt, expected) => {
    expect(viewsPerDay(views, 0, seenAt)).toBe(expected);
  });
});

describe('engagement', () => {
  it.each([
    ['counts figures that were not told as none', [200, 10, undefined, undefined, undefined], 0.05],
    ['is unknown if none of them was told', [200, undefined, undefined, undefined, undefined], undefined],
    ['is unknown without views', [0, 10, 1, 1, 1], undefined],
  ])('%s', (_what, counts, expected) => {
    expect(engagementOf(counts)).toBe(expected);
  });
});

it('a median is without its fraction, and unknown of nothing', () => {
  expect([medianOf([1, 8, 3, 5]), medianOf([9, 1, 4]), medianOf([])]).toEqual([4, 4, undefined]);
});

it('a ratio has six digits, cut off, and is unknown of a whole of 0', () => {
  expect([ratioOf(29, 100), ratioOf(-2, 3), ratioOf(1, 0)]).toEqual([0.29, -0.666666, undefined]);
});

it('a sum stays a safe integer, as figures do', () => {
  expect([plus(mostCount, 1), plus(-mostCount, -1), plus(2, 3)]).toEqual([mostCount, -mostCount, 5]);
});

it('the largest are kept in order; of equal ones, the first', () => {
  const kept: { readonly name: string; readonly weight: number }[] = [];
  for (const [name, weight] of [
    ['a', 2],
    ['b', 3],
    ['c', 2],
    ['d', 1],
    ['e', 3],
  ] as const)
    keepLargest(kept, { name, weight }, 3, (each) => each.weight);
  expect(kept.map(({ name }) => name).join('')).toBe('bea');
});
