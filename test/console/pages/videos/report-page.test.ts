import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readXlsx } from '../../../../src/sheets/xlsx/read-xlsx.ts';
import { openWorkbook } from '../../../../src/sheets/xlsx/workbook.ts';
import { collect } from '../../../support/collect.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
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
    expect(text).toMatch(/By product .* p1 1 12\.0 k \+3,000 100 20 30 50 1\.7%/);
    expect(html).toContain('aria-label="No picture"');
    expect(html).toContain('href="/videos/report.xlsx?since=2027-02-25&amp;until=2027-03-02&amp;by=product"');
    expect((await pages.get('/videos/report?creator=ben')).text).toContain('Creator: ben · 1 video');
    const year = await pages.get('/videos/report?since=2026-04-01');
    expect(year.text).toContain('Views gained a week');
  });

  it('has a title, a comment and a logo of one’s own', async () => {
    const folder = temporaryFolder();
    const logo = join(folder, 'logo.png');
    writeFileSync(
      logo,
      await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    );
    const { runner, pages } = await open({ videos: { logo } });
    await addPlayed(runner, 'a', { facts: {}, samples: [[night(0), 500]] });
    const own = new URLSearchParams({ title: 'Spring <b>: week 1/2', comment: 'Well done.' });
    const { html, text } = await pages.get(`/videos/report?${own}`);
    expect(html).toContain('<h1>Spring &lt;b&gt;: week 1/2</h1>');
    expect(text).toContain('Well done.');
    expect(html).toContain(`&amp;${own}"`.replace('&comment', '&amp;comment'));
    const picture = await fetch(`${pages.url}/videos/report/logo`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(readFileSync(logo));
    const book = await fetch(`${pages.url}/videos/report.xlsx?${own}`);
    expect(decodeURIComponent(book.headers.get('content-disposition') ?? '')).toMatch(
      /Spring {2}b.* week 1 2\.xlsx$/,
    );
    const file = join(folder, 'report.xlsx');
    writeFileSync(file, Buffer.from(await book.arrayBuffer()));
    expect(await partOf(file, 'xl/worksheets/sheet1.xml')).toMatch(
      /Spring &lt;b&gt;: week 1\/2.*Well done\./,
    );
  });

  it('lists the posts as they were planned and published', async () => {
    const { runner, pages } = await open();
    const caption = `${'A long caption. '.repeat(20)}\nThe end`;
    const id = await runner.importRows([
      videoRow('a'),
      videoRow('b', { caption, scheduled_at: '2099-03-01T09:30:00Z' }),
    ]);
    await addPlayed(runner, 'b', {
      facts: { campaign: id, key: 'b', creator: 'anna' },
      meta: { caption, releasedAt: night(3) },
      samples: [[night(0), 500]],
    });
    const { text } = await pages.get('/videos/report');
    expect(text).toMatch(/Posts .*The end anna Sun 1 Mar 2099, 09:30 Sat 6 Mar, 02:00 500/);
  });

  it('gives a post of today its date, and none a time that was not planned', async () => {
    const { runner, pages } = await open();
    const id = await runner.importRows([videoRow('a')]);
    await addPlayed(runner, 'a', {
      facts: { campaign: id, key: 'a' },
      meta: { releasedAt: night(0) },
      samples: [[night(0), 500]],
    });
    const { text } = await pages.get('/videos/report');
    expect(text).toMatch(/Posts .* – Tue 9 Mar, 02:00 500/);
  });

  it('says what is wrong with the days, beside them', async () => {
    const { pages } = await open();
    const { status, text, html } = await pages.get('/videos/report?since=2027-04-01');
    expect(status).toBe(422);
    expect(text).toContain(
      'begins after it ends. Choose other days. The report below covers the last 30 days.',
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
    expect(video.slice(0, 8)).toEqual([
      'Cherry <b>',
      'anna',
      'p1',
      'c9',
      '',
      '2027-01-08 02:00',
      '12000',
      '3000',
    ]);
  });
});
