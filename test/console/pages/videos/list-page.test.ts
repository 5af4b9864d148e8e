import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OverviewReader } from '../../../../src/app/videos/overview-reader.ts';
import { addVideos, videoUrl } from '../../../support/videos.ts';
import { addPlayed } from '../../../support/watched.ts';
import { night, open } from './video-pages.ts';

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
    expect(text).toContain('Peak: 25.4 k on 9 March.');
    expect(text).toMatch(/All videos .*Cherry &lt;b&gt; anna .*\+26\.4 k/);
    expect(text).toContain('1 to 2 of 2');
    expect(html).toContain('<polyline class="line"');
    const days = [...html.matchAll(/<ol class="x cols"[^>]*>(.*?)<\/ol>/g)]
      .at(0)?.[1]
      ?.replaceAll(/<[^>]+>/g, ' ');
    expect(days).toMatch(/^ 24 Feb +25 .* 28 +1 Mar +2 /);
    expect(html).not.toContain('Cherry <b>');
    const sums = await pages.get('/videos?by=creator');
    expect(sums.text).toMatch(/anna 1 38\.4 k 38\.4 k \+26\.4 k 100 20 30 50 .*ben 1 0 0/);
    expect(sums.text).not.toContain('1 to 2 of 2');
  });

  it('says no figure twice: of videos younger than the span, all came in it', async () => {
    const { runner, pages } = await open();
    await addPlayed(runner, 'a', { meta: { releasedAt: night(3) }, samples: [[night(0), 38_400]] });
    const { text, html } = await pages.get('/videos');
    expect(text).toContain('Views 38.4 k all in 14 days');
    expect(html).toContain('<figure class="plot"');
  });

  it('says which loss dwarfs the other days', async () => {
    const { runner, pages } = await open();
    await addPlayed(runner, 'a', {
      samples: [
        [night(15), 900_000],
        [night(2), 900_450],
        [night(0), 450],
      ],
    });
    const { text, html } = await pages.get('/videos');
    expect(text).toContain(
      'Peak: 450 on 7 March. Largest loss: 900 k on 9 March, as the platform reported it. The other days are too small to see beside 9 March.',
    );
    expect(text).toMatch(/Likes 100 −?[\d.,k ]* · [\d.]+ per 100 views/);
    expect(html).toContain('<span class="down">−900 k</span>');
  });

  it('plots nothing where nothing was gained', async () => {
    const { runner, pages } = await open();
    await addPlayed(runner, 'a', { samples: [[night(0), 38_400]] });
    const { text, html } = await pages.get('/videos');
    expect(text).toContain('No views gained.');
    expect(html).not.toContain('<figure class="plot"');
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
    expect(text).toContain('Likes gained a day No likes gained.');
    expect(html).toContain('href="/videos?span=7&amp;figure=likes&amp;sort=-plays#list"');
    expect(html).toContain('span=7&amp;figure=likes&amp;sort=plays" aria-current="true">7 days');
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
    expect(refused.text).toContain('"2027-02-31" is not a date');
  });

  it('exports the days of the zone of the page, whatever that of the settings is', async () => {
    const { runner, pages } = await open();
    await addPlayed(runner, 'a', { samples: [[night(0), 9]] });
    const { html } = await pages.get('/videos?zone=Asia/Shanghai&span=7');
    const [, since = ''] = /export\.xlsx\?since=([^"&]*)/.exec(html) ?? [];
    expect(decodeURIComponent(since)).toMatch(/T16:00:00\.000Z$/);
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
