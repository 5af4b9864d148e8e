import { expect, test } from 'vitest';
import { DistinctCount, RecentTexts, TextRegister } from '../../../src/importers/check/text-register.ts';

test('a text that was there before is known by its first mark', () => {
  const register = new TextRegister();
  expect(register.add('a', 7)).toBe(0);
  expect(register.add('b', 8)).toBe(0);
  expect(register.add('a', 9)).toBe(7);
  expect(register.add('a', 10)).toBe(7);
});

test('200,000 texts that are alike are told apart, and each is found again', () => {
  const register = new TextRegister();
  const texts = Array.from({ length: 200_000 }, (_, index) => `row-${index}`);
  const taken = texts.filter((text, index) => register.add(text, index + 1) !== 0);
  const lost = texts.filter((text, index) => register.add(text, 1) !== index + 1);
  expect({ taken, lost }).toEqual({ taken: [], lost: [] });
});

test('pairs are counted, whichever way their texts are cut', () => {
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

test('a million different texts, each of them twice, are counted to within two percent', () => {
  const count = new DistinctCount();
  for (let index = 0; index < 2_000_000; index += 1) count.add(`video-${index % 1_000_000}.mp4`, 'anna');
  expect(Math.abs(count.size / 1_000_000 - 1)).toBeLessThan(0.02);
});

test('a text is known as long as it is not long ago', () => {
  const texts = new RecentTexts(100);
  expect(texts.add('a', 1)).toBe(0);
  for (let index = 0; index < 99; index += 1) texts.add(`other ${index}`, 2);
  expect(texts.add('a', 3)).toBe(1);
  for (let index = 0; index < 200; index += 1) texts.add(`another ${index}`, 4);
  expect(texts.add('a', 5)).toBe(0);
});
