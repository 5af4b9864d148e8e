import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OverviewReader } from '../../../src/app/videos/overview-reader.ts';
import { readXlsx } from '../../../src/sheets/xlsx/read-xlsx.ts';
import { openWorkbook } from '../../../src/sheets/xlsx/workbook.ts';
import { collect } from '../../support/collect.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openRunner } from '../../support/in-process.ts';
import { addVideos, readVideo, scrapeEnded, videoUrl } from '../../support/videos.ts';
import { addPlayed } from '../../support/watched.ts';

const now = Date.UTC(2027, 2, 9, 15);
const day = 86_400;
const night = (daysAgo: number) => Date.UTC(2027, 2, 9, 2) / 1000 - daysAgo * day;

async function open() {
  const runner = await openRunner({ now: () => now });
  return { runner, pages: await openPages(runner) };
}

describe('/videos', () => {
  it('says how to begin, without figures', async () => {
    const { pages } = await open();
    const { text } = await pages.get('/videos');
    expect(text).toContain('No video is on the watch list.');
    expect(text).toContain('No updates are scheduled.');
  });

  it('shows totals, gains a day, movers, sums and the list', async () => {
    const { runner, pages } = await open();
    const facts = { creator: 'anna', product: 'p1', label: 'Cherry <b>' };
    await addPlayed(runner, 'a', {
      facts,
      samples: [
        [night(15), 12_000],
        [night(1), 13_000],
        [night(0), 38_400],
      ],
    });
    await addVideos(runner, [videoUrl('b')], { creator: 'ben' });
    const { text, html } = await pages.get('/videos');
    expect(text).toContain('Views 38.4 k +26.4 k in 14 days');
    expect(text).toContain('Views gained a day, 24 February to 9 March: at most 25.4 k, on 9 March');
    expect(text).toMatch(/Gained the most views, 14 days Cherry &lt;b&gt; anna \+26\.4 k/);
    expect(text).toContain('1 to 2 of 2');
    expect(html).toContain('<polyline class="line"');
    expect(html).not.toContain('Cherry <b>');
    const sums = await pages.get('/videos?by=creator');
    expect(sums.text).toMatch(/anna 1 38\.4 k \+26\.4 k .*ben 1 0 0/);
    expect(sums.text).not.toContain('1 to 2 of 2');
  });

  it('shows the videos of a campaign that cannot be read without its pictures', async () => {
    const { runner, pages } = await open();
    await addVideos(runner, [videoUrl('a')], { campaign: 'c1', key: 'a', label: 'Cherry' });
    await runner.redis.set(runner.ledger.keys.campaign('c1'), 'of another type');
    expect((await pages.get('/videos')).text).toContain('Cherry');
  });

  it('says that nothing was read in the span, and when it was', async () => {
    const { runner, pages } = await open();
    await addPlayed(runner, 'a', { samples: [[night(20), 1]] });
    const { text } = await pages.get('/videos?span=14');
    expect(text).toContain('Not updated in the last 14 days. The figures are from Wed 17 Feb, 02:00.');
    expect((await pages.get('/videos?span=30')).text).not.toContain('Not updated');
  });

  it('says that its figures come later while too many others are being read', async () => {
    const { runner, pages } = await open();
    await addVideos(runner, [videoUrl('a')]);
    const busy = { overview: undefined, isCurrent: false, isBusy: true, looked: 0 };
    const show = vi.spyOn(OverviewReader.prototype, 'show').mockResolvedValue(busy);
    onTestFinished(() => show.mockRestore());
    const { text } = await pages.get('/videos');
    expect(text).toContain('Other figures are loading; these are next.');
  });

  it('keeps span, figure and filter in the address, and says what no video fits', async () => {
    const { runner, pages } = await open();
    await addPlayed(runner, 'a', {
      samples: [
        [night(15), 1],
        [night(0), 2],
      ],
    });
    const { html, text } = await pages.get('/videos?span=7&figure=likes&sort=plays');
    expect(text).toContain('Likes gained a day, 3 March to 9 March');
    expect(html).toContain('href="/videos?span=7&amp;figure=likes&amp;sort=-plays#list"');
    expect(html).toContain('<option value="7" selected');
    expect((await pages.get('/videos?creator=nobody')).text).toContain(
      'No video matches. Filter: creator nobody.',
    );
  });

  it('pages through the list', async () => {
    const { runner, pages } = await open();
    await addVideos(
      runner,
      Array.from({ length: 21 }, (_video, index) => videoUrl(`v${index}`)),
    );
    expect((await pages.get('/videos')).html).toContain('href="/videos?page=2#list"');
    const second = await pages.get('/videos?page=2');
    expect(second.text).toContain('21 to 21 of 21');
    expect((await pages.get('/videos?page=99')).text).toContain('21 to 21 of 21');
  });

  it('asks how many calls it takes, then reads all videos with the workers', async () => {
    const { runner, pages } = await open();
    const { ledger } = runner;
    await addVideos(runner, [videoUrl('a'), videoUrl('b')]);
    const asked = await pages.get('/videos/read');
    expect(asked.text).toContain('Update 2 videos now? At least 2 calls');
    expect(await ledger.videos.scrapes.list(1)).toEqual([]);
    const alone = await pages.post('/videos/read', {});
    expect(alone.text).toContain('Updating 2 videos. No running worker can update them.');
    expect((await pages.post('/videos/read', {})).text).toContain(
      'Nothing was started: an update has been running since',
    );
    await runner.start();
    const scrape = await scrapeEnded(runner, 1);
    expect(scrape).toMatchObject({ state: 'ended', done: 2 });
    expect((await pages.get('/videos')).text).toContain('updated 15:00: 2 videos · not scheduled');
  });

  it('counts the videos that a reading asks for, on the button and when it has begun', async () => {
    const { runner, pages } = await open();
    const { list, history, scrapes } = runner.ledger.videos;
    const [id = ''] = await addVideos(runner, [videoUrl('a'), videoUrl('b')]);
    const { run } = await scrapes.start('manual');
    const [video] = await list.read([id]);
    if (!video) throw new Error('the video is missing');
    await history.gone(run, video, { since: 0, answers: 99, askAgainAt: 0 });
    await scrapes.stop(run, { code: 'test', message: 'ended by the test' });
    expect((await pages.get('/videos/read')).text).toContain('Update 1 video now?');
    const { text } = await pages.post('/videos/read', {});
    expect(text).toContain('Updating 1 video. Skips 1 video: the service has answered too often');
  });

  it('tells why videos were not read', async () => {
    const { runner, pages } = await open();
    const { scrapes, history, list } = runner.ledger.videos;
    const [id = ''] = await addVideos(runner, [videoUrl('a')]);
    const { run } = await scrapes.start('scheduled');
    const [video] = await list.read([id]);
    const failure = { code: 'server_error', message: 'It <fell> over', cure: 'Wait.', at: now };
    await history.fail(run, video as NonNullable<typeof video>, failure);
    await scrapes.stop(run, { code: 'key_refused', message: 'The key is refused', cure: 'Set it anew.' });
    const { text } = await pages.get('/videos');
    expect(text).toContain('1 video: It &lt;fell&gt; over server_error Wait.');
    expect(text).toContain('The key is refused key_refused Set it anew.');
    expect((await pages.get(`/videos/${id}`)).text).toContain('The last update failed: It &lt;fell&gt; over');
  });

  it('sets the schedule, every night or by cron, and switches it off', async () => {
    const { runner, pages } = await open();
    const set = await pages.post('/videos/schedule', { at: '03:05', tz: 'Asia/Shanghai' });
    expect(set.text).toContain('every night at 03:05 (Asia/Shanghai)');
    expect(set.html).toMatch(/name="at" value="03:05"/);
    expect(await runner.queues.scrapes.scheduled()).toMatchObject({ pattern: '5 3 * * *' });
    const weekly = await pages.post('/videos/schedule', { cron: '0 2 * * 1', tz: 'UTC' });
    expect(weekly.text).toContain('every Monday at 02:00 (UTC)');
    await pages.post('/videos/schedule', { off: '1', at: '', tz: 'UTC' });
    expect(await runner.queues.scrapes.scheduled()).toBeUndefined();
  });

  it('tells beside its field what is wrong with a schedule, and keeps what was typed', async () => {
    const { runner, pages } = await open();
    const late = await pages.post('/videos/schedule', { at: '25:00', tz: 'Asia/Shanghai' });
    expect(late.status).toBe(422);
    expect(late.html).toMatch(/name="at" value="25:00" required aria-invalid="true"/);
    expect(late.html).toContain('<option value="Asia/Shanghai" selected>');
    expect(late.text).toContain('Updates No updates yet.');
    expect(late.text).toContain('"25:00" is not a time of day. Write it as hours and minutes');
    const soon = await pages.post('/videos/schedule', { cron: 'soon', tz: 'UTC' });
    expect(soon.html).toMatch(/<details open>.*name="cron" value="soon"[^>]* aria-invalid="true"/s);
    expect(soon.text).toContain('"soon" is not a schedule: it needs five fields.');
    const nowhere = await pages.post('/videos/schedule', { cron: '0 2 * * *', tz: 'Mars/One' });
    expect(nowhere.html).toMatch(
      /<select name="tz" aria-invalid="true"[^>]*><option value="Mars\/One" selected>/,
    );
    expect(await runner.queues.scrapes.scheduled()).toBeUndefined();
  });

  it('exports the samples of the span', async () => {
    const { runner, pages } = await open();
    await addPlayed(runner, 'a', {
      samples: [
        [night(20), 7],
        [night(0), 9],
      ],
    });
    const answer = await fetch(`${pages.url}/videos/export.csv?since=2027-02-24`);
    expect(answer.headers.get('content-disposition')).toContain('Videos%2C%20all%20data%2C%209%20Mar.csv');
    const lines = (await answer.text()).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('2027-03-09T02:00:00.000Z,9,');
    const refused = await pages.get('/videos/export.csv?since=2027-02-31');
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('2027-02-31 is not a date');
  });

  it('exports the videos that the filters of the page leave', async () => {
    const { runner, pages } = await open();
    const samples: [number, number][] = [[night(0), 9]];
    await addPlayed(runner, 'a', { facts: { creator: 'anna', product: 'p1' }, samples });
    await addPlayed(runner, 'b', { facts: { creator: 'ben', product: 'p1' }, samples });
    await addPlayed(runner, 'c', { facts: { creator: 'ben', product: 'p2' }, samples });
    const { html } = await pages.get('/videos?creator=ben&product=p1&state=ok');
    const [, address = ''] = /href="(\/videos\/export\.xlsx[^"]*)"/.exec(html) ?? [];
    const csv = address.replace('xlsx', 'csv').replaceAll('&amp;', '&');
    const lines = (await (await fetch(`${pages.url}${csv}`)).text()).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(videoUrl('b'));
  });
});

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

