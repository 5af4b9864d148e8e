import { describe, expect, it } from 'vitest';
import { addVideos, videoUrl } from '../../../support/videos.ts';
import { addPlayed } from '../../../support/watched.ts';
import { night, open } from './video-pages.ts';

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
    expect(text).toContain('1,842,300 views +842,330 since yesterday · +842,300 in 90 days');
    expect(text).toContain('8 Mar: the count fell by 30. It is stored as the platform reported it.');
    expect(text).toMatch(/Sun 7 Mar, 02:00 1,000,000 100 20 30 50 first snapshot/);
    expect(text).toContain('Likes 100 0 since yesterday 54 per million views');
    expect(html).not.toContain('javascript:');
    expect((await pages.get('/videos/AAAAAAAAAAAAAAAA')).status).toBe(404);
  });

  it('shows the total of its whole life, and of days in it what was gained in each', async () => {
    const { runner, pages } = await open();
    const samples = [
      [night(60), 1_000],
      [night(2), 900_000],
      [night(1), 900_500],
      [night(0), 900_900],
    ] as const;
    const id = await addPlayed(runner, 'a', { samples });
    const valuesOf = async (query: string) => {
      const { html } = await pages.get(`/videos/${id}${query}`);
      const [, data = ''] = /data-plot="([^"]*)"/.exec(html) ?? [];
      return JSON.parse(data.replaceAll('&quot;', '"')).series[0].values;
    };
    expect(await valuesOf('')).toEqual([1_000, 900_000, 900_500, 900_900]);
    expect(await valuesOf('?span=7')).toEqual([null, null, null, null, 899_000, 500, 400]);
  });

  it('links the row that it belongs to', async () => {
    const { runner, pages } = await open();
    const [id] = await addVideos(runner, [videoUrl('a')], { campaign: 'winter', key: 'k/1' });
    const { text } = await pages.get(`/videos/${id}`);
    expect(text).toContain('row k/1 of winter · never updated');
    expect(text).toContain('No figures yet.');
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
