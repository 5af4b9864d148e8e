import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { watchRestarts } from '../../../src/platform/redis/restarts.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { redisNode } from '../../support/redis/redis-topologies.ts';

test.each([
  ['has data that others may miss some of', 'waits', async () => true],
  ['does not say what it has', 'waits', () => Promise.reject(new Error('LOADING'))],
  ['has no data', 'goes on', async () => false],
])('beside a server that was just started and %s, a process %s', async (_name, expected, waitsForOthers) => {
  const node = await redisNode(temporaryFolder(), { onTestFinished });
  const redis = new Redis(node.port);
  onTestFinished(() => redis.disconnect());
  const ready = watchRestarts(redis, {
    check: async () => undefined,
    replaced: () => undefined,
    waitsForOthers,
  });
  const goesOn = ready().then(() => 'goes on');
  const longestMs = expected === 'waits' ? 1500 : 45_000;
  expect(await Promise.race([goesOn, delay(longestMs, 'waits', { ref: false })])).toBe(expected);
});
