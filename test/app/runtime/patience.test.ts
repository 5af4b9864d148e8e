import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { unlessAborted, unlessLate } from '../../../src/app/runtime/patience.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('ten thousand looks leave nothing behind at the signal that would end them', async () => {
  const { signal } = new AbortController();
  const look = async (times: number) => {
    for (let time = 0; time < times; time += 1) await unlessAborted(Promise.resolve(time), signal);
  };
  await look(1000);
  const before = heapUsed();
  await look(10_000);
  expect((heapUsed() - before) / 10_000).toBeLessThan(50);
  expect(signal.aborted).toBe(false);
});

it('a signal ends the wait for work that never ends', async () => {
  const controller = new AbortController();
  const ended = unlessAborted(new Promise(() => undefined), controller.signal);
  controller.abort();
  expect(await ended).toBeUndefined();
});

it('work that takes too long is not waited for', async () => {
  expect(await unlessLate(new Promise(() => undefined), 1)).toBeUndefined();
  expect(await unlessLate(Promise.resolve('done'), 60_000)).toBe('done');
});
