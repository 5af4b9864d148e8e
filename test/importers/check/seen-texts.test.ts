import { expect, test } from 'vitest';
import {
  DistinctCount,
  type HashWords,
  hashText,
  LineIndex,
} from '../../../src/importers/check/seen-texts.ts';

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

test('texts whose hashes begin alike are counted, although no split of a page parts them', () => {
  const words: HashWords = new Uint32Array(2);
  const beginOf = (text: string) => {
    hashText(words, text);
    return (words[1] ?? 0) >>> 20;
  };
  const alike: string[] = [];
  for (let index = 0; alike.length < 1000; index += 1)
    if (beginOf(`video-${index}.mp4`) === 0x5a5) alike.push(`video-${index}.mp4`);
  const count = new DistinctCount();
  expect(alike.map((text) => count.add(text))).toEqual(alike.map(() => 1));
  expect(alike.map((text) => count.add(text))).toEqual(alike.map(() => 0));
});

test('tells the line of the first of each text, of many', () => {
  const index = new LineIndex();
  const count = 50_000;
  for (let line = 2; line < count; line += 1) expect(index.seen(line, `row-${line}`)).toBeUndefined();
  for (let line = 2; line < count; line += 1) expect(index.seen(count, `row-${line}`)).toBe(line);
});

test('tells pairs of texts from each other and from single ones', () => {
  const index = new LineIndex();
  expect(index.seen(2, 'ab', 'c')).toBeUndefined();
  expect(index.seen(3, 'a', 'bc')).toBeUndefined();
  expect(index.seen(4, 'abc')).toBeUndefined();
  expect(index.seen(5, 'ab', 'c')).toBe(2);
});

test('of a bounded index, at least the last so many are remembered, and at most twice as many', () => {
  const kept = 1000;
  const index = new LineIndex(kept);
  for (let line = 1; line <= 3 * kept; line += 1) index.seen(line, `text ${line}`);
  const known = Array.from({ length: kept }, (_, nth) => 2 * kept + nth + 1);
  expect(known.map((line) => index.seen(9999, `text ${line}`))).toEqual(known);
  expect(index.seen(9999, 'text 1')).toBeUndefined();
});
