import { describe, expect, it } from 'vitest';
import { addVideos, readVideo, scrape, videoUrl } from '../../support/videos.ts';
import { calls, opened, operation } from './scraping.ts';

describe('a video that fails', () => {
  it('is retried by itself: the others of its part are asked once', async () => {
    const runner = await opened();
    await addVideos(runner, [videoUrl('1'), videoUrl('2'), videoUrl('3')]);
    runner.sandbox.faults.add({
      operation,
      kind: 'status',
      status: 500,
      times: 2,
      match: { videoUrl: videoUrl('2') },
    });
    expect(await scrape(runner)).toMatchObject({ done: 3, failed: 0 });
    expect([
      calls(runner, videoUrl('1')),
      calls(runner, videoUrl('2')),
      calls(runner, videoUrl('3')),
    ]).toEqual([1, 3, 1]);
  });

  it('keeps its last sample, is failing with its reason, and is counted as a cause', async () => {
    const runner = await opened();
    await addVideos(runner, [videoUrl('1'), videoUrl('2')]);
    await scrape(runner);
    const before = (await readVideo(runner, videoUrl('2'))).summary;
    const fault = runner.sandbox.faults.add({
      operation,
      kind: 'status',
      status: 500,
      times: 'always',
      match: { videoUrl: videoUrl('2') },
    });
    const { run, failed, done } = await scrape(runner);
    expect({ failed, done }).toEqual({ failed: 1, done: 1 });
    expect(calls(runner, videoUrl('2'))).toBe(1 + 5);
    expect(await readVideo(runner, videoUrl('2'))).toMatchObject({
      failure: { code: 'server_error' },
      summary: before,
    });
    expect(await runner.ledger.videos.scrapes.causes(run)).toMatchObject([
      { code: 'server_error', videos: 1, examples: [videoUrl('2')] },
    ]);
    runner.sandbox.faults.clear(fault);
    await scrape(runner);
    expect((await readVideo(runner, videoUrl('2'))).failure).toBeUndefined();
  });

  const figures = { playCount: 40, diggCount: 3, videoId: '55', uniqueId: 'anna' };

  /** A video with figures, then an answer with other data. @returns the video before and after. */
  async function answered(data: unknown, first: object = figures) {
    const runner = await opened();
    await addVideos(runner, [videoUrl('1')]);
    const give = (told: unknown) =>
      runner.sandbox.faults.add({
        operation,
        kind: 'status',
        status: 200,
        body: { code: 0, data: told, message: '' },
      });
    give(first);
    await scrape(runner);
    const before = await readVideo(runner, videoUrl('1'));
    give(data);
    const { failed } = await scrape(runner);
    return { before, after: await readVideo(runner, videoUrl('1')), failed, runner };
  }

  it.each([
    ['no data', {}],
    ['views as null', { ...figures, playCount: null }],
    ['views in words', { ...figures, playCount: '2.1K' }],
    ['negative views', { ...figures, playCount: -1 }],
    ['a fraction of views', { ...figures, playCount: 41.5 }],
  ])('whose answer has %s is failing, and keeps its last figures', async (_what, data) => {
    const { before, after, failed, runner } = await answered(data);
    expect(failed).toBe(1);
    expect(after).toMatchObject({
      failure: { code: 'no_views' },
      summary: before.summary,
      meta: before.meta,
    });
    expect(calls(runner)).toBe(2);
  });

  it.each([
    ['id', { ...figures, videoId: '56', playCount: 9_000_000 }],
    ['author, where ids are not told', { playCount: 9_000_000, uniqueId: 'somebody' }],
  ])('whose answer has another %s is failing, and does not count it', async (_what, data) => {
    const { before, after } = await answered(data);
    expect(after).toMatchObject({
      failure: { code: 'other_video', message: expect.stringContaining(String(data.uniqueId)) },
      summary: before.summary,
      meta: before.meta,
    });
  });

  it('whose first answer is about another author than its URL names is failing', async () => {
    const { before } = await answered(figures, { ...figures, uniqueId: 'somebody' });
    expect(before).toMatchObject({ failure: { code: 'other_video' }, summary: undefined });
  });

  it.each([
    ['a new name of its author', { ...figures, playCount: 41, uniqueId: 'anna.new' }],
    ['no other figures', { playCount: 41 }],
    ['likes in words', { ...figures, playCount: '41', diggCount: '3K' }],
  ])('whose answer has %s is counted', async (_what, data) => {
    const { after } = await answered(data);
    expect(after.failure).toBeUndefined();
    expect(after.summary?.latest.counts[0]).toBe(41);
  });

  it('is not retried when the service refuses it', async () => {
    const runner = await opened();
    await addVideos(runner, [videoUrl('1')]);
    runner.sandbox.faults.add({ operation, kind: 'status', status: 400, times: 'always' });
    expect(await scrape(runner)).toMatchObject({ failed: 1 });
    expect(calls(runner)).toBe(1);
    expect(await readVideo(runner, videoUrl('1'))).toMatchObject({ failure: { code: '40000' } });
  });

  it('waits out a 429, which uses no attempt', async () => {
    const runner = await opened({ settings: { retry: { attempts: 1 } } });
    await addVideos(runner, [videoUrl('1'), videoUrl('2')]);
    runner.sandbox.faults.add({ operation, kind: 'status', status: 429, times: 3 });
    expect(await scrape(runner)).toMatchObject({ done: 2, failed: 0 });
  });

  it('by a refused key stops the scrape: no video is at fault', async () => {
    const runner = await opened();
    await addVideos(runner, [videoUrl('1'), videoUrl('2')]);
    runner.sandbox.faults.add({ operation, kind: 'status', status: 401, times: 'always' });
    expect(await scrape(runner)).toMatchObject({
      state: 'stopped',
      failed: 0,
      // Not to resume a campaign.
      reason: { code: 'key_refused', fix: expect.stringContaining('update the videos again') },
    });
    expect((await readVideo(runner, videoUrl('1'))).failure).toBeUndefined();
    runner.sandbox.faults.clear();
    expect(await scrape(runner)).toMatchObject({ state: 'ended', done: 2 });
  });
});
