import { expect, test } from 'vitest';
import { fixHere } from '../../src/cli/hints.ts';
import type { ManifestSource } from '../../src/sheets/sheet.ts';
import { type Encoding, parseEncoding } from '../../src/sheets/text/encoding.ts';
import { check, encoded, manifestOf } from '../importers/manifest-source.ts';

const head = 'creator,media,caption,product_id,product_title\n';
const row = 'demo_anna,a.mp4,Hi,1,Serum\n';
const hello = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);
/** More than one chunk, and more than the head that decides the format. */
const many = row.repeat(5000);

function bytes(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}

/** A sheet of one row in this encoding. */
function sheetIn(encoding: Encoding, caption: string, title = 'Serum'): Buffer {
  return encoded(manifestOf([{ caption, product_title: title }]), encoding);
}

test.each([
  ['春季新品上市，限时八折', '保湿精华液'],
  ['女士短袖T恤宽松百搭显瘦', '这款面膜真的太好用了'],
  ['夏日防晒霜SPF50+清爽不油腻', '小熊陶瓷马克杯'],
])('Chinese in GB18030 is detected: %s', async (caption, title) => {
  const { format, handedOn, found } = await check(sheetIn('gb18030', caption, title));
  expect([format, found]).toEqual([{ kind: 'csv', encoding: 'gb18030', delimiter: ',' }, []]);
  expect(handedOn[0]?.cells.slice(2)).toEqual([caption, '1', title]);
});

test('GB18030 is detected even if its first character comes late', async () => {
  const chinese = encoded('demo_anna,a.mp4,春季新品上市，限时八折,1,保湿精华液\n'.repeat(2000), 'gb18030');
  const { format, handedOn, found } = await check(bytes(head, many, chinese));
  expect([format, found]).toEqual([{ kind: 'csv', encoding: 'gb18030', delimiter: ',' }, []]);
  expect(handedOn[5000]).toMatchObject({
    line: 5002,
    cells: ['demo_anna', 'a.mp4', '春季新品上市，限时八折', '1', '保湿精华液'],
  });
});

test('GB18030 with less than a tenth of it beyond ASCII is shown, and read once it is named', async () => {
  const content = bytes(head, many, encoded('demo_anna,a.mp4,春季新品上市,1,保湿精华液\n', 'gb18030'));
  const { found, problems } = await check(content);
  expect(found).toEqual(['5002 - invalid_utf8']);
  expect(fixHere(problems.kept[0]?.fix)).toContain(
    '--encoding gb18030 (a guess). The text then reads: "春季新品上市".',
  );
  const named = await check(content, { sheet: { encoding: 'gb18030' } });
  expect(named.handedOn.at(-1)?.cells[2]).toBe('春季新品上市');
});

test.each([
  ['euc-kr', '한국어', 'The text then reads: "한국어". With gb18030 it reads: "茄惫绢".'],
  ['euc-kr', '일력 제구', '"일력 제구".'],
  ['euc-kr', '노력 일주일', '"노력 일주일".'],
  ['windows-1251', 'привет', '"привет".'],
  ['koi8-r', 'привет', 'With'],
  ['shift_jis', 'です', '"です".'],
  ['big5', '春季新品上市，限時八折', '"春季新品上市，限時八折".'],
  ['windows-1255', 'שלום', ''],
  ['windows-874', 'สวัสดีครับ', ''],
] as const)('a sheet in %s with "%s" is not read as Chinese, but shown', async (encoding, text, says) => {
  for (const title of ['Serum', text]) {
    const { found, problems } = await check(sheetIn(encoding, text, title));
    expect(found).toEqual(['2 - invalid_utf8']);
    expect(fixHere(problems.kept[0]?.fix)).toContain(says);
  }
});

test('Korean whose bytes happen to be words of Chinese is not read as Chinese, however often they come', async () => {
  const rows = Array(50).fill({ caption: '실제 주소', product_title: '신제 일주' });
  const { found, problems } = await check(encoded(manifestOf(rows), 'euc-kr'));
  expect(found).toEqual(['2 - invalid_utf8']);
  expect(fixHere(problems.kept[0]?.fix)).toContain('With euc-kr it reads: "실제 주소".');
});

test('GB18030 characters of four bytes are read once it is named, and guessed before', async () => {
  // An emoji and a letter of Hebrew.
  const long = Buffer.from('9439da338130fb37', 'hex');
  const text = new TextDecoder('gb18030').decode(long);
  const content = bytes(head, 'demo_anna,a.mp4,', long, hello, ',1,Serum\n');
  const { problems } = await check(content);
  expect(fixHere(problems.kept[0]?.fix)).toContain(
    `--encoding gb18030 (a guess). The text then reads: "${text}你好".`,
  );
  const { handedOn } = await check(content, { sheet: { encoding: 'gb18030' } });
  expect(handedOn[0]?.cells[2]).toBe(`${text}你好`);
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
  expect(fixHere(problems.kept[0]?.fix)).toContain('--encoding');
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
