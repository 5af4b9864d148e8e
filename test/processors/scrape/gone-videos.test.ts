import { describe, expect, it } from 'vitest';
import { addVideos, readVideo, scrape, videoUrl } from '../../support/videos.ts';
import { calls, opened, operation } from './scraping.ts';

const day = 86_400_000;

describe('a video that is gone', () => {
  const url = videoUrl('1');

  it('is asked for on a slowing schedule, then no more; that is no failure', async () => {
    let now = Date.UTC(2026, 0, 1, 2);
    const runner = await opened({ now: () => now });
    await addVideos(runner, [url]);
    runner.sandbox.faults.add({ operation, kind: 'status', status: 404, times: 'always' });
    const asked = [];
    const firstNight = now;
    for (let night = 0; night < 12; night += 1) {
      const before = calls(runner);
      const { failed, gone, skipped } = await scrape(runner, 'scheduled');
      expect(failed).toBe(0);
      expect(gone + skipped).toBe(1);
      if (calls(runner) > before) asked.push(night);
      now += day;
    }
    expect(asked).toEqual([0, 1, 3]);
    expect((await readVideo(runner, url)).gone).toMatchObject({ answers: 3, since: firstNight });
  });

  it('comes back when the service knows it again', async () => {
    const runner = await opened();
    await addVideos(runner, [url]);
    const fault = runner.sandbox.faults.add({ operation, kind: 'status', status: 404, times: 'always' });
    expect(await scrape(runner)).toMatchObject({ gone: 1, done: 0 });
    runner.sandbox.faults.clear(fault);
    expect(await scrape(runner)).toMatchObject({ gone: 0, done: 1 });
    expect(await readVideo(runner, url)).toMatchObject({ gone: undefined, samples: 1 });
  });

  it('that was given up is asked for again after it was imported again', async () => {
    const runner = await opened({ settings: { videos: { gone: { after: 1 } } } });
    await addVideos(runner, [url]);
    const fault = runner.sandbox.faults.add({ operation, kind: 'status', status: 404, times: 'always' });
    await scrape(runner);
    runner.sandbox.faults.clear(fault);
    expect(await scrape(runner)).toMatchObject({ skipped: 1, done: 0 });
    await addVideos(runner, [url]);
    expect(await scrape(runner)).toMatchObject({ skipped: 0, done: 1 });
  });
});