describe('/videos/import', () => {
  function sheet(text: string): FormData {
    const form = new FormData();
    form.set('sheet', new File([text], '../<b>.csv'));
    return form;
  }

  it('adds the videos of a sheet, and keeps no file', async () => {
    const { runner, pages } = await open();
    expect((await pages.get('/videos/import')).text).toContain('Links, one a line');
    const list = `video_url,creator\n${videoUrl('a')},anna\n${videoUrl('b')},ben\n`;
    expect((await pages.post('/videos/import', sheet(list))).text).toContain(
      '2 videos added, 0 known already.',
    );
    expect((await pages.post('/videos/import', sheet(list))).text).toContain(
      '0 videos added, 2 known already.',
    );
    expect((await readVideo(runner, videoUrl('b'))).facts.creator).toBe('ben');
    expect(await readdir(join(runner.folder, 'sheets'))).toEqual([]);
  });

  it('adds pasted links, and keeps what was pasted if one is wrong', async () => {
    const { runner, pages } = await open();
    const pasted = (links: string) => {
      const form = new FormData();
      form.set('links', links);
      form.set('sheet', new File([], ''));
      return pages.post('/videos/import', form);
    };
    const many = Array.from({ length: 200 }, (_link, index) => videoUrl(`v${index}`));
    const wrong = await pasted([...many, '<soon>'].join('\r\n'));
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/Pasted links 201 links\. Nothing was added\. .* 201 video_url &lt;soon&gt;/);
    expect(wrong.html).toContain(`${videoUrl('v199')}\r\n&lt;soon&gt;</textarea>`);
    expect((await pasted(many.join('\r\n'))).text).toContain('200 videos added, 0 known already.');
    expect((await pasted(' ')).text).toContain('Paste links, or choose a sheet.');
    expect(await runner.ledger.videos.list.size()).toBe(200);
  });

  it('shows all problems of a sheet, and adds nothing', async () => {
    const { runner, pages } = await open();
    const list = `video_url\n${videoUrl('a')}\nno address\njavascript:1\n`;
    const answer = await pages.post('/videos/import', sheet(list));
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('&lt;b&gt;.csv</h1>');
    expect(answer.text).toMatch(/2 problems .* 3 video_url no address this is not an http or https URL/);
    expect(await runner.ledger.videos.list.size()).toBe(0);
  });
});

