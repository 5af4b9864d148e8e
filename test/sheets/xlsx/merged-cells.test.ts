import { expect, test } from 'vitest';
import { fileSource } from '../../../src/sheets/sheet.ts';
import { check } from '../../importers/manifest-source.ts';
import { partsOf, writeParts, writeWorkbook } from '../../support/sheets/workbook.ts';
import { linesOf, readRows } from './workbook-rows.ts';

/** Rows of texts; an empty one is a cell without a value. */
function rowsOf(...rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (text === '' ? '<c/>' : `<c t="inlineStr"><is><t>${text}</t></is></c>`);
  return rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('');
}

test('a value merged downwards applies to each row', async () => {
  const rows = rowsOf(['who', 'n'], ['anna', '1'], ['', '2'], ['', '3'], ['ben', '4'], ['', '5']);
  expect(await linesOf({ rows, merges: ['A5:A6', 'A2:A4'] })).toEqual([
    [1, 'who', 'n'],
    [2, 'anna', '1'],
    [3, 'anna', '2'],
    [4, 'anna', '3'],
    [5, 'ben', '4'],
    [6, 'ben', '5'],
  ]);
});

test('rows without other values stay blank', async () => {
  const rows = rowsOf(['who', 'n'], ['anna', '1'], ['', ''], ['', '3']);
  expect(await linesOf({ rows, merges: ['A2:A4', 'B2:B3'] })).toEqual([
    [1, 'who', 'n'],
    [2, 'anna', '1'],
    [4, 'anna', '3'],
  ]);
});

test('merges of the header do not reach the rows, and cells beside the table are ignored', async () => {
  const rows = rowsOf(['who', 'n'], ['', '1'], ['', '2']);
  expect(await linesOf({ rows, merges: ['A1:A3', 'F2:F3', 'A2:A3', 'nonsense'] })).toEqual([
    [1, 'who', 'n'],
    [2, '', '1'],
    [3, '', '2'],
  ]);
});

test('a fault of a merged cell applies to each of its rows', async () => {
  const rows = rowsOf(['who', 'n'], ['@', '1'], ['', '2']).replace(
    '<c t="inlineStr"><is><t>@</t></is></c>',
    '<c t="e"><v>#N/A</v></c>',
  );
  const read = await readRows(await writeWorkbook({ rows, merges: ['A2:A3'] }));
  expect(read.rows.map(({ cellFaults }) => cellFaults?.map(({ code }) => code))).toEqual([
    undefined,
    ['cell_error'],
    ['cell_error'],
  ]);
});

test('cells merged sideways are a problem of every row but headings', async () => {
  const names = ['creator', 'media', 'caption', 'product_id', 'product_title', '_note', '_more'];
  const right = ['anna', 'a.mp4', 'Hi', '1', 'Serum'];
  const rows = rowsOf(
    names,
    [...right, 'see', ''],
    ['anna', 'a.mp4', 'Hi', '', 'Serum', '', ''],
    ['', 'a.mp4', 'Ho', '2', 'Serum', '', ''],
    ['', '', 'week 2', '', '', '', ''],
  );
  const path = await writeWorkbook({ rows, merges: ['F2:G2', 'C3:D3', 'A3:A4', 'C5:E5', 'A2:B2'] });
  const { problems, accepted } = await check(fileSource(path));
  expect(accepted).toBe(1);
  const merged = problems.kept.filter(({ code }) => code === 'merged_cells');
  expect(merged.map(({ line, column, problem, fix }) => [line, column, problem, fix])).toEqual([
    [2, 'creator', 'A2 to B2 are merged, and only the first cell has the value', unmerge],
    [3, 'caption', 'C3 to D3 are merged, and only the first cell has the value', unmerge],
  ]);
});

const unmerge = 'Unmerge the cells and fill in each of them. If the row is a heading, remove it.';

test('merges are found after many rows, with prefixed tags, and in UTF-16', async () => {
  const many = Array.from({ length: 20_000 }, (_each, index) => ['', `${index} sheetData&gt;`]);
  const parts = partsOf({ rows: rowsOf(['who', 'n'], ['anna', '0'], ...many), merges: ['A2:A20002'] });
  const name = 'xl/worksheets/sheet1.xml';
  const plain = String(parts[name]);
  const prefixed = plain.replace(/<(\/?)(?=[a-zA-Z])/g, '<$1x:');
  const wide = Buffer.from(`\ufeff${plain}`, 'utf16le');
  for (const sheet of [plain, prefixed, wide]) {
    const { rows } = await readRows(await writeParts({ ...parts, [name]: sheet }));
    expect(rows.at(-1)).toMatchObject({ line: 20_002, cells: ['anna', '19999 sheetData>'] });
  }
});

test('too many merged cells are refused', async () => {
  const merges = Array.from({ length: 100_001 }, (_each, index) => `A${index + 2}:B${index + 2}`);
  const { failure } = await readRows(await writeWorkbook({ rows: rowsOf(['who'], ['anna']), merges }));
  expect(failure).toMatchObject({
    code: 'workbook_too_large',
    problem: 'the workbook is too large: it has more than 100000 merged cells',
  });
});
