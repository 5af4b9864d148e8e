import { expect, it } from 'vitest';
import { readinessOf } from '../../../src/app/runtime/health.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { openRunner } from '../../support/in-process.ts';
import { hourMs, ownClock } from '../../support/own-clock.ts';

it('workers whose clock is wrong are not ready, and the probe says why', async () => {
  const runner = await openRunner({ speedUp: 10 });
  const runtime = { redis: { findRefusal: () => runner.ledger.findRefusal() } } as unknown as Runtime;
  const check = readinessOf(runtime, runner.workers);
  await runner.start();
  await runner.until(async () => (await check()).ready, 'workers that run');
  const clock = ownClock();
  clock.shiftMs = hourMs;
  await runner.until(() => runner.workers.clockAheadMs, 'the worker to notice its clock');
  expect(await check()).toMatchObject({
    ready: false,
    checks: { redis: 'ok', workers: 'ok', clock: '1 h ahead of the clock of Redis' },
  });
  clock.shiftMs = 0;
  await runner.until(async () => (await check()).ready, 'the worker to go on');
});
