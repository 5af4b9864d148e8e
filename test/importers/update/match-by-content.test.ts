import { describe, expect, it } from 'vitest';
import {
  type ComparedRow,
  comparedOf,
  matchByContent,
} from '../../../src/importers/update/match-by-content.ts';
import { matchHeader } from '../../../src/manifest/headers/header.ts';

type Texts = readonly [creator: number, media: number, caption: number, product?: number, time?: number];

const rows = (...texts: readonly Texts[]): ComparedRow[] =>
  texts.map(([creator, media, caption, product = 0, time = 0], index) => ({
    id: index,
    number: index + 1,
    name: '',
    content: [creator, media, caption],
    details: [product, time],
  }));
const named = (names: string, ...texts: readonly Texts[]) =>
  rows(...texts).map((row, index) => ({ ...row, name: names[index] ?? '' }));
const sorted = (pairs: ReadonlyMap<number, number>) => [...pairs].sort(([one], [other]) => one - other);
const found = async (...sides: Parameters<typeof matchByContent>) =>
  sorted((await matchByContent(...sides)).found);
const doubtful = async (...sides: Parameters<typeof matchByContent>) =>
  sorted((await matchByContent(...sides)).doubtful);
const ended =
  (...ids: readonly number[]) =>
  (id: number) =>
    ids.includes(id);

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

it('of rows with the same content, those of the same product belong together', async () => {
  const known = rows([1, 1, 1, 5], [1, 1, 1, 6]);
  expect(await found(known, rows([1, 1, 1, 7], [1, 1, 1, 5], [1, 1, 1, 6]))).toEqual([
    [1, 0],
    [2, 1],
  ]);
});

it('a row that can be changed is found by two texts', async () => {
  const known = rows([1, 1, 1], [2, 2, 2], [3, 3, 3]);
  expect(await found(known, rows([3, 7, 3], [5, 2, 2], [1, 1, 8]))).toEqual([
    [0, 2],
    [1, 1],
    [2, 0],
  ]);
});

it('another video is another post, if the row with its creator and caption was posted', async () => {
  expect(await found(rows([1, 1, 1], [2, 2, 2]), rows([2, 2, 2], [1, 9, 1]), ended(0))).toEqual([[0, 1]]);
});

it('another creator is another post, if the row with its video and caption was posted', async () => {
  const known = rows([1, 1, 1, 5], [2, 2, 2]);
  expect(await found(known, rows([2, 2, 2], [7, 1, 1, 5]), ended(0))).toEqual([[0, 1]]);
});

it('two rows with one video are not told apart by it', async () => {
  const known = rows([1, 7, 1, 5], [1, 7, 2, 5]);
  expect(await found(known, rows([1, 7, 2, 5], [1, 7, 9, 5]))).toEqual([[0, 1]]);
});

it('a new caption and product of a posted video are doubtful', async () => {
  const sides = [rows([1, 1, 1, 5], [2, 2, 2]), rows([2, 2, 2], [1, 1, 8, 6]), ended(0)] as const;
  expect(await found(...sides)).toEqual([[0, 1]]);
  expect(await doubtful(...sides)).toEqual([[1, 0]]);
});

it('a row is found once, also where places have changed', async () => {
  const known = rows([1, 1, 1], [1, 2, 2], [1, 3, 3], [1, 4, 4], [1, 5, 5]);
  const next = rows([1, 2, 2], [1, 8, 8], [1, 4, 4], [1, 1, 1], [1, 9, 9], [1, 5, 5]);
  expect((await found(known, next)).filter(([, id]) => id === 2)).toEqual([[1, 2]]);
});

it('a placeholder is no text that rows have in common', () => {
  const header = matchHeader(['creator', 'media', 'caption']);
  expect(comparedOf(header, ['Anna', 'TBD', 'tbc']).content.slice(1)).toEqual([0, 0]);
});

it.each(['@anna', '＠anna', 'https://www.tiktok.com/@anna?lang=en', ' anna '])(
  'a creator who is written as %s is the same',
  (name) => {
    const header = matchHeader(['creator', 'media', 'caption']);
    const of = (creator: string) => comparedOf(header, [creator, 'a.mp4', 'Hi']);
    expect(of(name)).toEqual(of('anna'));
  },
);

it('a key that is left over belongs to the row that had it', async () => {
  const known = named('abc', [1, 1, 1], [1, 2, 2], [1, 3, 3]);
  expect(await found(known, named('cab', [8, 8, 8], [1, 1, 1], [1, 2, 2]))).toContainEqual([0, 2]);
});

it('the key of a posted row makes no other post of the same one', async () => {
  expect(await found(named('a', [1, 1, 1]), named('a', [2, 2, 2]), ended(0))).toEqual([]);
});

describe('between rows that are the same,', () => {
  it('a row of the same creator is the one that stood there', async () => {
    const known = rows([1, 1, 1], [1, 2, 2], [1, 3, 3]);
    expect(await found(known, rows([1, 1, 1], [1, 8, 8], [1, 3, 3]))).toContainEqual([1, 1]);
  });

  it('a row of another creator is new', async () => {
    const sides = [rows([1, 1, 1], [1, 2, 2]), rows([1, 1, 1], [7, 8, 8])] as const;
    expect(await found(...sides)).toEqual([[0, 0]]);
    expect(await doubtful(...sides)).toEqual([]);
  });

  it('a posted row with another file is the same with its caption, and doubtful without', async () => {
    const known = rows([1, 1, 1], [1, 2, 2], [1, 3, 3]);
    const next = (caption: number) => rows([1, 1, 1], [1, 8, caption], [1, 3, 3]);
    expect(await found(known, next(2), ended(1))).toContainEqual([1, 1]);
    expect(await doubtful(known, next(8), ended(1))).toEqual([[1, 1]]);
  });

  it('two rows in the place of one are doubtful', async () => {
    const known = rows([1, 1, 1], [1, 2, 2], [1, 3, 3]);
    expect(await doubtful(known, rows([1, 1, 1], [1, 7, 7], [1, 8, 8], [1, 3, 3]))).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('a row below the last one is not the one that another person has added there', async () => {
    const known = rows([1, 1, 1], [1, 2, 2]);
    expect(await doubtful(known, rows([1, 1, 1], [1, 7, 7]))).toEqual([[1, 1]]);
  });
});

it('empty texts make no two rows alike', async () => {
  expect(await found(rows([1, 0, 0]), rows([2, 2, 0], [3, 3, 0]))).toEqual([]);
});

it('a number finds a row with other texts of its creator, and no post of another creator', async () => {
  const known = named('123', [1, 1, 1], [2, 2, 2], [3, 3, 3]);
  const sheet = named('923', [1, 1, 1], [2, 8, 8], [5, 9, 9]);
  expect(await found(known, sheet)).toEqual([
    [0, 0],
    [1, 1],
  ]);
});
