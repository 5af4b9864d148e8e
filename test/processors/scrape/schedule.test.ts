import { afterEach, describe, expect, it, vi } from 'vitest';
import { nightJobName } from '../../../src/queues/scrape.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { addVideos, scrapeEnded, videoUrl } from '../../support/videos.ts';

const tonight = { pattern: '0 2 * * *', tz: 'UTC' };
const evening = Date.UTC(2030, 0, 1, 20);
const hour = 3_600_000;

/** Only the date: timers go on. */
function setDate(now: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now });
}

afterEach(() => {
  vi.useRealTimers();
});

/** A runner with a schedule, whose workers do not run yet. */
async function scheduled(): Promise<TestRunner> {
  setDate(evening);
  const runner = await openRunner({ queues: ['scrape'], now: Date.now });
  await addVideos(runner, [videoUrl('1'), videoUrl('2')]);
  await (await runner.queues.scrapes()).schedule(tonight);
  return runner;
}

function nightsDone({ jobFinished }: TestRunner) {
  return jobFinished(({ step, outcome }) => step === nightJobName && outcome === 'done');
}

describe('the schedule', () => {
  it('tells when it is due, is kept once, and can be removed', async () => {
    const { queues } = await scheduled();
    expect(await (await queues.scrapes()).scheduled()).toEqual({
      ...tonight,
      next: Date.UTC(2030, 0, 2, 2),
      hasRun: false,
    });
    await (await queues.scrapes()).schedule({ pattern: '30 3 * * *', tz: 'Asia/Shanghai' });
    expect(await (await queues.scrapes()).scheduled()).toMatchObject({
      pattern: '30 3 * * *',
      tz: 'Asia/Shanghai',
    });
    expect(await (await queues.queue('scrape')).getJobSchedulersCount()).toBe(1);
    expect(await (await queues.scrapes()).unschedule()).toBe(true);
    expect(await (await queues.scrapes()).scheduled()).toBeUndefined();
    expect(await (await queues.queue('scrape')).getDelayedCount()).toBe(0);
  });

  it('starts a scrape when it is due, and the next one is a day later', async () => {
    const runner = await scheduled();
    setDate(Date.UTC(2030, 0, 2, 2, 0, 1));
    await runner.start();
    await nightsDone(runner);
    const [night] = await runner.ledger.videos.scrapes.list(10);
    expect(await scrapeEnded(runner, night?.run ?? 0)).toMatchObject({ kind: 'scheduled', done: 2 });
    expect(await (await runner.queues.scrapes()).scheduled()).toMatchObject({
      next: Date.UTC(2030, 0, 3, 2),
      hasRun: true,
    });
  });

  it('makes up for a downtime of several nights with one late scrape', async () => {
    const runner = await scheduled();
    setDate(evening + 3 * 24 * hour + 5 * hour);
    await runner.start();
    await nightsDone(runner);
    const [night] = await runner.ledger.videos.scrapes.list(10);
    await scrapeEnded(runner, night?.run ?? 0);
    expect(await runner.ledger.videos.scrapes.list(10)).toHaveLength(1);
    expect(await (await runner.queues.scrapes()).scheduled()).toMatchObject({
      next: Date.UTC(2030, 0, 5, 2),
    });
  });

  it('leaves a scrape out while the one before still runs', async () => {
    const runner = await scheduled();
    runner.sandbox.faults.add({ operation: 'fetchPublicVideoData', kind: 'hold', times: 1 });
    const { run } = await runner.ledger.videos.scrapes.start('manual');
    await (await runner.queues.scrapes()).wake(run);
    setDate(Date.UTC(2030, 0, 2, 2, 0, 1));
    await runner.start();
    await nightsDone(runner);
    expect(await runner.ledger.videos.scrapes.list(10)).toMatchObject([
      { run, state: 'running', overlaps: 1 },
    ]);
    await runner.sandbox.whenHeld('fetchPublicVideoData', 1);
    runner.sandbox.release();
    expect(await scrapeEnded(runner, run)).toMatchObject({ done: 2, overlaps: 1 });
  });
});
