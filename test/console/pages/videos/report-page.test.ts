import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readXlsx } from '../../../../src/sheets/xlsx/read-xlsx.ts';
import { openWorkbook } from '../../../../src/sheets/xlsx/workbook.ts';
import { collect } from '../../../support/collect.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { addPlayed } from '../../../support/watched.ts';
import { night, open } from './video-pages.ts';

describe('/videos/report', () => {
  const rowsOf = async (file: string, sheet: string) =>
    (await collect(readXlsx(file, { sheet }))).flat().map(({ cells }) => cells);

  async function partOf(file: string, part: string): Promise<string> {
    await using workbook = await openWorkbook(file);
    return Buffer.concat(await collect(workbook.parts.read(part))).toString();
  }

  async function played() {
    const { runner, pages } = await open();
    const facts = { creator: 'anna', product: 'p1', label: 'Cherry <b>', campaign: 'c9' };
    const samples = [
      [night(40), 9000],
      [night(10), 10_000],
      [night(8), 12_000],
      [night(0), 20_000],
    ] as const;
    const meta = { releasedAt: night(60) };
    await addPlayed(runner, 'a', { facts, meta, samples });
    await addPlayed(runner, 'b', { facts: { creator: 'ben' }, samples: [[night(3), 500]] });
    return pages;
  }

  it('shows the days that are chosen, by creator, product or campaign', async () => {
    const pages = await played();
    const { text, html } = await pages.get('/videos/report?since=2027-02-25&until=2027-03-02&by=product');
    expect(text).toContain('Videos, 25 February – 2 March 2027');
    expect(text).toContain('All videos · 1 video');
    expect(text).toContain('Views 12.0 k +3,000');
    expect(text).toMatch(/By product .* p1 1 12\.0 k \+3,000 100 20 30 50 1\.7 %/);
    expect(html).toContain('aria-label="No picture"');
    expect(html).toContain('href="/videos/report.xlsx?since=2027-02-25&amp;until=2027-03-02&amp;by=product"');
    expect((await pages.get('/videos/report?creator=ben')).text).toContain('Creator: ben · 1 video');
    const year = await pages.get('/videos/report?since=2026-04-01');
    expect(year.text).toContain('Views gained a week');
  });

  it('says what is wrong with the days, beside them', async () => {
    const { pages } = await open();
    const { status, text, html } = await pages.get('/videos/report?since=2027-04-01');
    expect(status).toBe(422);
    expect(text).toContain(
      'begins after it ends. Choose other days. This is the report of the last 30 days.',
    );
    expect(html).toContain('value="2027-04-01"');
  });

  it('is a workbook whose first sheet is for people', async () => {
    const pages = await played();
    const answer = await fetch(`${pages.url}/videos/report.xlsx?since=2027-02-25&until=2027-03-02`);
    expect(decodeURIComponent(answer.headers.get('content-disposition') ?? '')).toMatch(
      /Videos, 25 February.*2 March 2027\.xlsx$/,
    );
    const file = join(temporaryFolder(), 'report.xlsx');
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    const xml = await partOf(file, 'xl/worksheets/sheet1.xml');
    // Its tables are wider than its first line, so it is read as it is.
    const report = xml
      .split('<row ')
      .map((row) => Array.from(row.matchAll(/<(?:v|t [^>]*)>([^<]*)/g), ([, text]) => text));
    const head = ['Videos', 'Views', 'Views gained', 'Likes', 'Comments', 'Shares', 'Saves', 'Engagement'];
    expect(report).toContainEqual(['By creator', ...head]);
    expect(report).toContainEqual(['anna', '1', '12000', '3000', '100', '20', '30', '50', '0.016666']);
    expect(JSON.stringify(report)).not.toMatch(/digg|play_count/);
    expect(xml).toContain('s="5"><v>0.016666</v>');
    expect((await rowsOf(file, 'By day'))[1]).toEqual(['2027-02-25', ...Array(5).fill('0')]);
    const [, video = []] = await rowsOf(file, 'Videos');
    expect(video.slice(0, 7)).toEqual([
      'Cherry <b>',
      'anna',
      'p1',
      'c9',
      '2027-01-08 02:00',
      '12000',
      '3000',
    ]);
  });
});
