/** Schedules and delays that do not depend on the clock of the machine. */
import { Worker } from 'bullmq';
import { expect, it, onTestFinished } from 'vitest';
import { waitForEvent } from '../support/events.ts';
import { hourMs, ownClock } from '../support/own-clock.ts';
import { openQueues } from '../support/queues.ts';

const everyMs = 15_000;

function opened() {
  const test = openQueues();
  const queue = test.queues.queue('campaign');
  return { ...test, queue, next: async () => (await queue.getJobScheduler('rescuer'))?.next };
}

it('a schedule that is about to run is left alone', async () => {
  const { queues, queue, next } = opened();
  await queues.schedule('rescuer', everyMs);
  const before = await next();
  expect(await queues.reviveSchedule('rescuer', everyMs, Date.now())).toBe(false);
  expect(await next()).toBe(before);
  expect(await queue.count()).toBe(1);
});

it('a schedule that a wrong clock put off begins again at once', async () => {
  const { queues, queue, next } = opened();
  const startDate = Date.now() + hourMs;
  await queue.upsertJobScheduler('rescuer', { every: everyMs, startDate }, { name: 'rescuer' });
  expect(await queues.reviveSchedule('rescuer', everyMs, Date.now())).toBe(true);
  expect((await next()) ?? 0).toBeLessThanOrEqual(Date.now() + everyMs);
  expect(await queue.count()).toBe(1);
});

it('a schedule without a job, or that is gone, is made again', async () => {
  const { queues, queue } = opened();
  expect(await queues.reviveSchedule('rescuer', everyMs, Date.now())).toBe(true);
  await queue.obliterate({ force: true });
  expect(await queues.reviveSchedule('rescuer', everyMs, Date.now())).toBe(true);
  const [job] = await queue.getJobs();
  await job?.remove().catch(() => undefined);
  expect(await queues.reviveSchedule('rescuer', everyMs, Date.now())).toBe(job === undefined);
  expect(await queue.count()).toBe(1);
});

it.each([
  ['an hour ahead', hourMs, 0],
  ['an hour behind', -hourMs, 0],
  // Workers with such clocks go on, and compare the time with them.
  ['half a minute ahead', 30_000, 30_000],
  ['half a minute behind', -30_000, -30_000],
])('a job that comes back later is due in time, with a clock %s', async (_off, shiftMs, difference) => {
  const { queues, queue, redis, prefix } = opened();
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
