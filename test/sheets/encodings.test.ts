import { expect, test } from 'vitest';
import type { ManifestSource } from '../../src/sheets/source.ts';
import { parseEncoding } from '../../src/sheets/text/encoding.ts';
import { check } from '../importers/manifest-source.ts';

const head = 'creator,media,caption,product_id,product_title\n';
const row = 'demo_anna,a.mp4,Hi,1,Serum\n';
const hello = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);
/** More than one chunk, and more than the head that decides the format. */
const many = row.repeat(5000);

function bytes(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}

test('GB18030 is detected even if its first character comes late', async () => {
  const content = bytes(head, many, 'demo_anna,a.mp4,', hello, ',1,Serum\n');
  const { format, handedOn, found } = await check(content);
  expect(format).toEqual({ kind: 'csv', encoding: 'gb18030', delimiter: ',' });
  expect(found).toEqual([]);
  expect(handedOn.at(-1)).toMatchObject({ line: 5002, cells: ['demo_anna', 'a.mp4', '你好', '1', 'Serum'] });
});

test('GB18030 characters of four bytes are read', async () => {
  const emoji = Buffer.from([0x94, 0x39, 0xda, 0x33]);
  const { handedOn } = await check(bytes(head, 'demo_anna,a.mp4,', hello, emoji, ',1,Serum\n'));
  expect(handedOn[0]?.cells[2]).toBe('你好💩');
});

test.each([
  ['Windows-1252 that happens to be valid GB18030', Buffer.from('El se\xf1or', 'latin1')],
  ['Latin-1', Buffer.from('caf\xe9', 'latin1')],
  ['German', Buffer.from('Gr\xfc\xdfe', 'latin1')],
  ['Portuguese', Buffer.from('Promo\xe7\xf5es: aten\xe7\xe3o', 'latin1')],
  ['Korean in EUC-KR', Buffer.from('c1c1c0ba20bec6c4a7c0d4b4cfb4d920bfb9bbdb20b8d3b1d7c4c5', 'hex')],
])('%s is not mistaken for Chinese, and is reported with its line', async (_name, text) => {
  const { found, problems, format } = await check(bytes(head, row, 'demo_anna,a.mp4,', text, ',1,Serum\n'));
  expect(format).toMatchObject({ encoding: 'utf-8' });
  expect(found).toEqual(['3 - invalid_utf8']);
  expect(problems.kept[0]?.cure).toContain('--encoding');
});

test.each([
  ['utf-8', 'invalid_utf8', bytes(head, row, '"x\r\n', Buffer.from([0xff]), '"\n')],
  ['gb18030', 'invalid_gb18030', bytes(head, row, '"', hello, '\n', Buffer.from([0xff]), '"\n')],
  ['utf-16le', 'invalid_utf16le', bytes(wide(`${head}${row}"x\n`), Buffer.from([0x00, 0xd8, 0x41, 0x00]))],
  ['utf-16be', 'invalid_utf16be', bytes(wide(`${head}${row}"x\n`).swap16(), Buffer.from([0xdc, 0x00]))],
] as const)('bytes that are invalid in %s are reported with their line', async (encoding, code, content) => {
  const { found, accepted } = await check(content, { sheet: { encoding } });
  expect(found).toEqual([`4 - ${code}`]);
  expect(accepted).toBe(1);
});

test.each([
  ['utf-8', bytes(head, row, Buffer.from([0xe4, 0xbd]))],
  ['gb18030', bytes(head, row, Buffer.from([0xc4]))],
  ['utf-16le', bytes(wide(head + row), Buffer.from([0x41]))],
] as const)('half a character at the end of the file is reported: %s', async (encoding, content) => {
  const { found } = await check(content, { sheet: { encoding } });
  expect(found).toEqual([`3 - invalid_${encoding.replace('-', '')}`]);
});

test('invalid bytes far into the file are reported with their line', async () => {
  const { found, accepted } = await check(bytes(head, many, '"x\n', Buffer.from([0xff])));
  expect(found).toEqual(['5003 - invalid_utf8']);
  expect(accepted).toBe(5000);
});

test('UTF-16 without a mark and with a Chinese header is detected by its separators', async () => {
  const content = wide('达人,素材,标题,商品ID,商品名称\n小明,一.mp4,你好,1,精华\n');
  const { format, found } = await check(content);
  expect(format).toMatchObject({ encoding: 'utf-16le' });
  expect(found).toEqual([]);
});

test('a NUL does not turn UTF-8 into UTF-16', async () => {
  const { format } = await check(`${head}demo_anna,a.mp4,H\u0000i,1,Serum\n`);
  expect(format).toMatchObject({ encoding: 'utf-8' });
});

function wide(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

test.each([
  ['latin1', 'windows-1252', '8020e9', '€ é'],
  ['cp1252', 'windows-1252', '93e09496', '“à”–'],
  ['windows-1251', 'windows-1251', 'cff0e8', 'При'],
  ['sjis', 'shift_jis', '82b18355c4', 'こザﾄ'],
  ['cp949', 'euc-kr', 'bec8b3e7', '안녕'],
  ['Big5', 'big5', 'a741a66e', '你好'],
] as const)('%s is read when it is named', async (name, encoding, hex, caption) => {
  const content = bytes(head, 'demo_anna,a.mp4,', Buffer.from(hex, 'hex'), ',1,Serum\n');
  const { format, handedOn, found } = await check(content, { sheet: { encoding: parseEncoding(name) } });
  expect([format, found, handedOn[0]?.cells[2]]).toEqual([
    { kind: 'csv', encoding, delimiter: ',' },
    [],
    caption,
  ]);
});

test.each(['shift_jis', 'euc-kr', 'big5'] as const)(
  'a character of %s may arrive in two pieces',
  async (encoding) => {
    const two = Buffer.from({ shift_jis: '8341', 'euc-kr': 'bec8', big5: 'a741' }[encoding], 'hex');
    const content = bytes(head, 'demo_anna,a.mp4,x', two, two, ',1,Serum\n');
    const whole = await check(content, { sheet: { encoding } });
    const source: ManifestSource = {
      name: 'pieces.csv',
      async *bytes() {
        for (const byte of content) yield Buffer.from([byte]);
      },
    };
    const pieces = await check(source, { sheet: { encoding } });
    expect(pieces.handedOn).toEqual(whole.handedOn);
    expect(pieces.handedOn[0]?.cells[2]).toMatch(/^x(.)\1$/u);
  },
);

test('an unknown name is not an encoding', () => {
  expect(['latin0', '', 'utf-32', 'utf16'].map(parseEncoding)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
