import { Redis, ReplyError } from 'ioredis';
import { expect, it } from 'vitest';
import { watchRedis } from '../../src/cli/session.ts';
import type { UseCaseError } from '../../src/manifest/problems/use-case-error.ts';
import { waitUntil } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';
import { socketIn, startRedisServer } from '../support/redis/redis-server.ts';

it('an error that Redis answers is an answer: the command goes on, and asks again', async () => {
  let pings = 0;
  const client = {
    ping: async () => {
      pings += 1;
      throw new ReplyError('BUSY Redis is busy running a script.');
    },
  };
  const told: string[] = [];
  using _watch = watchRedis(
    { connect: () => client as unknown as Redis, description: 'the Redis of this test' },
    (line) => told.push(line),
    { givesUp: true, everyMs: 5, longestMs: 20 },
  );
  await waitUntil(() => pings > 10, 'many pings');
  expect(told).toEqual([]);
});

it('a command says once that it waits for a Redis that is silent, and gives up if it only reads', async (test) => {
  const folder = temporaryFolder();
  const unixsocket = socketIn(folder);
  const server = await startRedisServer(folder, { unixsocket });
  const client = new Redis(unixsocket);
  test.onTestFinished(async () => {
    client.disconnect();
    await server.stop('SIGKILL');
  });
  await client.ping();
  server.child.kill('SIGSTOP');
  const told: string[] = [];
  const { promise, resolve } = Promise.withResolvers<UseCaseError>();
  using _watch = watchRedis(
    { connect: () => client, description: 'the Redis of this test' },
    (line) => told.push(line),
    { givesUp: true, everyMs: 20, longestMs: 100, onGivenUp: resolve },
  );
  expect(await promise).toMatchObject({ code: 'redis_unusable' });
  expect(told).toEqual([
    'This command waits for the Redis of this test. It gives up after 100 ms. To stop it, press Ctrl-C.',
  ]);
});

it('a command says so in each outage', async () => {
  const told: string[] = [];
  let outage = Promise.withResolvers<void>();
  const client = { ping: () => outage.promise };
  using _watch = watchRedis(
    { connect: () => client as unknown as Redis, description: 'the Redis of this test' },
    (line) => told.push(line),
    { givesUp: false, everyMs: 5 },
  );
  for (const outages of [1, 2]) {
    await waitUntil(() => told.length === outages, 'a word about the outage');
    const { resolve } = outage;
    outage = Promise.withResolvers<void>();
    resolve();
  }
  expect(new Set(told).size).toBe(1);
});
