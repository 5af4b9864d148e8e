import { DelayedError, RateLimitError } from 'bullmq';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { hint } from '../../../src/manifest/problems/hint.ts';
import type { ProcessorContext } from '../../../src/processors/runner/context.ts';
import { report } from '../../../src/processors/runner/report.ts';
import type { RowsRun } from '../../../src/processors/runner/runs.ts';
import { rejection } from '../../support/client.ts';
import { testLedger } from '../../support/ledger.ts';

const throttledFor = 900_000;
const outcome = {
  kind: 'throttled',
  operation: 'createCreatorPost',
  retryAfterMs: undefined,
  failure: { code: 'throttled', message: '429' },
} as const;

/** A job whose call was answered 429, as every call before it for `forMs` milliseconds. */
async function throttledJob(forMs: number) {
  const { ledger, clock, campaign } = testLedger();
  const id = await campaign(3);
  const context = {
    ledger,
    service: { rateLimits: { throttled: async () => ({ pauseMs: 1000, forMs }) } },
    queues: { queue: () => ({ rateLimit: async () => undefined }), delay: async () => undefined },
    settings: checkSettings({}),
    now: () => clock.now,
    log: pino({ level: 'silent' }),
  } as unknown as ProcessorContext;
  const run = {
    job: {},
    lock: '',
    step: 'post',
    campaign: id,
    clearJournal: async () => undefined,
    recordAttempt: async () => undefined,
  } as unknown as RowsRun;
  return { clock, ledger, id, settled: () => rejection(report(context, run, outcome)) };
}

it('a 429 snoozes the queue, and the campaign runs on', async () => {
  const { settled, ledger, id, clock } = await throttledJob(throttledFor - 1);
  clock.now += throttledFor;
  expect(await settled()).toBeInstanceOf(RateLimitError);
  expect(await ledger.campaigns.find(id)).toMatchObject({ state: 'running' });
});

it('only 429 for longer than the setting pauses the campaign, and tells what to do', async () => {
  const { settled, ledger, id, clock } = await throttledJob(throttledFor);
  clock.now += throttledFor;
  expect(await settled()).toBeInstanceOf(DelayedError);
  expect(await ledger.campaigns.find(id)).toMatchObject({
    state: 'paused',
    pauseReason: {
      code: 'throttled',
      message: expect.stringContaining('lower the rate limit'),
      hints: [hint('rate', { operation: 'createCreatorPost' })],
    },
  });
});

it('a campaign that has just begun gets the full time', async () => {
  const { settled } = await throttledJob(throttledFor);
  expect(await settled()).toBeInstanceOf(RateLimitError);
});

it('a resumed campaign gets the full time again', async () => {
  const { settled, ledger, id, clock } = await throttledJob(throttledFor);
  clock.now += throttledFor;
  await settled();
  await ledger.campaigns.resume(id);
  clock.now += throttledFor - 1;
  expect(await settled()).toBeInstanceOf(RateLimitError);
  clock.now += 1;
  expect(await settled()).toBeInstanceOf(DelayedError);
});
