import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../src/sheets/csv/read-csv.ts';
import { formatOfFile, type SheetFormat, sheetFormats } from '../../../src/sheets/write/format.ts';
import { SheetWriteError, writeSheet } from '../../../src/sheets/write/sheet-file.ts';
import { readXlsx } from '../../../src/sheets/xlsx/read-xlsx.ts';
import { openWorkbook } from '../../../src/sheets/xlsx/workbook.ts';
import { collect } from '../../support/collect.ts';
import { temporaryFolder } from '../../support/folder.ts';

async function* linesOf(...lines: readonly (readonly string[])[]) {
  yield* lines;
}

async function streamed(format: SheetFormat, ...lines: readonly (readonly string[])[]): Promise<string> {
  const output = new PassThrough();
  await writeSheet(output, linesOf(...lines), { format });
  return text(output.end());
}

/** @returns its path. */
async function written(name: string, ...lines: readonly (readonly string[])[]): Promise<string> {
  const path = join(temporaryFolder(), name);
  await writeSheet(path, linesOf(...lines), {});
  return path;
}

test.each([
  ['a.csv', 'csv'],
  ['a.JSON', 'json'],
  ['a.jsonl', 'jsonl'],
  ['a.ndjson', 'jsonl'],
  ['a.xlsx', 'xlsx'],
  ['a.txt', undefined],
  ['a', 'csv'],
])('%s is written as %s', (file, format) => {
  expect(formatOfFile(file)).toBe(format);
});

test('CSV in a file begins with a byte order mark, on standard output it does not', async () => {
  const path = await written('a.csv', ['a'], ['1']);
  expect(readFileSync(path, 'utf8')).toBe('\ufeffa\r\n1\r\n');
  expect(await streamed('csv', ['a'], ['1'])).toBe('a\r\n1\r\n');
});

test('CSV guards cells that begin like a formula', async () => {
  expect(await streamed('csv', ['a'], ['=1+1'])).toBe("a\r\n'=1+1\r\n");
});

test('JSON contains only texts, and no empty cells', async () => {
  const json = await streamed('json', ['id', 'caption'], ['1729432342342341000', ''], ['', '=x']);
  expect(json).toBe('[\n{"id":"1729432342342341000"},\n{"caption":"=x"}\n]\n');
});

test('a sheet without rows is an empty array, or no lines', async () => {
  expect(await streamed('json', ['id'])).toBe('[]\n');
  expect(await streamed('jsonl', ['id'])).toBe('');
});

test('repeated headers keep separate names in JSON', async () => {
  expect(await streamed('jsonl', ['_n', '_n', '_n'], ['1', '2', '3'])).toBe(
    '{"_n":"1","_n (2)":"2","_n (3)":"3"}\n',
  );
});

