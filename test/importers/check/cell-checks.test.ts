/** Titles in place of product ids. */
import { expect, test } from 'vitest';
import { check, manifestOf } from '../manifest-source.ts';

/** Lines of the rows with a warning of this kind. */
async function doubted(...ids: readonly string[]) {
  const { warnings } = await check(manifestOf(ids.map((product_id) => ({ product_id }))));
  return warnings.kept.flatMap(({ line, code }) => (code === 'word_as_id' ? [line] : []));
}

test.each(['Glow-Serum', 'Serum', '洗面奶'])('%s is doubted where most ids are numbers', async (word) => {
  expect(await doubted(word, '17301', '17302', '17303')).toEqual([2]);
});

test('words are ids where most ids are words, or few are numbers', async () => {
  expect(await doubted('glow', 'serum', 'mug', '17301', '17302', '17303')).toEqual([]);
  expect(await doubted('glow', '17301', '17302')).toEqual([]);
});

test('an id with a digit in it is no word', async () => {
  expect(await doubted('unavailable-1', '17301', '17302', '17303')).toEqual([]);
});
