import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unguardFormula } from '../../../src/manifest/cells/formula-guard.ts';
import { readCsv } from '../../../src/sheets/csv/read-csv.ts';
import type { SheetFormat } from '../../../src/sheets/write/format.ts';
import { writeSheet } from '../../../src/sheets/write/sheet-file.ts';
import { readXlsx } from '../../../src/sheets/xlsx/read-xlsx.ts';
import { collect } from '../../support/collect.ts';
import { temporaryFolder } from '../../support/folder.ts';

type Lines = readonly (readonly string[])[];

const header = ['key', 'caption', '_note'];

/** Texts that formats tend to change. */
const awkward = fc.constantFrom(
  ...[
    "'",
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '"',
    ',',
    ';',
    '|',
    ' ',
    '\ufeff',
    '\u2028',
    '\u0085',
  ],
  ...[
    '😀',
    '👩‍👩‍👧',
    'مرحبا',
    '\u202e',
    '你好',
    '_x000D_',
    '_xAAAA',
    '_',
    '<b>',
    '&amp;',
    ']]>',
    '\0',
    '\x01',
    '\x7f',
    '\ufffe',
  ],
);
/** The last column has dates: a workbook has real ones where they are read as the same text. */
const dates = new Set(['_note']);
const dateLike = fc
  .tuple(fc.date({ noInvalidDate: true }), fc.constantFrom(10, 16, 19, 23), fc.constantFrom(0, 11))
  .map(([date, end, begin]) => date.toISOString().replace('T', ' ').slice(begin, end));
const text = fc.oneof(
  dateLike,
  fc.string({ unit: 'binary' }),
  fc.array(awkward, { maxLength: 6 }).map((parts) => parts.join('')),
);
// A row without cells does not count.
const rows = fc.array(
  fc.tuple(text, text, text).filter((cells) => cells.some((cell) => cell.trim() !== '')),
  { minLength: 1, maxLength: 5 },
);

async function write(lines: Lines, format: SheetFormat): Promise<string> {
  async function* streamed() {
    yield* lines;
  }
  const path = join(folder, `sheet.${format}`);
  await writeSheet(path, streamed(), { format, dates });
  return path;
}

let folder = '';

function asObject(cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(cells.flatMap((cell, index) => (cell === '' ? [] : [[header[index], cell]])));
}

const readers: Readonly<Record<SheetFormat, (path: string) => Promise<unknown>>> = {
  csv: async (path) =>
    (await collect(readCsv(createReadStream(path), { encoding: 'utf-8', delimiter: ',' })))
      .flat()
      .slice(1)
      .map(({ cells }) => cells.map(unguardFormula)),
  json: async (path) => JSON.parse(readFileSync(path, 'utf8')),
  jsonl: async (path) =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  xlsx: async (path) =>
    (await collect(readXlsx(path)))
      .flat()
      .slice(1)
      .map(({ cells }) => cells.map(unguardFormula)),
};

test.each(['csv', 'json', 'jsonl', 'xlsx'] as const)(
  'a sheet written as %s reads back the same',
  async (format) => {
    folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const read = await readers[format](await write([header, ...cells], format));
        const expected = format === 'csv' || format === 'xlsx' ? cells : cells.map(asObject);
        expect(read).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  },
);
