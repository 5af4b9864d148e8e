/** One table, written in every format and encoding, reads as the same rows. */
import { expect, test } from 'vitest';
import type { Delimiter } from '../../src/sheets/csv/delimiter.ts';
import { describeReading } from '../../src/sheets/format.ts';
import { openSheet } from '../../src/sheets/open-sheet.ts';
import type { SheetOptions } from '../../src/sheets/sheet.ts';
import type { Encoding } from '../../src/sheets/text/encoding.ts';
import { encoded, sourceOf } from '../importers/manifest-source.ts';

const names = ['key', 'creator', 'media', 'caption', 'product_id', 'product_title'];
const rows = [
  [
    'a',
    'demo_anna',
    'a.mp4',
    '春季新品上市，限时八折。这款面膜真的太好用了，姐妹们快来看看，今日好物分享',
    '1729432342342341999',
    '精华',
  ],
  ['b', 'demo_anna', 'b-1.png|b-2.png', 'Say "hi"; or, at least,\nwave\\', '2', 'Serum\t30 ml'],
  ['c', '', '', '', '', ''],
];

function csv(delimiter: Delimiter): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const quoted = rows.map((row) => row.map(cell).join(delimiter));
  return [names.join(delimiter), ...quoted, ''].join('\r\n');
}

function objects() {
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
}

function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  return encoded(text, encoding);
}

async function read(content: Buffer, options: SheetOptions = {}) {
  const sheet = await openSheet(sourceOf(content), options);
  const cells: (readonly string[])[] = [];
  for await (const batch of sheet.rows) cells.push(...batch.map((row) => row.cells));
  return { format: sheet.format, header: sheet.header.cells, cells };
}

const unmarked: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'gb18030'];
const marked: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be'];
const delimiters: readonly Delimiter[] = [',', ';', '\t'];

test.each([
  ...unmarked.flatMap((encoding) => delimiters.map((delimiter) => ({ encoding, delimiter, mark: '' }))),
  ...marked.flatMap((encoding) => delimiters.map((delimiter) => ({ encoding, delimiter, mark: '\ufeff' }))),
])('CSV in $encoding, separated by $delimiter, mark $mark', async ({ encoding, delimiter, mark }) => {
  expect(await read(encode(mark + csv(delimiter), encoding))).toEqual({
    format: { kind: 'csv', encoding, delimiter },
    header: names,
    cells: rows,
  });
});

test('CSV separated by |', async () => {
  const { format, cells } = await read(Buffer.from(csv('|')));
  expect(format).toMatchObject({ delimiter: '|' });
  expect(cells).toEqual(rows);
});

const jsonForms = {
  'a JSON array': JSON.stringify(objects()),
  'a JSON array over many lines': JSON.stringify(objects(), null, 2),
  'an object with rows': JSON.stringify({ name: 'x', rows: objects() }),
  'an object whose rows come first': JSON.stringify({ rows: objects(), name: 'x', defaults: {} }, null, '\t'),
  'JSON Lines': objects()
    .map((row) => JSON.stringify(row))
    .join('\n'),
  'JSON Lines with CR LF and blank lines': `\r\n${objects()
    .map((row) => `${JSON.stringify(row)}\r\n\r\n`)
    .join('')}`,
};

test.each(
  Object.entries(jsonForms).flatMap(([form, text]) => unmarked.map((encoding) => ({ form, text, encoding }))),
)('$form in $encoding', async ({ form, text, encoding }) => {
  const { format, header, cells } = await read(encode(text, encoding));
  expect(format).toEqual({ kind: form.startsWith('JSON Lines') ? 'jsonl' : 'json', encoding });
  expect(header).toEqual(names);
  expect(cells).toEqual(rows);
});

test.each([
  ['|', 'a|b\n1|2\n', '|'],
  ['a list in the header beside commas', 'a|b,c\n1,2\n', ','],
  ['a list in a cell', 'a\nx|y\n', ','],
  ['one column', 'a\n1\n', ','],
] as const)('the separator of %s', async (_name, text, delimiter) => {
  expect((await read(Buffer.from(text))).format).toMatchObject({ delimiter });
});

test('a given separator wins over the header', async () => {
  const { header, cells } = await read(Buffer.from('a;b,c,d\n1;2,3,4\n'), { delimiter: ';' });
  expect([header, cells]).toEqual([['a', 'b,c,d'], [['1', '2,3,4']]]);
});

test('with a given separator, a header that begins with a bracket is CSV', async () => {
  const { format, header } = await read(Buffer.from('[note],key\n1,2\n'), { delimiter: ',' });
  expect([format.kind, header]).toEqual(['csv', ['[note]', 'key']]);
});

test('a given encoding wins', async () => {
  const bytes = Buffer.concat([Buffer.from('a,b\n1,'), Buffer.from([0xf1, 0x6f]), Buffer.from('\n')]);
  expect((await read(bytes, { encoding: 'gb18030' })).cells).toEqual([['1', '駉']]);
});

test.each([
  [{ kind: 'csv', encoding: 'utf-8', delimiter: ',' }, null],
  [
    { kind: 'csv', encoding: 'gb18030', delimiter: ';' },
    'read as CSV in GB18030, separated by ; (if the text is not Chinese, save it as UTF-8)',
  ],
  [{ kind: 'csv', encoding: 'utf-8', delimiter: '\t' }, 'read as CSV, separated by TAB'],
  [{ kind: 'json', encoding: 'utf-8' }, 'read as JSON'],
  [{ kind: 'jsonl', encoding: 'utf-16le' }, 'read as JSON Lines in UTF-16 LE'],
] as const)('%j is described as %j', (format, line) => {
  expect(describeReading(format, 1)).toBe(line);
});

test.each([
  ['sep=;\na,b;c\n1;2\n', ';'],
  ['\ufeffsep=\t\r\na\tb\r\n1\t2\r\n', '\t'],
  ['"SEP=|"\ra|b\r1|2\r', '|'],
  ['sep=;;\na;b\n1;2\n', ';'],
] as const)('the hint %j names the separator, and is no row', async (text, delimiter) => {
  const sheet = await openSheet(sourceOf(text));
  expect(sheet.format).toMatchObject({ kind: 'csv', delimiter });
  expect([sheet.header.line, sheet.header.cells.length]).toEqual([2, 2]);
  await sheet.close();
});

test('a given separator wins over the hint, and the hint is not a row', async () => {
  const { header } = await read(Buffer.from('sep=;\na,b;c\n1,2\n'), { delimiter: ',' });
  expect(header).toEqual(['a', 'b;c']);
});

test.each(['[WIP] Autumn plan', '{Autumn} plan', '<Autumn> plan', '[ Entwurf ]'])(
  'the title %j is no other format',
  async (title) => {
    const { format, header, cells } = await read(Buffer.from(`${title},,,,,\r\n${csv(',')}`));
    expect({ format, header, cells }).toEqual({
      format: { kind: 'csv', encoding: 'utf-8', delimiter: ',' },
      header: names,
      cells: rows,
    });
  },
);

test.each(['[null, 1, 2, 3, 4, 5]', '[creator', '<p>a, b, c, d, e</p>', '{creator: 1, a, b, c, d}'])(
  '%j is no CSV',
  async (text) => {
    const format = openSheet(sourceOf(Buffer.from(text)), {}).then((sheet) => sheet.format.kind);
    expect(await format.catch(() => 'none')).not.toBe('csv');
  },
);
