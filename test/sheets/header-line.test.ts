import { expect, test } from 'vitest';
import { fixHere } from '../../src/cli/hints.ts';
import { hint } from '../../src/manifest/problems/hint.ts';
import { fileSource } from '../../src/sheets/sheet.ts';
import { check, manifestOf, right } from '../importers/manifest-source.ts';
import {
  agencyColumns,
  agencyCsv,
  agencyFiles,
  agencyRows,
  agencyWorkbook,
} from '../support/sheets/agency-sheet.ts';

const titled = (title: string) => `${title}\n,,\n${manifestOf([{}, { caption: 'Ho' }])}`;

test.each([
  ['one cell', 'Spring campaign'],
  ['as wide as the sheet', 'Spring campaign,,,,'],
  ['of some cells', 'Client:,Glow,3 March'],
  ['with separators of another kind', 'Glow; Spring'],
])('a title of %s above the headers', async (_name, title) => {
  const { accepted, headerLine, found, handedOn } = await check(titled(title));
  expect({ accepted, headerLine, found }).toEqual({ accepted: 2, headerLine: 3, found: [] });
  expect(handedOn.map(({ line, number, key }) => [line, number, key])).toEqual([
    [4, 1, '1'],
    [5, 2, '2'],
  ]);
});

test.each([
  ['a workbook', async () => fileSource(await agencyWorkbook())],
  ['CSV in UTF-16', async () => agencyCsv('utf-16le', { title: true })],
])('the headers of an agency are found by their looks in %s', async (_name, source) => {
  const rows: string[] = [];
  const { header, headerLine } = await check(await source(), {
    onRead: (read) => void rows.push(...read.map(({ line, cells }) => `${line} ${cells[0]}`)),
  });
  expect({ header, headerLine }).toEqual({ header: Object.keys(agencyColumns), headerLine: 2 });
  if (rows.length > 0) expect(rows[0]).toBe('3 1');
  expect([agencyRows.length, agencyFiles.length]).toEqual([41, 28]);
});

test('the headers are in the first line if they look like it, whatever their names', async () => {
  const { headerLine, found } = await check(`a,b,c\n${manifestOf([{}])}`);
  expect([headerLine, found[0]]).toEqual([2, undefined]);
  expect((await check('Wer,Was,Wie\n@anna,a.mp4,Hallo\n')).headerLine).toBe(1);
});

/** As agencies write them in Excel: a title block, and headers with line breaks. */
const planLines = [
  'AGENTUR NORD',
  'Kunde: Hausgut,,Stand:,28.11.2031',
  'KW,"Posting-\nDatum","Uhrzeit\n(MEZ)","Creator\n(Profil)","Video-\r\nDatei","Caption /\nText"',
  '49,1.12.2031,18:00,https://www.tiktok.com/@demo_anna,a.mp4,"Zwei Tropfen,\n\nfertig"',
  '49,2.12.2031,19:00,https://www.tiktok.com/@demo_ben,b.mp4,"Langsam\nin den Tag"',
];

test('headers with line breaks are found below a title', async () => {
  const { headerLine, header } = await check(planLines.join('\n'));
  expect([headerLine, header[1]]).toEqual([3, 'Posting-\nDatum']);
});

test('a title that is read as the headers is named, with the line that may have them', async () => {
  const long = (name: string) => `${name} ${'x'.repeat(60)}`;
  const text = `Plan\n${['A', 'B', 'C', 'D'].map(long).join()}\n1,2,3,4\n`;
  const { headerLine, notices } = await check(text);
  expect(headerLine).toBe(1);
  const [notice] = notices;
  expect(notice).toMatchObject({ code: 'title_as_headers', fix: [hint('headerLine', { line: 2 })] });
  expect(fixHere(notice?.fix)).toBe('Name the line of the headers, such as --header-line 2.');
  expect((await check(text, { sheet: { headerLine: 1 } })).notices).toEqual([]);
  expect((await check('Wer,Was,Wie\n@anna,a.mp4,Hallo\n')).notices).toEqual([]);
});

test.each([
  [
    'posts_in_columns',
    'creator,demo_anna,demo_ben\nmedia,a.mp4,b.mp4\ncaption,x,y\nproduct_id,1729430000000000001,1729430000000000002\n',
  ],
  ['days_in_columns', 'Creator,Mon 7 Dec,Tue 8 Dec,Wed 9 Dec\ndemo_anna,a.mp4,,b.mp4\n'],
])('a sheet that is no list of rows is told by its shape: %s', async (code, text) => {
  expect((await check(text)).notices.map((notice) => notice.code)).toEqual([code]);
});

test('a line that is named wins', async () => {
  const text = `${manifestOf([{}])}${Object.keys(right).join()}\n${Object.values(right).join()}\n`;
  const { accepted, headerLine, handedOn } = await check(text, { sheet: { headerLine: 3 } });
  expect({ accepted, headerLine, line: handedOn[0]?.line }).toEqual({ accepted: 1, headerLine: 3, line: 4 });
  const ofWorkbook = await check(fileSource(await agencyWorkbook()), { sheet: { headerLine: 1 } });
  expect(ofWorkbook.headerLine).toBe(1);
});

test.each([
  ['blank', 2],
  ['beyond the end', 40],
])('a line that is %s has no headers', async (_name, headerLine) => {
  const { found, blocking } = await check(titled('Spring'), { sheet: { headerLine } });
  expect(found).toEqual([`${headerLine} - no_header_line`]);
  expect(blocking[0]?.problem).toContain(`line ${headerLine} has no headers`);
});

test('JSON has no line of headers', async () => {
  expect((await check('[]', { sheet: { headerLine: 1 } })).found).toEqual(['1 - no_header_line']);
});

test('a row that is unreadable is told after the rows above it', async () => {
  const { accepted, found } = await check(`Spring\n${manifestOf([{}])}"never closed`);
  expect([accepted, found]).toEqual([1, ['4 - quote_not_closed']]);
});
