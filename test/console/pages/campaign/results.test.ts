/** The results sheet as pages hand it out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readXlsx } from '../../../../src/sheets/xlsx/read-xlsx.ts';
import { openWorkbook } from '../../../../src/sheets/xlsx/workbook.ts';
import { collect } from '../../../support/collect.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';

const byteOrderMark = [0xef, 0xbb, 0xbf];

describe('the results sheet of a page', () => {
  it('has only the rows that are chosen', async () => {
    const { pages, path } = await opened();
    const sheet = (await pages.get(`${path}?row=c&row=a&row=none`)).html;
    const lines = sheet.trim().split('\n').slice(1);
    expect(lines.map((line) => line.split(',')[0])).toEqual(['a', 'c']);
  });

  it.each([
    ['', 'test, results, 9 Mar.csv'],
    ['?only=failed,review', 'test, failed and review, 9 Mar.csv'],
    ['?row=a', 'test, chosen rows, 9 Mar.csv'],
  ])('asked for with %j is named %s', async (query, name) => {
    const { pages, path } = await opened();
    const answer = await fetch(`${pages.url}${path}${query}`);
    expect(decodeURIComponent(answer.headers.get('content-disposition') ?? '')).toContain(`''${name}`);
  });

  it('keeps the order of the columns, and is a workbook with real dates', async () => {
    const scheduled = { scheduled_at: '2028-03-14 20:00', _Briefing: '2028-02-01' };
    const { pages, path } = await opened([{ ...scheduled, ...videoRow('2028-03-14'), _Ask: '18:30' }]);
    const answer = await fetch(`${pages.url}${path.replace('csv', 'xlsx')}`);
    const file = join(temporaryFolder(), 'results.xlsx');
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    const [header = [], row = []] = (await collect(readXlsx(file))).flat().map(({ cells }) => cells);
    expect(header.slice(0, 3)).toEqual(['scheduled_at', '_Briefing', 'key']);
    expect(row.slice(0, 3)).toEqual(['2028-03-14 20:00', '2028-02-01', '2028-03-14']);
    await using workbook = await openWorkbook(file);
    const xml = Buffer.concat(await collect(workbook.parts.read('xl/worksheets/sheet1.xml'))).toString();
    expect(xml).toMatch(
      /<c r="A2" s="7"><v>46826\.8333\d+<\/v><\/c><c r="B2" s="6"><v>46784<\/v><\/c><c r="C2" s="1" t="inlineStr">/,
    );
    expect(header.indexOf('_Ask')).toBeLessThan(header.indexOf('campaign'));
  });

  it('begins with the mark by which spreadsheet programs know UTF-8', async () => {
    const { pages, path } = await opened();
    const answer = await fetch(`${pages.url}${path}`);
    expect([...new Uint8Array(await answer.arrayBuffer())].slice(0, 3)).toEqual(byteOrderMark);
  });
});

async function opened(rows: readonly Cells[] = ['a', 'b', 'c'].map((key) => videoRow(key))) {
  const runner = await openRunner({ now: () => Date.UTC(2027, 2, 9, 15), settings: { timezone: 'UTC' } });
  const id = await runner.importRows(rows);
  return { pages: await openPages(runner), path: `/campaigns/${id}/results.csv` };
}
