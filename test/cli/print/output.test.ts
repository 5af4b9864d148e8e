import { expect, test } from 'vitest';
import { table, widthOf, wrap } from '../../../src/cli/print/output.ts';

test('lines break between words, and the others are indented', () => {
  expect(wrap('to do ', 'take another product of the shop', 24)).toEqual([
    'to do take another',
    '      product of the',
    '      shop',
  ]);
});

test('a long beginning leaves room for the other lines', () => {
  expect(wrap('  2 rows without proof: ', 'their posts may still appear', 34)).toEqual([
    '  2 rows without proof: their',
    '      posts may still appear',
  ]);
});

test('without a terminal a text stays on one line', () => {
  expect(wrap('to do ', 'take another product', undefined)).toEqual(['to do take another product']);
});

test('a word wider than the terminal stays whole', () => {
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

test('emoji count for two columns, marks above letters for none', () => {
  expect(widthOf('🎄e\u0301')).toBe(3);
});

test('columns of a table begin below each other, whatever the letters', () => {
  const lines = table(
    ['标题', 'ROWS'],
    [
      ['春季', '1'],
      ['spring', '2'],
    ],
  );
  expect(lines).toEqual(['标题    ROWS', '春季    1', 'spring  2']);
});
