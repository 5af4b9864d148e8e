import { describe, expect, test } from 'vitest';
import { ComparingWork, NearestNames, nearest } from '../../src/manifest/edit-distance.ts';
import { randomFrom } from '../fuzz/random.ts';

test.each([
  ['captoin', 'caption'],
  ['capton', 'caption'],
  ['captiion', 'caption'],
  ['captian', 'caption'],
  ['shedduled', 'scheduled'],
  ['zz', undefined],
  ['serum', undefined],
])('%s may mean %s', (word, meant) => {
  expect(nearest(word, ['creator', 'caption', 'scheduled', 'a'])).toBe(meant);
});

test('the nearest of several names is found, whatever their order', () => {
  const names = ['glow_mia_2', 'glow_mia', 'glow_maria'];
  for (const order of [names, names.toReversed()]) expect(nearest('glow_mai', order)).toBe('glow_mia');
});

test('all names are found that are near enough', () => {
  const names = new NearestNames(['serum', 'serums', 'cream', 'serun']);
  expect(names.findAll('serumm').toSorted()).toEqual(['serum', 'serums', 'serun']);
});

/** Names of one length with letters and digits in any order: each must be compared letter by letter. */
function hostileNames(count: number, length: number, seed: number): string[] {
  const { integer } = randomFrom(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length }, () => integer(0, 35).toString(36)).join(''),
  );
}

describe('the work', () => {
  const names = new NearestNames(hostileNames(3000, 100, 1));

  test('of one word ends after 300,000 comparisons', () => {
    const work = new ComparingWork();
    for (const word of hostileNames(3, 100, 2)) {
      const before = work.done;
      expect(names.find(word, work)).toBeUndefined();
      expect(work.done - before).toBeLessThan(310_000);
    }
  });

  test('of all words together ends at its bound, and nothing is found any more', () => {
    const work = new ComparingWork(1_000_000);
    for (const word of hostileNames(20, 100, 3)) names.find(word, work);
    expect(work.done).toBeLessThan(1_010_000);
    expect(nearest('captoin', ['caption'], work)).toBeUndefined();
  });

  test('is small for names with other letters, and ends early once a near name is found', () => {
    const work = new ComparingWork();
    const numbered = new NearestNames(Array.from({ length: 10_000 }, (_, index) => `glow_team_${index}`));
    expect(numbered.find('glow_taem_4711', work)).toBe('glow_team_4711');
    expect(work.done).toBeLessThan(200_000);
  });
});
