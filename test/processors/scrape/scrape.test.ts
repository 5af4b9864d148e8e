import { describe, expect, it, vi } from 'vitest';
import { superviseScrape } from '../../../src/processors/scrape/scrape.ts';
import { Workers } from '../../../src/processors/workers.ts';
import { openRunner, type RunnerOptions, type TestRunner } from '../../support/in-process.ts';
import { redisNamespace } from '../../support/redis/redis.ts';
import { addVideos, readVideo, scrape, scrapeEnded, startScrape, videoUrl } from '../../support/videos.ts';

const operation = 'fetchPublicVideoData';
const day = 86_400_000;

/** Workers that take scrapes only. */
async function opened(options: RunnerOptions = {}): Promise<TestRunner> {
  const runner = await openRunner({ queues: ['scrape'], ...options });
  await runner.start();
  return runner;
}

function calls({ sandbox }: TestRunner, url?: string): number {
  return sandbox
    .calls(operation)
    .filter(({ body }) => url === undefined || (body as { videoUrl: string }).videoUrl === url).length;
}

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
      const found = await runner.queues.queue('scrape').getJob(`scrape-${run}`);
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
      reason: { code: 'key_refused', cure: expect.stringContaining('update the videos again') },
    });
    expect((await readVideo(runner, videoUrl('1'))).failure).toBeUndefined();
    runner.sandbox.faults.clear();
    expect(await scrape(runner)).toMatchObject({ state: 'ended', done: 2 });
  });
});

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
    await runner.queues.scrapes.wake(run);
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
    const job = await runner.queues.scrapes.ensure(run);
    const revive = vi.spyOn(runner.queues.scrapes, 'reviveParts');
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
