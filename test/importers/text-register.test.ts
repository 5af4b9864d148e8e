import { expect, test } from 'vitest';
import { DistinctCount, TextRegister } from '../../src/importers/text-register.ts';

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
  expect(added).toEqual([true, true, true, false, true]);
  expect(count.size).toBe(4);
});

test('a few thousand are counted exactly', () => {
  const count = new DistinctCount();
  for (let index = 0; index < 20_000; index += 1) count.add(`video-${index % 5000}.mp4`);
  expect(count.size).toBe(5000);
});
