import type { Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { parseRedisAddress } from '../../../src/platform/redis/address.ts';
import { RedisConnections } from '../../../src/platform/redis/connections.ts';
import { waitForEvent, waitUntil } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { redisNamespace } from '../../support/redis/redis.ts';
import { redisNode } from '../../support/redis/redis-topologies.ts';

/** A connection that somebody ended and opened again, as BullMQ does when a worker pauses. */
async function reopened() {
  const connections = new RedisConnections(parseRedisAddress(redisNamespace().url), () => undefined);
  const connection = connections.connect('test');
  await waitForEvent(connection, 'ready');
  const ended = waitForEvent(connection, 'end');
  connection.disconnect();
  await ended;
  const open = () => connection.connect().catch(() => undefined);
  return { connections, connection, open };
}

it('a connection that was opened again is closed with the others', async () => {
  const { connections, connection, open } = await reopened();
  await open();
  expect(connection.status).toBe('ready');
  connections.close();
  await waitUntil(() => connection.status === 'end', 'its end');
});

it('a connection that is opened again after all were closed is closed at once', async () => {
  const { connections, connection, open } = await reopened();
  connections.close();
  await open();
  await waitUntil(() => connection.status === 'end', 'its end');
  expect(await connection.ping().catch(String)).toBe('Error: Connection is closed.');
});

it('commands of one turn of the event loop leave in one write, also before a disconnect in that turn', async (test) => {
  const { url, prefix } = redisNamespace();
  const key = `${prefix}:count`;
  const connections = new RedisConnections(parseRedisAddress(url), () => undefined);
  test.onTestFinished(() => connections.close());
  const connection = connections.connect('test');
  await connection.ping();
  const single = vi.spyOn(connection.stream, '_write');
  const joined = vi.spyOn(connection.stream as Required<Writable>, '_writev');
  const answers: Promise<number>[] = [];
  for (let count = 0; count < 10; count += 1) {
    answers.push(connection.incr(key));
    await new Promise<void>(process.nextTick);
  }
  await Promise.all(answers);
  expect([single.mock.calls.length, joined.mock.calls.length]).toEqual([0, 1]);
  void connection.incr(key).catch(() => undefined);
  void connection.incr(key).catch(() => undefined);
  connection.disconnect();
  await waitForEvent(connection, 'end');
  expect(await connections.connect('later').get(key)).toBe('12');
});

it('a Redis that takes no writes is told once, and its end is noticed without a further write', async (test) => {
  const { port } = await redisNode(temporaryFolder(test), test);
  const said: string[] = [];
  const connections = new RedisConnections(parseRedisAddress(`redis://127.0.0.1:${port}`), (message) =>
    said.push(message),
  );
  test.onTestFinished(() => connections.close());
  const connection = connections.connect('test');
  await connection.config('SET', 'maxmemory', '1');
  for (let write = 0; write < 50; write++) await connection.set('{campaigns}:a', '1').catch(() => undefined);
  expect(await connections.findRefusal()).toMatchObject({ message: expect.stringContaining('OOM') });
  await connection.config('SET', 'maxmemory', '0');
  await waitUntil(() => said.length > 1, 'the end');
  const here = `Redis at 127\\.0\\.0\\.1:${port}`;
  expect(said).toEqual([
    expect.stringMatching(
      new RegExp(`^${here} takes no writes \\(OOM .*\\); nothing is sent until it does$`),
    ),
    expect.stringMatching(new RegExp(`^${here} takes writes again \\(\\d+ failures in \\d+ s\\)$`)),
  ]);
  expect(await connections.findRefusal()).toBeUndefined();
});
