import { expect, test } from 'vitest';
import { wrap } from '../../../src/cli/print/wrap.ts';

test('lines break between words and go on under the first', () => {
  expect(wrap('cure  ', 'take another product of the shop', 24)).toEqual([
    'cure  take another',
    '      product of the',
    '      shop',
  ]);
});

test('without a terminal a text stays in one line', () => {
  expect(wrap('cure  ', 'take another product', undefined)).toEqual(['cure  take another product']);
});

test('a word that is wider than the terminal is left whole', () => {
  expect(wrap('', 'see https://shop.example/a/long/path now', 10)).toEqual([
    'see',
    'https://shop.example/a/long/path',
    'now',
  ]);
});

test('East Asian characters count for two columns', () => {
  expect(wrap('', 'code: 授权已过期', 16)).toEqual(['code:', '授权已过期']);
  expect(wrap('', 'code: 授权已过期', 18)).toEqual(['code: 授权已过期']);
});
