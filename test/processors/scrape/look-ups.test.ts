import { expect, it } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { ThrottledError } from '../../../src/api/errors.ts';
import type { ProcessorContext } from '../../../src/processors/runner/context.ts';
import { type LookUpOptions, LookUps, Slots } from '../../../src/processors/scrape/look-ups.ts';
import { testLedger } from '../../support/ledger.ts';
import { addVideos, readVideo, videoUrl } from '../../support/videos.ts';

const minute = 60_000;

/** Looks a video up at a service that answers 429. @param forMs how long it has done so. @param runMs age of the scrape. */
async function lookUpThrottled({ forMs, runMs }: { readonly forMs: number; readonly runMs: number }) {
  const { ledger, clock } = testLedger();
  await addVideos({ ledger }, [videoUrl('1')]);
  const { run } = await ledger.videos.scrapes.start('manual');
  const scrape = await ledger.videos.scrapes.find(run);
  const account = {
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
    accounts: { find: () => account },
    settings: checkSettings({ retry: { throttledFor: '15m' } }),
    now: () => clock.now,
    log: { warn: () => undefined },
    failpoint: () => undefined,
  } as unknown as ProcessorContext;
  const options: LookUpOptions = {
    scrape: scrape ?? expect.unreachable(),
    slots: new Slots(1),
    signal: undefined,
    failures: {},
  };
  clock.now += runMs;
  const lookUps = new LookUps(context, options);
  const left = await lookUps.run([{ video: await readVideo({ ledger }, videoUrl('1')), chunks: new Map() }]);
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
