import { expect, test } from 'vitest';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { partsOf, relationships, writeParts, writeWorkbook } from '../../support/sheets/workbook.ts';
import { linesOf, readRows } from './workbook-rows.ts';

const text = (value: string, reference = '') => {
  const r = reference === '' ? '' : ` r="${reference}"`;
  return `<c${r} t="inlineStr"><is><t>${value}</t></is></c>`;
};
const header = `<row>${text('a')}${text('b')}</row>`;

test('cells are placed by their references, and rows are as wide as the header', async () => {
  const rows =
    `<row r="1">${text('a', 'A1')}${text('b', 'B1')}${text('c', 'C1')}</row>` +
    `<row r="3">${text('x', 'B3')}</row><row r="4">${text('y', 'A4')}</row>`;
  expect(await linesOf({ rows })).toEqual([
    [1, 'a', 'b', 'c'],
    [3, '', 'x', ''],
    [4, 'y', '', ''],
  ]);
});

test('cells and rows without references follow each other', async () => {
  expect(await linesOf({ rows: `${header}<row>${text('1')}${text('2')}</row>` })).toEqual([
    [1, 'a', 'b'],
    [2, '1', '2'],
  ]);
});

test('columns beyond Z are read', async () => {
  const rows = `<row>${text('a', 'A1')}${text('z', 'AB1')}</row>`;
  expect((await linesOf({ rows }))[0]).toHaveLength(1 + 28);
});

test('blank rows are skipped anywhere; hidden rows are read', async () => {
  const rows =
    `<row r="2"><c r="A2" s="0"/></row><row r="3">${text('a', 'A3')}</row><row r="4"/>` +
    `<row r="5" hidden="1">${text('1', 'A5')}</row><row r="9">${text('', 'A9')}</row>`;
  expect(await linesOf({ rows })).toEqual([
    [3, 'a'],
    [5, '1'],
  ]);
});

test('cells without a header are one fault of the row', async () => {
  const path = await writeWorkbook({
    rows: `${header}<row>${['1', '2', '3', '4'].map((each) => text(each)).join('')}</row>`,
  });
  const { rows } = await readRows(path);
  expect(rows[1]).toMatchObject({
    cells: ['1', '2'],
    cellFaults: [{ position: 2, code: 'cell_without_header', problem: 'cell C2 has no header above it' }],
  });
});

const sheets = [
  { name: 'Notes', rows: `<row>${text('hidden')}</row>`, state: 'hidden' },
  { name: 'Old', rows: `<row>${text('very')}</row>`, state: 'veryHidden' },
  { name: 'Plan', rows: `<row>${text('plan')}</row>` },
  { name: 'March', rows: `<row>${text('march')}</row>` },
] as const;

test.each([
  [undefined, 'plan'],
  ['March', 'march'],
  ['march', 'march'],
  ['Notes', 'hidden'],
])('sheet %s is the one with %s', async (name, cell) => {
  expect(await linesOf({ sheets }, name)).toEqual([[1, cell]]);
});

test('an unknown sheet is reported with the existing names', async () => {
  const { failure } = await readRows(await writeWorkbook({ sheets }), 'April');
  expect(failure).toMatchObject({
    line: 1,
    code: 'unknown_sheet',
    problem: 'the workbook has no sheet "April"',
    fix: ['It has "Plan", "March".', hint('chooseSheet', { sheet: null })],
  });
});

test('a workbook with only hidden sheets is reported', async () => {
  const { failure } = await readRows(await writeWorkbook({ sheets: sheets.slice(0, 2) }));
  expect(failure).toMatchObject({ code: 'no_visible_sheet' });
});

test('targets may be absolute, names of parts in another case, tags prefixed, and namespaces strict', async () => {
  const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
  const parts = {
    '_RELS/.RELS': relationships([['1', `${strict}/officeDocument`, '/XL/Book.xml']]),
    'xl/book.xml':
      `<x:workbook xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:rel="${strict}">` +
      '<x:sheets><x:sheet name="S" sheetId="7" rel:id="a"/></x:sheets></x:workbook>',
    'xl/_rels/book.xml.rels': relationships([['a', `${strict}/worksheet`, '/xl/worksheets/S.xml']]),
    'xl/worksheets/s.xml':
      '<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData>' +
      '<x:row><x:c t="inlineStr"><x:is><x:t>strict</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>',
  };
  const { rows, failure } = await readRows(await writeParts(parts));
  expect(failure).toBeUndefined();
  expect(rows).toMatchObject([{ line: 1, cells: ['strict'] }]);
});

test('parts may be in UTF-16', async () => {
  const parts = partsOf({ rows: `<row>${text('你好')}</row>` });
  const sheet = `\ufeff<?xml version="1.0" encoding="UTF-16"?>${parts['xl/worksheets/sheet1.xml']}`;
  const path = await writeParts({ ...parts, 'xl/worksheets/sheet1.xml': Buffer.from(sheet, 'utf16le') });
  expect((await readRows(path)).rows).toMatchObject([{ cells: ['你好'] }]);
});
