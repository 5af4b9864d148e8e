/** Manifests as text, valid and not: CSV, JSON and JSON Lines. */
import { columns } from '../../src/manifest/columns.ts';
import { mutate } from './mutate.ts';
import type { Random } from './random.ts';

export type TextFormat = 'csv' | 'json' | 'jsonl';

/** A row that nothing is wrong with. */
const good: Readonly<Record<string, unknown>> = {
  creator: 'demo_anna',
  media: 'a.mp4',
  caption: 'Hi "you", 你好',
  product_id: '1729440001',
  product_title: 'Serum',
};

const values: readonly unknown[] = [
  ...[
    '',
    ' ',
    'x',
    'yes',
    'no',
    'VIDEO',
    'PHOTO',
    'SHOP',
    'demo_anna',
    'a.mp4',
    'a.png|b.png',
    '../../etc/passwd',
  ],
  ...[
    'https://media.example/a.mp4',
    'http://[::1]/a',
    'file:///a',
    '2026-12-01 10:00',
    '2026-12-01T10:00:00+08:00',
  ],
  ...[
    '1.12.2026 10:00',
    '2026-03-29 02:30',
    'Europe/Berlin',
    'Nowhere/Land',
    '=1+1',
    '＝cmd',
    '-1',
    '@x',
    '1.72943E+18',
  ],
  ...[
    'seedance2.0',
    'nano-banana-2',
    '720x1280',
    '9:16',
    '8',
    'posted 12',
    'not-posted',
    '\u202e\u200b',
    '\u001b[31m',
  ],
  ...['__proto__', 'constructor', 'a\nb', 'a\r\nb', '"', '|', '||||', 'é', '你好', '😀', 'x'.repeat(5000)],
  ...[0, 17, -0, 1.5, 1e21, 2 ** 53, true, false, null, [], ['a.png', 'b.png'], [[1]], { a: 1 }],
];

const names: readonly string[] = [
  ...columns.flatMap(({ name, aliases }) => [name, ...aliases]),
  ...['_note', '#', '', ' creator ', 'Creator', '商品ID', '__proto__', 'constructor', 'campaign', 'status'],
];

const words: Readonly<Record<TextFormat, readonly (string | Buffer)[]>> = {
  csv: [
    ...[
      ',',
      ';',
      '\t',
      '|',
      '"',
      '""',
      '\r',
      '\n',
      '\r\n',
      '\ufeff',
      'sep=;\n',
      'sep=\t',
      '"sep=,"',
      '\0',
      ' ',
    ],
    ...[
      Buffer.from([0xff, 0xfe]),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from([0x81, 0x30]),
      Buffer.from([0xc4, 0xe3]),
    ],
    ...names.slice(0, 10),
  ],
  json: [
    ...[
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '\\u0000',
      '\\ud800',
      'null',
      'true',
      '1e999',
      '-',
      '\n',
      '\ufeff',
      '\0',
    ],
    ...[
      '"rows":',
      '"defaults":',
      '"name":',
      '"rows":[',
      '{"a":',
      '[[',
      '"__proto__":',
      '// x',
      Buffer.from([0xed, 0xa0, 0x80]),
    ],
  ],
  jsonl: [
    '{',
    '}',
    '{}',
    '[]',
    '"',
    ':',
    ',',
    '\\',
    '\n',
    '\r',
    '\n\n',
    '{"a":',
    'null',
    '1',
    '\ufeff',
    '\0',
    '"rows":',
    '"creator":',
  ],
};

/** A manifest of this format; most have something wrong. */
export function makeSheet(format: TextFormat, random: Random): Buffer {
  const rows = Array.from({ length: random.integer(0, 8) }, () => makeRow(random));
  const bytes = encode(random, formats[format](random, rows));
  return random.once(6) ? bytes : mutate(random, bytes, words[format]);
}

type Row = readonly (readonly [name: string, value: unknown])[];

/** A good row with some cells changed or added. */
function makeRow(random: Random): Row {
  const cells = Object.entries(good).filter(() => !random.once(12));
  for (let left = random.integer(0, 3); left > 0; left -= 1)
    cells.push([random.pick(names), random.pick(values)]);
  return cells;
}

const formats: Readonly<Record<TextFormat, (random: Random, rows: readonly Row[]) => string>> = {
  csv(random, rows) {
    const header = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
    const [delimiter, end] = [random.pick([',', ';', '\t', '|']), random.pick(['\n', '\r\n', '\r'])];
    const lines = rows.map((row) => header.map((name) => row.find(([each]) => each === name)?.[1] ?? ''));
    const text = (cell: unknown) => (typeof cell === 'string' ? cell : JSON.stringify(cell));
    return [header, ...lines]
      .map((line) => line.map((cell) => quoted(random, text(cell), delimiter)).join(delimiter) + end)
      .join('');
  },
  json(random, rows) {
    const list = rows.map(writeObject);
    const shapes = [
      `[${list.join(',')}]`,
      `{"name":"Spring","defaults":${writeObject(makeRow(random))},"rows":[${list.join(',')}]}`,
      `{"rows":[${list.join(',')}],"more":${JSON.stringify(values)}}`,
    ];
    return random.pick(shapes);
  },
  jsonl: (random, rows) => rows.map(writeObject).join(random.pick(['\n', '\r\n', '\n\n'])),
};

/** Names may repeat, which `JSON.stringify` cannot write. */
function writeObject(row: Row): string {
  return `{${row.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
}

function quoted(random: Random, cell: string, delimiter: string): string {
  const needsQuotes = cell.includes(delimiter) || /["\r\n]/.test(cell);
  return needsQuotes || random.once(3) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function encode(random: Random, text: string): Buffer {
  switch (random.integer(1, 8)) {
    case 1:
      return Buffer.from(`\ufeff${text}`);
    case 2:
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 3:
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 4:
      return Buffer.from(text, 'latin1');
    default:
      return Buffer.from(text);
  }
}
