import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readPeriodicJobs } from '../../src/campaigns/queues.ts';
import { PeriodicWatch } from '../../src/processors/periodic-jobs.ts';
import { openRunner } from '../support/in-process.ts';
import { hourMs } from '../support/own-clock.ts';

const second = 1000;
const every = { everyMs: 15 * second };

/** Watches the rescuer of a runner without workers, by heartbeats at the times that a test says. */
async function openWatch() {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const runner = await openRunner({ queues: [], log });
  const watch = new PeriodicWatch(runner.context, ['campaign', 'post'], 1);
  const begun = Date.now();
  let seconds = 0;
  /** Heartbeats every five seconds. */
  async function until(second_: number, runs: Parameters<typeof watch.look>[1]) {
    for (; seconds <= second_; seconds += 5) await watch.look(begun + seconds * second, runs);
  }
  return { ...runner, watch, begun, until, lines };
}

it('a rescuer that never ran is missing after three periods, and scheduled', async () => {
  const { watch, until, queues, lines } = await openWatch();
  await until(45, [undefined]);
  expect(watch.missing).toEqual([]);
  await until(50, [undefined]);
  expect(watch.missing).toMatchObject([{ name: 'rescuer', forMs: 50 * second }]);
  expect(await queues.queue('campaign').getJobScheduler('rescuer')).toBeDefined();
  expect(lines).toEqual(['periodic job was missing: scheduled anew']);
});

it('a rescuer that runs again is no longer missing', async () => {
  const { watch, begun, until } = await openWatch();
  await until(50, [undefined]);
  await until(60, [{ at: begun + 55 * second, ...every }]);
  expect(watch.missing).toEqual([]);
});

it('a run long ago counts from when this process began to watch', async () => {
  const { watch, begun, until } = await openWatch();
  await until(45, [{ at: begun - 10 * hourMs, ...every }]);
  expect(watch.missing).toEqual([]);
});

it('after an outage or a suspended machine, it counts anew', async () => {
  const { watch, begun } = await openWatch();
  await watch.look(begun, [{ at: begun, ...every }]);
  await watch.look(begun + hourMs, [{ at: begun, ...every }]);
  expect(watch.missing).toEqual([]);
});

it('a run in the future, of a clock of Redis that was put back, does not count', async () => {
  const { watch, begun, until } = await openWatch();
  await until(50, [{ at: begun + 10 * hourMs, ...every }]);
  expect(watch.missing).toMatchObject([{ name: 'rescuer' }]);
});

it('a queue that a person paused has no missing jobs', async () => {
  const { watch, until, queues, lines } = await openWatch();
  await queues.queue('campaign').pause();
  await until(100, [undefined]);
  expect(watch.missing).toEqual([]);
  expect(lines).toEqual([]);
});

it('a process that does not take the job watches nothing', async () => {
  const { context } = await openWatch();
  expect(new PeriodicWatch(context, ['post'], 1).names).toEqual([]);
});

it('a rescuer that is only late is left alone, and the log tells once', async () => {
  const { until, queues, lines } = await openWatch();
  await queues.schedule('rescuer', every.everyMs);
  const queue = queues.queue('campaign');
  const before = await queue.getJobScheduler('rescuer');
  await until(60, [undefined]);
  expect(await queue.getJobScheduler('rescuer')).toEqual(before);
  expect(lines).toEqual(['periodic job is late']);
});

it('others are told which periodic jobs are missing, as long as workers would run them', async () => {
  const runner = await openRunner({ queues: [] });
  const read = async (paused: readonly 'campaign'[] = []) =>
    readPeriodicJobs(runner, await runner.ledger.presence.workers(), paused);
  await runner.ledger.periodic.begin('rescuer', every.everyMs);
  await runner.ledger.periodic.begin('records', every.everyMs);
  expect(await read()).toEqual([]);
  const facts = { host: 'hall', pid: 7, version: '1', queues: ['campaign'], periodic: ['rescuer'] };
  const worker = runner.ledger.presence.announce({ ...facts, since: Date.now() - hourMs });
  await worker.beat();
  expect(await read()).toEqual([{ name: 'rescuer', forMs: expect.any(Number), isMissing: false }]);
  const last = Date.now() - 60 * second;
  await runner.redis.hset(runner.ledger.keys.periodic, 'rescuer', `${last} 15000`);
  expect(await read()).toMatchObject([{ name: 'rescuer', isMissing: true }]);
  expect(await read(['campaign'])).toEqual([]);
  await worker.beat({ clockAheadMs: hourMs });
  expect(await read()).toEqual([]);
});
