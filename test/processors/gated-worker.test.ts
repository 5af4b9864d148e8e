import { DelayedError, type Processor, Queue, Worker } from 'bullmq';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GatedWorker } from '../../src/processors/gated-worker.ts';
import { waitForEvent, waitUntil } from '../support/events.ts';
import { hourMs } from '../support/own-clock.ts';
import { redisNamespace } from '../support/redis/redis.ts';

it('a worker that waits for jobs pauses without a delay', async ({ onTestFinished }) => {
  const { redis, connect, prefix } = redisNamespace();
  const queue = new Queue('post', { connection: redis, prefix });
  const worker = new GatedWorker('post', async () => undefined, {
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

/** A worker of the queue `post`, with one job. */
async function openWorker(
  work: Processor,
  options: Partial<ConstructorParameters<typeof GatedWorker>[2]> = {},
) {
  const { redis, connect, prefix } = redisNamespace();
  const queue = new Queue('post', { connection: redis, prefix });
  const worker = new GatedWorker('post', work, {
    connection: connect(),
    prefix,
    autorun: false,
    ...options,
  });
  onTestFinished(async () => {
    await worker.close();
    await queue.close();
  });
  return { worker, queue, redis, prefix };
}

it.for([
  ['moves itself meanwhile has lost nothing', true],
  ['goes on without its lock has lost it', false],
] as const)('at a renewal, a job that %s', async ([_what, moves]) => {
  const renewal = Promise.withResolvers<string[]>();
  const { worker, queue, redis, prefix } = await openWorker(async (job, lock = '') => {
    if (moves) await job.moveToDelayed(Date.now() + hourMs, lock);
    else await redis.del(`${prefix}:post:${job.id}:lock`);
    const lost = worker.extendJobLocks([job.id ?? ''], [lock], 1000);
    lost.then(renewal.resolve, renewal.reject);
    if (moves) throw new DelayedError();
    await lost;
  });
  worker.on('error', () => undefined);
  await queue.add('any', {}, { jobId: 'a' });
  void worker.run();
  expect(await renewal.promise).toEqual(moves ? [] : ['a']);
});

it('a worker that cannot take a job asks again with a growing wait', async () => {
  const { worker, queue, redis, prefix } = await openWorker(async () => undefined);
  await queue.waitUntilReady();
  await redis.hset(`${prefix}:post:wait`, 'not', 'a list');
  // Otherwise it would wait for a job, which is another command.
  await redis.zadd(`${prefix}:post:marker`, 0, '0');
  const errors: Error[] = [];
  const began = performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.on('error', (error) => {
    if (errors.push(error) === 3) resolve();
  });
  void worker.run();
  await promise;
  // 100, 200 and 400 ms before the error is told.
  expect(performance.now() - began).toBeGreaterThan(650);
  expect(errors.every(({ message }) => message.includes('WRONGTYPE'))).toBe(true);
});

describe('with a closed gate', () => {
  function closedGate() {
    const door = Promise.withResolvers<void>();
    const gate = { isOpen: true, opened: () => door.promise };
    function open() {
      gate.isOpen = true;
      door.resolve();
    }
    function close() {
      gate.isOpen = false;
    }
    return { gate, open, close };
  }

  it('a worker takes no job, also not with the end of another, and goes on when it opens', async () => {
    const { gate, close, open } = closedGate();
    const taken: (string | undefined)[] = [];
    const { worker, queue } = await openWorker(
      async (job) => {
        taken.push(job.name);
        close();
      },
      { gate },
    );
    await queue.addBulk([
      { name: 'one', data: {} },
      { name: 'two', data: {} },
    ]);
    const asked = vi.spyOn(gate, 'opened');
    void worker.run();
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    expect(taken).toEqual(['one']);
    expect(await queue.getWaitingCount()).toBe(1);
    const completed = waitForEvent(worker, 'completed');
    open();
    await completed;
    expect(taken).toEqual(['one', 'two']);
  });

  it('a worker pauses, and closes, without waiting for it', async () => {
    const { gate, close } = closedGate();
    close();
    const { worker, queue } = await openWorker(async () => undefined, { gate });
    await queue.add('any', {});
    const asked = vi.spyOn(gate, 'opened');
    void worker.run();
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    await worker.pause();
    await worker.close();
    expect(await queue.getWaitingCount()).toBe(1);
  });
});
