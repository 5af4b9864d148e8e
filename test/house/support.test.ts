import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { WaitedTooLongError, waitForEvent, waitUntil } from '../support/events.ts';
import { spawnNode } from '../support/processes/child.ts';
import { seededRandom } from '../support/random.ts';
import { keysOf, redisNamespace } from '../support/redis/redis.ts';

let previous: string | undefined;

test('a namespace has a prefix of its own', async () => {
  const { redis, prefix } = redisNamespace();
  await redis.set(`${prefix}:key`, 'value');
  expect(await keysOf(redis, prefix)).toEqual([`${prefix}:key`]);
  previous = prefix;
});

test('the keys of a test that has passed are gone in the next one', async () => {
  const { redis, prefix } = redisNamespace();
  expect(previous).toBeDefined();
  expect(prefix).not.toBe(previous);
  expect(await keysOf(redis, previous ?? '')).toEqual([]);
});

test('the Redis of the run writes an append-only file and evicts nothing', async () => {
  const { redis } = redisNamespace();
  expect(await redis.config('GET', 'appendonly')).toEqual(['appendonly', 'yes']);
  expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
});

test('the same seed gives the same numbers', () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 5 }, () => random.integer(1, 1000));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test('a whole number from the generator stays within its bounds', () => {
  const random = seededRandom();
  const numbers = Array.from({ length: 1000 }, () => random.integer(1, 3));
  expect(new Set(numbers)).toEqual(new Set([1, 2, 3]));
});

test('an event is waited for, and brings its arguments', async () => {
  const emitter = new EventEmitter();
  setImmediate(() => emitter.emit('posted', 'row-1'));
  expect(await waitForEvent(emitter, 'posted')).toEqual(['row-1']);
});

test('an event that never comes is named', async () => {
  await expect(waitForEvent(new EventEmitter(), 'posted', 30)).rejects.toThrow('event "posted"');
});

test('waiting in vain ends with the name of what was waited for', async () => {
  await expect(waitUntil(() => false, 'the moon', 30)).rejects.toThrow(WaitedTooLongError);
});

test('a line written before the wait is found', async () => {
  const child = spawnNode(new URL('../support/redis/lock-holder.ts', import.meta.url), ['/nonexistent']);
  expect(await child.end()).toMatchObject({ code: 1 });
  await expect(child.line(/locked/)).rejects.toThrow('the process ended');
  expect((await child.errorLine(/unable to open database file/)).length).toBe(1);
});
