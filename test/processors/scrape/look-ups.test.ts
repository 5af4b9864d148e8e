import { Semaphore } from 'async-mutex';
import { ReplyError } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import type { ProcessorContext } from '../../../src/processors/runner/context.ts';
import { type LookUpOptions, LookUps } from '../../../src/processors/scrape/look-ups.ts';
import { NotSentError, ThrottledError } from '../../../src/service/errors.ts';
import { testLedger } from '../../support/ledger.ts';
import { addVideos, readVideo, videoUrl } from '../../support/videos.ts';

const minute = 60_000;

/** Looks a video up at a service that answers 429. @param forMs how long it has done so. @param runMs age of the scrape. */
async function lookUpThrottled({ forMs, runMs }: { readonly forMs: number; readonly runMs: number }) {
  const { ledger, clock } = testLedger();
  await addVideos({ ledger }, [videoUrl('1')]);
  const { run } = await ledger.videos.scrapes.start('manual');
  const scrape = await ledger.videos.scrapes.find(run);
  const service = {
    rateLimits: { takeNow: () => true, throttled: async () => ({ pauseMs: 40, forMs }) },
    client: {
      videos: {
        fetch: async () => {
          throw new ThrottledError('429', { operation: 'fetchPublicVideoData' });
        },
      },
    },
  };
  const context = {
    ledger,
    service,
    settings: checkSettings({ retry: { throttledFor: '15m' } }),
    now: () => clock.now,
    log: { warn: () => undefined },
    failpoint: () => undefined,
  } as unknown as ProcessorContext;
  const options: LookUpOptions = {
    scrape: scrape ?? expect.unreachable(),
    slots: new Semaphore(1),
    signal: undefined,
    failures: {},
  };
  clock.now += runMs;
  const lookUps = new LookUps(context, options);
  const left = await lookUps.run([await readVideo({ ledger }, videoUrl('1'))]);
  return { left, now: clock.now, stopped: lookUps.stopReason?.code };
}

it.each([
  ['for less than the limit', { forMs: 15 * minute - 1, runMs: 60 * minute }],
  ['for long, but not since the scrape began', { forMs: 60 * minute, runMs: 15 * minute - 1 }],
])('a scrape waits while its calls are throttled %s, which uses no attempt', async (_what, given) => {
  const { left, now, stopped } = await lookUpThrottled(given);
  expect(left).toMatchObject([{ at: now + 40, hasFailed: false }]);
  expect(stopped).toBeUndefined();
});

it('a scrape stops when all its calls were throttled for as long as the settings allow', async () => {
  const { left, stopped } = await lookUpThrottled({ forMs: 15 * minute, runMs: 15 * minute });
  expect({ left, stopped }).toEqual({ left: [], stopped: 'throttled' });
});

describe('a part of two videos', () => {
  /** Looks both up, one after the other, by `fetch`. */
  async function lookUpBoth(fetch: (url: string) => Promise<object>, signal?: AbortSignal, isSilent = false) {
    const { ledger, clock } = testLedger();
    const urls = [videoUrl('1'), videoUrl('2')];
    await addVideos({ ledger }, urls);
    const { run } = await ledger.videos.scrapes.start('manual');
    const context = {
      ledger,
      service: {
        rateLimits: { takeNow: () => true },
        client: { videos: { fetch } },
        reach: { covers: () => isSilent },
      },
      settings: checkSettings({}),
      now: () => clock.now,
      failpoint: () => undefined,
    } as unknown as ProcessorContext;
    const scrape = (await ledger.videos.scrapes.find(run)) ?? expect.unreachable();
    const lookUps = new LookUps(context, { scrape, slots: new Semaphore(1), signal, failures: {} });
    const read = await Promise.all(urls.map((url) => readVideo({ ledger }, url)));
    const running = lookUps.run(read);
    return { running, ids: read.map(({ id }) => id), progress: () => ledger.videos.scrapes.find(run) };
  }

  it('begins no further look-up once it is cut off, which uses no attempt', async () => {
    const cutOff = new AbortController();
    const fetch = async () => {
      cutOff.abort();
      return { playCount: 1 };
    };
    const { running, ids, progress } = await lookUpBoth(fetch, cutOff.signal);
    expect(await running).toEqual([{ id: ids[1], at: 0, hasFailed: false }]);
    expect(await progress()).toMatchObject({ done: 1 });
  });

  it('fails for an error of Redis after it has written the samples before it', async () => {
    const fetch = async (url: string) => {
      if (url === videoUrl('2')) throw new Error('Connection is closed.');
      return { playCount: 1 };
    };
    const { running, progress } = await lookUpBoth(fetch);
    await expect(running).rejects.toThrow('Connection is closed.');
    expect(await progress()).toMatchObject({ done: 1 });
  });

  it.each([
    ['waits while the service answers no call, which uses no attempt', true, [false, false]],
    ['uses an attempt of a video whose call alone was not sent', false, [true, true]],
  ])('%s', async (_what, isSilent, hasFailed) => {
    const fetch = async () => {
      throw new NotSentError('connect ECONNREFUSED', { operation: 'fetchPublicVideoData' });
    };
    const { running } = await lookUpBoth(fetch, undefined, isSilent);
    expect((await running).map((later) => later.hasFailed)).toEqual(hasFailed);
  });

  it('fails a video whose data in Redis cannot be used', async () => {
    const fetch = async () => {
      throw new ReplyError('WRONGTYPE Operation against a key holding the wrong kind of value');
    };
    const { running, progress } = await lookUpBoth(fetch);
    expect(await running).toEqual([]);
    expect(await progress()).toMatchObject({ failed: 2 });
  });
});
