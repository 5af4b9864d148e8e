import { Queue, Worker } from 'bullmq';
import { expect, it, vi } from 'vitest';
import { PromptWorker } from '../../src/processors/prompt-worker.ts';
import { waitUntil } from '../support/events.ts';
import { redisNamespace } from '../support/redis/redis.ts';

it('a worker that waits for jobs pauses without a delay', async ({ onTestFinished }) => {
  const { redis, connect, prefix } = redisNamespace();
  const queue = new Queue('post', { connection: redis, prefix });
  const worker = new PromptWorker('post', async () => undefined, {
    connection: connect(),
    prefix,
    autorun: false,
  });
  onTestFinished(async () => {
    await worker.close();
    await queue.close();
  });
  const delays = vi.spyOn(Worker.prototype, 'delay');
  onTestFinished(() => delays.mockRestore());
  void worker.run();
  await waitUntil(
    async () => (await queue.getWorkers()).some(({ cmd }) => cmd === 'bzpopmin'),
    'a worker that waits',
  );
  await worker.pause();
  expect(delays).not.toHaveBeenCalled();
});