describe('/videos/ID', () => {
  it('shows each figure, each sample and what fell', async () => {
    const { runner, pages } = await open();
    const meta = { author: 'anna', coverUrl: 'javascript:alert(1)' };
    const samples = [
      [night(2), 1_000_000],
      [night(1), 999_970],
      [night(0), 1_842_300],
    ] as const;
    const id = await addPlayed(runner, 'a', { meta, samples });
    const { text, html } = await pages.get(`/videos/${id}`);
    expect(text).toContain('1,842,300 views +842,330 since yesterday · +842,300 in 14 days');
    expect(text).toContain('8 Mar: the count fell by 30. It is stored as the platform reported it.');
    expect(text).toMatch(/Sun 7 Mar, 02:00 1,000,000 100 20 30 50 first snapshot/);
    expect(html).not.toContain('javascript:');
    expect((await pages.get('/videos/AAAAAAAAAAAAAAAA')).status).toBe(404);
  });

  it('links the row that it belongs to', async () => {
    const { runner, pages } = await open();
    const [id] = await addVideos(runner, [videoUrl('a')], { campaign: 'winter', key: 'k/1' });
    const { text } = await pages.get(`/videos/${id}`);
    expect(text).toContain('row k/1 of winter · never updated');
    expect(text).toContain('growth since yesterday unknown');
  });

  it('asks before it removes a video, and needs a yes', async () => {
    const { runner, pages } = await open();
    const id = await addPlayed(runner, 'a', {
      samples: [
        [night(1), 5],
        [night(0), 9],
      ],
    });
    expect((await pages.get(`/videos/${id}/remove`)).text).toContain('Its 2 snapshots are deleted.');
    expect((await pages.post(`/videos/${id}/remove`, {})).text).toContain('Remove this video');
    expect(await runner.ledger.videos.list.size()).toBe(1);
    const removed = await pages.post(`/videos/${id}/remove`, { sure: 'yes' });
    expect(removed.text).toContain('The video is removed from the watch list.');
    expect(await runner.ledger.videos.list.size()).toBe(0);
  });
});
