import { expect, it } from 'vitest';
import { matchByContent } from '../../../src/importers/update/match-by-content.ts';

const rows = (...contents: readonly (readonly [number, number, number])[]) =>
  contents.map((content, index) => ({ id: index, number: index + 1, content }));
const found = async (...sides: Parameters<typeof matchByContent>) =>
  [...(await matchByContent(...sides))].sort(([one], [other]) => one - other);

it('one row inserted at the top leaves all others what they were', async () => {
  expect(await found(rows([1, 1, 1], [1, 2, 2]), rows([1, 9, 9], [1, 1, 1], [1, 2, 2]))).toEqual([
    [1, 0],
    [2, 1],
  ]);
});

it('rows with the same content stay in order', async () => {
  expect(await found(rows([1, 1, 1], [1, 1, 1]), rows([1, 1, 1], [2, 2, 2], [1, 1, 1]))).toEqual([
    [0, 0],
    [2, 1],
  ]);
});

it('rows left over are matched by two texts, then by their numbers', async () => {
  const known = rows([1, 1, 1], [2, 2, 2], [3, 3, 3], [4, 4, 4]);
  expect(await found(known, rows([5, 4, 4], [9, 9, 9], [1, 1, 8], [3, 7, 3]))).toEqual([
    [0, 3],
    [1, 1],
    [2, 0],
    [3, 2],
  ]);
});

it('empty texts make no two rows alike', async () => {
  expect(await found(rows([1, 0, 0]), rows([0, 2, 0], [1, 3, 0]))).toEqual([[0, 0]]);
});
