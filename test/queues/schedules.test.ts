/** Periodic jobs, and delays that do not depend on the clock of the machine. */
import { Worker } from 'bullmq';
import { expect, it, onTestFinished } from 'vitest';
import { waitForEvent } from '../support/events.ts';
import { hourMs, ownClock } from '../support/own-clock.ts';
import { openQueues } from '../support/queues.ts';

async function opened() {
  const test = openQueues();
  const queue = await test.queues.queue('campaign');
  return { ...test, queue };
}

it('a periodic job is added once, until it has ended', async () => {
  const { queues, queue } = await opened();
  await queues.addPeriodic('rescuer', 15_000);
  await queues.addPeriodic('rescuer', 15_000);
  expect(await queue.count()).toBe(1);
});

it.each([
  ['an hour ahead', hourMs, 0],
  ['an hour behind', -hourMs, 0],
  // Workers with such clocks go on, and compare the time with them.
  ['half a minute ahead', 30_000, 30_000],
  ['half a minute behind', -30_000, -30_000],
])('a job that comes back later is due in time, with a clock %s', async (_off, shiftMs, difference) => {
  const { queues, queue, redis, prefix } = await opened();
  const now = Date.now();
  const clock = ownClock();
  const worker = new Worker(
    'campaign',
    async (job, lock = '') => {
      clock.shiftMs = now - Date.now() + shiftMs;
      await queues.delay(job, lock, now + 2000, now);
      await worker.pause(true);
    },
    { connection: redis.duplicate({ maxRetriesPerRequest: null }), prefix },
  );
  onTestFinished(() => worker.close());
  worker.on('error', () => undefined);
  const paused = waitForEvent(worker, 'paused');
  await queue.add('any', {}, { jobId: 'any-1' });
  await paused;
  const [, score] = await redis.zrange(`${prefix}:campaign:delayed`, '0', '-1', 'WITHSCORES');
  const dueAt = Math.floor(Number(score) / 0x1000);
  expect(dueAt - now - difference).toBeGreaterThanOrEqual(2000);
  expect(dueAt - now - difference).toBeLessThan(10_000);
});
