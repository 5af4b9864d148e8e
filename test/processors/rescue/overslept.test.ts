import { expect, it } from 'vitest';
import { wakeOverslept } from '../../../src/processors/rescue/rescuer.ts';
import { openRunner } from '../../support/in-process.ts';
import { hourMs } from '../../support/own-clock.ts';

const minuteMs = 60_000;

/** A runner without workers, and a job in the queue that is due later. */
async function delayed(queue: 'campaign' | 'poll' | 'post', dueInMs: number) {
  const runner = await openRunner({ queues: [] });
  await runner.queues.queue(queue).add('any', {}, { jobId: 'c1-any', delay: dueInMs });
  const state = () => runner.queues.queue(queue).getJobState('c1-any');
  const wake = async () => wakeOverslept(runner.context, await runner.ledger.campaigns.list());
  return { ...runner, state, wake };
}

it.each(['campaign', 'post', 'poll'] as const)(
  'a job in %s that sleeps for an hour is woken',
  async (queue) => {
    const { state, wake } = await delayed(queue, hourMs);
    await wake();
    expect(await state()).toBe('waiting');
  },
);

it.each(['campaign', 'post', 'poll'] as const)('a job in %s that is due soon sleeps on', async (queue) => {
  const { state, wake } = await delayed(queue, minuteMs);
  await wake();
  expect(await state()).toBe('delayed');
});

it('a generation that waits for ai_exec_at sleeps on', async () => {
  const { context, state } = await delayed('poll', hourMs);
  const asleep = { asleep: 1 } as Parameters<typeof wakeOverslept>[1][number];
  await wakeOverslept(context, [asleep]);
  expect(await state()).toBe('delayed');
});

it('schedules are left to those who watch them', async () => {
  const { queues, wake } = await delayed('campaign', minuteMs);
  const queue = queues.queue('campaign');
  const startDate = Date.now() + hourMs;
  await queue.upsertJobScheduler('rescuer', { every: 15_000, startDate }, { name: 'rescuer' });
  await wake();
  expect(await queue.getDelayedCount()).toBe(2);
});

it('of very many, as many as allowed are woken at once', async () => {
  const { queues } = await delayed('post', hourMs);
  await queues.queue('post').addBulk(
    Array.from({ length: 9 }, (_, index) => ({
      name: 'any',
      data: {},
      opts: { jobId: `c1-${index}-any`, delay: hourMs },
    })),
  );
  const after = Date.now() + minuteMs;
  expect(await queues.wakeAfter('post', after, 4, 0)).toBe(4);
  expect(await queues.wakeAfter('post', after, 4, 6)).toBe(0);
  expect(await queues.wakeAfter('post', after, 4, 5)).toBe(4);
  expect(await queues.wakeAfter('post', after, 4, 0)).toBe(2);
});
