import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PromptDisk } from '../../src/media/prompt-disk.ts';

/** A disk whose calls take as long as the test says, in milliseconds. */
function setUp() {
  let now = 0;
  const disk = new PromptDisk(() => now);
  /** @returns whether the call was made synchronously. */
  const call = (ms: number) => {
    const made = disk.try(() => {
      now += ms;
      return true;
    });
    return made === true;
  };
  /** A call in a turn of its own. */
  const callAlone = async (ms: number) => {
    await turn();
    return call(ms);
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { disk, call, callAlone, pass };
}

test('what a quick call returns is returned', () => {
  expect(new PromptDisk().try(() => 'bytes')).toBe('bytes');
});

test('a call that throws is left to the usual way', () => {
  const work = () => {
    throw new Error('not there');
  };
  expect(new PromptDisk().try(work)).toBeUndefined();
});

test.each([
  ['several slow calls in a row', [5, 5, 5], 1500],
  ['a very slow call', [1, 201], 20_100],
])('after %s there are none for a hundred times as long', async (_what, calls, restMs) => {
  const { callAlone, pass } = setUp();
  for (const ms of calls) expect(await callAlone(ms)).toBe(true);

  pass(restMs - 1);
  expect(await callAlone(0)).toBe(false);
  pass(1);
  expect(await callAlone(0)).toBe(true);
});

test('single slow calls stop nothing', async () => {
  const { callAlone } = setUp();
  for (const ms of [5, 100, 1, 5, 100, 1]) expect(await callAlone(ms)).toBe(true);
});

test('calls take ten milliseconds of a turn of the event loop', async () => {
  const { call, callAlone } = setUp();
  for (let calls = 0; calls < 5; calls += 1) expect(call(2)).toBe(true);

  expect(call(2)).toBe(false);
  expect(await callAlone(2)).toBe(true);
});
