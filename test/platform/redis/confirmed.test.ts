import { Redis } from 'ioredis';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { confirmed, NotConfirmedError } from '../../../src/platform/redis/durability.ts';
import type { RunScript } from '../../../src/platform/redis/script.ts';
import { waitUntil } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { durable, type RedisNode, redisNode } from '../../support/redis/redis-topologies.ts';

describe('a write that must reach replicas', () => {
  let master: RedisNode;
  let replica: RedisNode;
  let redis: Redis;
  let write: RunScript;

  beforeEach(async () => {
    const folder = temporaryFolder();
    const owner = { onTestFinished };
    master = await redisNode(folder, owner, durable);
    replica = await redisNode(folder, owner, {
      ...durable,
      replicaof: `127.0.0.1 ${master.port}`,
    });
    redis = new Redis({ port: master.port });
    onTestFinished(() => redis.disconnect());
    write = async ([value]) => redis.set('{tag}:entry', String(value));
    await waitUntil(async () => /state=online/.test(await redis.info('replication')), 'the replica');
  });

  it('is there when the script returns', async () => {
    const run = confirmed(redis, write, { disk: false, replicas: 1 });
    expect(await run(['sent'])).toBe('OK');
    await master.stop('SIGKILL');
    const survivor = new Redis({ port: replica.port });
    onTestFinished(() => survivor.disconnect());
    expect(await survivor.get('{tag}:entry')).toBe('sent');
  });

  it('is not confirmed while no replica answers', async () => {
    const run = confirmed(redis, write, { disk: false, replicas: 1 });
    await replica.stop('SIGKILL');
    await expect(run(['sent'])).rejects.toBeInstanceOf(NotConfirmedError);
  });

  it('is not confirmed by a server that has become a replica', async () => {
    const own = new Redis({ port: replica.port });
    onTestFinished(() => own.disconnect());
    const run = confirmed(own, async () => 'OK', { disk: false, replicas: 1 });
    await expect(run([])).rejects.toThrow(NotConfirmedError);
  });

  it('is not confirmed when the script was sent again after a reconnect', async () => {
    const losing: RunScript = (args) => {
      redis.disconnect(true);
      return write(args);
    };
    const run = confirmed(redis, losing, { disk: false, replicas: 0 });
    await expect(run(['one'])).rejects.toBeInstanceOf(NotConfirmedError);
  });

  it('is not confirmed when the connection was lost meanwhile', async () => {
    let calls = 0;
    const losing: RunScript = async (args) => {
      const reply = await write(args);
      calls += 1;
      // The answer has come; what waits for the replicas will be another connection.
      if (calls === 1) redis.disconnect(true);
      return reply;
    };
    const run = confirmed(redis, losing, { disk: false, replicas: 1 });
    await expect(run(['one'])).rejects.toBeInstanceOf(NotConfirmedError);
    expect(await run(['two'])).toBe('OK');
  });
});
