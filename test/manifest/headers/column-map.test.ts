import { expect, test } from 'vitest';
import { createColumnMap, requireMappedHeaders } from '../../../src/manifest/headers/column-map.ts';
import { isListHeader, matchHeader } from '../../../src/manifest/headers/header.ts';
import { createImportedRowReader } from '../../../src/manifest/reader.ts';

const strict = { rejectUnknown: true, rejectResults: true };

test('a header means the column that it is mapped to, in any spelling of both', () => {
  const map = createColumnMap([[' Product No. ', 'Product ID']]);
  expect([...map]).toEqual([['Product No.', 'product_id']]);
  expect(matchHeader(['PRODUCT no.'], { ...strict, map }).indexes.product_id).toBe(0);
});

test('a map wins over catalogue names, notes and result columns', () => {
  const map = createColumnMap([
    ['title', 'product_title'],
    ['_text', 'caption'],
    ['status', 'key'],
  ]);
  const { indexes, results } = matchHeader(['title', '_text', 'status'], { ...strict, map });
  expect([indexes.product_title, indexes.caption, indexes.key, results]).toEqual([0, 1, 2, []]);
});

test('two headers of one column are reported', () => {
  const map = createColumnMap([['Text A', 'caption']]);
  const { problems } = matchHeader(['Text A', 'caption'], { ...strict, map });
  expect(problems).toContainEqual(expect.objectContaining({ code: 'duplicate_column', index: 1 }));
});

test.each([
  ['an unknown column', [['x', 'captoin']], 'there is no column captoin; did you mean caption?'],
  ['an alias', [['x', 'username']], 'there is no column username'],
  [
    'a header mapped twice',
    [
      ['x', 'caption'],
      ['X', 'key'],
    ],
    'the header X is mapped to caption and to key',
  ],
  ['no header', [[' ', 'caption']], 'the header "" cannot be mapped'],
  ['a reserved name', [['__proto__', 'caption']], 'the header "__proto__" cannot be mapped'],
] as const)('%s is refused', (_name, entries, message) => {
  expect(() => createColumnMap(entries)).toThrow(
    expect.objectContaining({ name: 'ColumnMapError', message }),
  );
});

test('a missing header is reported with a suggestion', () => {
  const map = createColumnMap([['Produkt', 'product_id']]);
  expect(() => requireMappedHeaders(map, ['Product', 'creator'])).toThrow(
    'the sheet has no header Produkt; did you mean Product?',
  );
  expect(() => requireMappedHeaders(map, [' PRODUKT'])).not.toThrow();
});

test('the rows and keys of a campaign are read with its map', () => {
  const header = ['No.', 'Who', 'media', 'caption', 'product_id', 'product_title'];
  const map = createColumnMap([
    ['No.', 'key'],
    ['Who', 'creator'],
  ]);
  const reader = createImportedRowReader({ header, map, timezone: null });
  const cells = ['seven', 'mia', 'a.mp4', 'Hi', '1', 'Serum'];
  expect(reader.read({ cells, number: 1 })).toMatchObject({ row: { key: 'seven', creator: 'mia' } });
  expect(reader.key({ cells, number: 1 })).toBe('seven');
  expect(reader.header.names).toEqual(header);
});

test('a header mapped to _ is a note, whatever its name', () => {
  const map = createColumnMap([
    ['Title', ' _ '],
    ['Wheels', '_'],
    ['caption', 'caption'],
  ]);
  const header = matchHeader(['Title', 'wheels', 'caption'], { ...strict, map });
  expect(header.indexes.caption).toBe(2);
  expect(header.problems.map(({ code }) => code)).not.toContain('unknown_column');
  expect(header.problems.map(({ code }) => code)).not.toContain('duplicate_column');
  expect(isListHeader('Wheels', map)).toBe(true);
});

test('a campaign remembers which columns are notes', () => {
  const map = createColumnMap([['Title', '_']]);
  const header = ['creator', 'media', 'Title', 'caption', 'product_id', 'product_title'];
  const { read } = createImportedRowReader({ header, map, timezone: null });
  const cells = ['anna', 'a.mp4', 'for us only', 'Hi', '1', 'Serum'];
  const reading = read({ cells, number: 1 });
  expect(reading).toMatchObject({ row: { caption: 'Hi' } });
});