test('dates and times of day of a column of dates are real ones in a workbook, others stay texts', async () => {
  const texts = ['2027-03-14 20:00', '2027-03-14', '18:30', '2027-03-14 20:00:05', '2027-02-31', '9 Uhr'];
  const lines = linesOf(['at', 'key'], ...texts.map((text) => [text, '2027-03-14']));
  const path = join(temporaryFolder(), 'a.xlsx');
  await writeSheet(path, lines, { format: 'xlsx', dates: new Set(['at']) });
  await using workbook = await openWorkbook(path);
  const xml = Buffer.concat(await collect(workbook.parts.read('xl/worksheets/sheet1.xml'))).toString();
  const numbers = [...xml.matchAll(/<c r="A\d" s="(\d)"><v>([\d.]+)</g)].map(([, style, value]) => [
    style,
    Number(value),
  ]);
  const real = [
    ['7', 46_460 + 20 / 24],
    ['6', 46_460],
    ['9', 18.5 / 24],
    ['8', 46_460 + 72_005 / 86_400],
  ];
  expect(numbers).toEqual(real);
  expect(xml.match(/<c r="B/g)).toHaveLength(7);
  expect(
    (await collect(readXlsx(path)))
      .flat()
      .slice(1)
      .map(({ cells }) => cells[0]),
  ).toEqual(texts);
});

test('more rows than one batch are all written in order', async () => {
  const rows = Array.from({ length: 1234 }, (_, row) => [String(row)]);
  for (const format of ['csv', 'json', 'jsonl'] as const) {
    const numbers = (await streamed(format, ['n'], ...rows)).match(/\d+/g);
    expect(numbers).toEqual(rows.flat());
  }
  const path = await written('a.xlsx', ['n'], ...rows);
  expect((await collect(readXlsx(path))).flat().slice(1)).toMatchObject(rows.map((cells) => ({ cells })));
});

test('a long sheet reads back the same, however long its cells are', async () => {
  // Longer than the memory that collects pieces; as UTF-8, 'é' is longer than as UTF-16.
  const lengths = [1, 5000, 90_000, 3, 300_000, 2, 60_000];
  const rows = Array.from({ length: 70 }, (_, row) => [
    String(row),
    'é'.repeat(lengths[row % lengths.length] ?? 0),
    'as above',
  ]);
  const path = await written('a.csv', ['n', 'a', 'b'], ...rows);
  expect(readFileSync(path, 'utf8')).toBe(
    `\ufeffn,a,b\r\n${rows.map((cells) => `${cells.join(',')}\r\n`).join('')}`,
  );
});

test('CSV quotes and guards a cell that differs from the one above, and one that repeats it', async () => {
  const rows = [['a,b', '=x'], ['a,b', 'x'], ['a', '=x'], ['a'], ['a', '=x']];
  expect(await streamed('csv', ['h', 'i'], ...rows)).toBe(
    'h,i\r\n"a,b",\'=x\r\n"a,b",x\r\na,\'=x\r\na\r\na,\'=x\r\n',
  );
});

test.each([',', ';', '\t', '|'] as const)(
  'CSV with the separator %j reads back the same',
  async (delimiter) => {
    const rows = [
      ['key', 'media'],
      ['a', 'a.jpg|b.jpg'],
      ['b;c', 'c,d\te'],
    ];
    const path = join(temporaryFolder(), 'a.csv');
    await writeSheet(path, linesOf(...rows), { format: 'csv', delimiter });
    const read = await collect(readCsv(createReadStream(path), { encoding: 'utf-8', delimiter }));
    expect(read.flat().map(({ cells }) => cells)).toEqual(rows);
  },
);

describe('limits of a workbook', () => {
  test('a cell of 32,767 characters fits', async () => {
    const long = 'x'.repeat(32_767);
    const path = await written('a.xlsx', ['a'], [long]);
    expect((await collect(readXlsx(path))).flat()[1]?.cells).toEqual([long]);
  });

  test('one more character is reported with its place, and no file remains', async () => {
    const folder = temporaryFolder();
    const writing = writeSheet(join(folder, 'a.xlsx'), linesOf(['caption'], ['x'.repeat(32_768)]), {
      format: 'xlsx',
    });
    await expect(writing).rejects.toThrow(/row 2 has 32,768 characters in column caption/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('too many columns are reported', async () => {
    const wide = Array.from({ length: 16_385 }, () => 'x');
    const writing = writeSheet(join(temporaryFolder(), 'a.xlsx'), linesOf(wide), { format: 'xlsx' });
    await expect(writing).rejects.toBeInstanceOf(SheetWriteError);
  });
});

test.each(sheetFormats)('a failure half way leaves no file: %s', async (format) => {
  const folder = temporaryFolder();
  async function* failing() {
    for (let row = 0; row < 1000; row += 1) yield ['x'.repeat(100)];
    throw new Error('the ledger is gone');
  }
  const writing = writeSheet(join(folder, 'a'), failing(), { format });
  await expect(writing).rejects.toThrow(/the ledger is gone/);
  expect(readdirSync(folder)).toEqual([]);
});
