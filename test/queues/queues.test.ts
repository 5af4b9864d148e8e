import { expect, it, onTestFinished, vi } from 'vitest';
import { openQueues } from '../support/queues.ts';

it('a module that could not be loaded is loaded by the next call', async () => {
  vi.doMock('../../src/queues/scrape.ts', () => {
    throw new Error('too many open files');
  });
  onTestFinished(() => vi.doUnmock('../../src/queues/scrape.ts'));
  const { queues } = openQueues();
  await expect(queues.queue('post')).rejects.toThrow();
  vi.doUnmock('../../src/queues/scrape.ts');
  expect((await queues.queue('post')).name).toBe('post');
  expect(await queues.queue('post')).toBe(await queues.queue('post'));
});
