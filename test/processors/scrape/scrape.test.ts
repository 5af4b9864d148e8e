import { describe, expect, it, vi } from 'vitest';
import { superviseScrape } from '../../../src/processors/scrape/scrape.ts';
import { Workers } from '../../../src/processors/workers.ts';
import { openRunner } from '../../support/in-process.ts';
import { redisNamespace } from '../../support/redis/redis.ts';
import { addVideos, readVideo, scrape, scrapeEnded, startScrape, videoUrl } from '../../support/videos.ts';
import { calls, opened, operation } from './scraping.ts';

const day = 86_400_000;

describe('a scrape', () => {
  it('looks up each video once, and keeps what the service tells', async () => {
    const runner = await opened();
    const urls = Array.from({ length: 120 }, (_, index) => videoUrl(String(index)));
    await addVideos(runner, urls);
    expect(await scrape(runner)).toMatchObject({ state: 'ended', total: 120, done: 120, failed: 0, gone: 0 });
    expect(calls(runner)).toBe(120);
    const video = await readVideo(runner, videoUrl('7'));
    expect(video).toMatchObject({
      meta: { author: 'anna', caption: expect.any(String) },
      samples: 1,
    });
    expect(video.summary?.latest.counts.every((count) => typeof count === 'number')).toBe(true);
  });

  it('keeps a figure beyond 2^53 as 2^53 - 1 with a flag, and takes a release in milliseconds and a caption that is cut off', async () => {
    const runner = await opened();
    await addVideos(runner, [videoUrl('1')]);
    const told = { releaseAt: 1_764_547_200_000, videoDesc: 'A \ud83d' };
    const body = { code: 0, data: { playCount: '9007199254740993', diggCount: 5, ...told }, message: '' };
    runner.sandbox.faults.add({ operation, kind: 'status', status: 200, body });
    await scrape(runner);
    const { summary, meta } = await readVideo(runner, videoUrl('1'));
    const counts = [Number.MAX_SAFE_INTEGER, 5, undefined, undefined, undefined];
    expect(summary?.latest).toMatchObject({ counts, flags: 'play_count_capped' });
    expect(meta).toMatchObject({ releasedAt: 1_764_547_200, caption: 'A \ufffd' });
  });

  it('of a campaign leaves the other videos alone', async () => {
    const runner = await opened();
    await addVideos(runner, [videoUrl('1'), videoUrl('2')], { campaign: 'c1' });
    await addVideos(runner, [videoUrl('3')]);
    const run = await startScrape(runner, 'manual', 'c1');
    expect(await scrapeEnded(runner, run)).toMatchObject({ campaign: 'c1', total: 2, done: 2 });
    expect(calls(runner, videoUrl('3'))).toBe(0);
  });

  it('of an empty list ends at once', async () => {
    expect(await scrape(await opened())).toMatchObject({ state: 'ended', total: 0, done: 0 });
  });

  it('leaves its record as the result of its job', async () => {
    const runner = await opened();
    await addVideos(runner, [videoUrl('1'), videoUrl('gone')]);
    const { run } = await scrape(runner);
    await runner.jobFinished(({ step, outcome }) => step === 'scrape' && outcome === 'done');
    const job = await runner.until(async () => {
      const found = await (await runner.queues.queue('scrape')).getJob(`scrape-${run}`);
      return (await found?.isCompleted()) && found;
    }, 'the job of the scrape to complete');
    expect(job.returnvalue).toMatchObject({
      state: 'ended',
      total: 2,
      done: 1,
      gone: 1,
      durationMs: expect.any(Number),
    });
  });

  it('runs one at a time: a second start finds the first', async () => {
    const { ledger } = await openRunner({ queues: ['scrape'] });
    await addVideos({ ledger }, [videoUrl('1')]);
    const first = await ledger.videos.scrapes.start('manual');
    expect(await ledger.videos.scrapes.start('manual')).toEqual({ run: first.run, isNew: false });
  });

  it('is worked off by two workers together, each video once', async () => {
    const runner = await opened();
    const urls = Array.from({ length: 300 }, (_, index) => videoUrl(String(index)));
    await addVideos(runner, urls);
    const { connect } = redisNamespace();
    const second = new Workers({
      context: runner.context,
      connect: () => connect(),
      queues: ['scrape'],
      self: { host: 'other', pid: 1, version: '1' },
    });
    await second.start();
    expect(await scrape(runner)).toMatchObject({ done: 300, failed: 0 });
    await second.stop(500);
    expect(calls(runner)).toBe(300);
  });
});

describe('the retention', () => {
  it('drops old samples when a video is looked up', async () => {
    let now = Date.UTC(2026, 0, 1, 2);
    const runner = await opened({ now: () => now, settings: { videos: { retention: '5d' } } });
    await addVideos(runner, [videoUrl('1')]);
    for (let night = 0; night < 9; night += 1) {
      await scrape(runner);
      now += day;
    }
    const video = await readVideo(runner, videoUrl('1'));
    const [found = []] = await runner.ledger.videos.history.samples([video]);
    const samples = [...found];
    expect(samples).toHaveLength(6);
    expect(video).toMatchObject({ samples: 6, firstAt: samples[0]?.at });
  });
});

describe('after a crash', () => {
  it('a part that was recorded, but not queued, is looked up', async () => {
    let skipped = 0;
    const runner = await openRunner({ queues: ['scrape'], now: () => Date.now() + skipped });
    await addVideos(runner, [videoUrl('1')]);
    const { run } = await runner.ledger.videos.scrapes.start('manual');
    expect((await runner.ledger.videos.scrapes.takeParts(run)).parts).toEqual([{ from: 1, to: 1 }]);
    await (await runner.queues.scrapes()).wake(run);
    await runner.start();
    await runner.jobFinished(({ step, outcome }) => step === 'scrape' && outcome === 'again');
    skipped = 30_000;
    expect(await scrapeEnded(runner, run)).toMatchObject({ done: 1 });
  });

  it('missing jobs of parts are looked for only after 30 seconds without progress', async () => {
    let now = Date.UTC(2026, 0, 1, 2);
    const runner = await openRunner({ queues: ['scrape'], now: () => now });
    await addVideos(runner, [videoUrl('1')]);
    const { run } = await runner.ledger.videos.scrapes.start('manual');
    const job = await (await runner.queues.scrapes()).ensure(run);
    const revive = vi.spyOn(await runner.queues.scrapes(), 'reviveParts');
    const looks: number[] = [];
    for (const seconds of [0, 2, 29, 30, 32, 59, 60]) {
      now = Date.UTC(2026, 0, 1, 2) + seconds * 1000;
      await superviseScrape(runner.context, job);
      looks.push(revive.mock.calls.length);
    }
    expect(looks).toEqual([0, 0, 0, 1, 1, 1, 2]);
  });

  it('a part whose answers were lost is looked up again, and counted once', async () => {
    let hits = 0;
    const failpoint = () => {
      hits += 1;
      if (hits === 3) throw new Error('the process died here');
    };
    const runner = await opened({ failpoint });
    await addVideos(
      runner,
      Array.from({ length: 10 }, (_, index) => videoUrl(String(index))),
    );
    expect(await scrape(runner)).toMatchObject({ done: 10, failed: 0 });
    for (let index = 0; index < 10; index += 1) {
      expect((await readVideo(runner, videoUrl(String(index)))).samples).toBe(1);
    }
  });
});
