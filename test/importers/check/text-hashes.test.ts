import { expect, test } from 'vitest';
import { DistinctCount, PlaceIndex } from '../../../src/importers/check/text-hashes.ts';

test('pairs are counted, however their texts are split', () => {
  const count = new DistinctCount();
  const added = [
    count.add('ab', 'c'),
    count.add('a', 'bc'),
    count.add('abc'),
    count.add('ab', 'c'),
    count.add('', 'abc'),
  ];
  expect(added).toEqual([true, true, true, false, true]);
  expect(count.size).toBe(4);
});

test('many are counted, each once', () => {
  const count = new DistinctCount();
  for (let index = 0; index < 200_000; index += 1) count.add(`video-${index % 100_000}.mp4`, 'anna');
  expect(count.size).toBe(100_000);
});

test('tells the line of the first of each text, of many', () => {
  const index = new PlaceIndex();
  const count = 50_000;
  for (let line = 2; line < count; line += 1)
    expect(index.addOrFind({ line }, `row-${line}`)).toBeUndefined();
  for (let line = 2; line < count; line += 1)
    expect(index.addOrFind({ line: count }, `row-${line}`)?.line).toBe(line);
});

test('tells pairs of texts from each other and from single ones', () => {
  const index = new PlaceIndex();
  expect(index.addOrFind({ line: 2 }, 'ab', 'c')).toBeUndefined();
  expect(index.addOrFind({ line: 3 }, 'a', 'bc')).toBeUndefined();
  expect(index.addOrFind({ line: 4 }, 'abc')).toBeUndefined();
  expect(index.addOrFind({ line: 5 }, 'ab', 'c')).toEqual({ line: 2 });
});

test('of a bounded index, at least the last so many are remembered, and at most twice as many', () => {
  const kept = 1000;
  const index = new PlaceIndex(kept);
  for (let line = 1; line <= 3 * kept; line += 1) index.addOrFind({ line }, `text ${line}`);
  const known = Array.from({ length: kept }, (_, nth) => 2 * kept + nth + 1);
  expect(known.map((line) => index.addOrFind({ line: 9999 }, `text ${line}`)?.line)).toEqual(known);
  expect(index.addOrFind({ line: 9999 }, 'text 1')).toBeUndefined();
});

test('among several worksheets, tells the worksheet and its line', () => {
  const index = new PlaceIndex();
  const places = ['Week 1', 'Week 2', 'Week 3'].map((worksheet) => ({ line: 2 ** 20, worksheet }));
  for (const place of places) expect(index.addOrFind(place, `a text of ${place.worksheet}`)).toBeUndefined();
  const later = { line: 2, worksheet: 'Week 4' };
  expect(places.map(({ worksheet }) => index.addOrFind(later, `a text of ${worksheet}`))).toEqual(places);
});
