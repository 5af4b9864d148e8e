import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { openRedisServer } from '../../../src/platform/redis/choose-redis.ts';
import { waitUntil } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/ports.ts';
import { needsRedisWith } from '../../support/redis/redis-features.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';

async function started(settings: Record<string, string>, mode: readonly string[] = []): Promise<number> {
  const port = await freePort();
  const server = await startRedisServer(temporaryFolder(), { port: String(port), ...settings }, mode);
  onTestFinished(() => server.stop());
  return port;
}

async function open(url: string) {
  const server = await openRedisServer({ url, dataDir: '/nowhere', warn: () => {} });
  onTestFinished(() => server.close());
  return server;
}

test('a cluster takes the commands of one server, as long as keys share a hash tag', async (context) => {
  needsRedisWith('cluster', context);
  const port = await started({
    'cluster-enabled': 'yes',
    'cluster-announce-ip': '127.0.0.1',
    appendonly: 'yes',
    appendfsync: 'always',
  });
  const node = new Redis({ port });
  onTestFinished(() => node.disconnect());
  await node.cluster('ADDSLOTS', ...Array.from({ length: 16_384 }, (_, slot) => slot));
  await waitUntil(
    async () => /cluster_state:ok/.test(String(await node.cluster('INFO'))),
    'the cluster to be up',
  );

  const server = await open(`redis+cluster://127.0.0.1:${port}`);
  const redis = server.connect('test');
  await redis.multi().set('{tag}a', '1').set('{tag}b', '2').exec();
  expect(await redis.mget('{tag}a', '{tag}b')).toEqual(['1', '2']);
  expect(server.durability).toMatchObject({ aof: true, fsync: 'always' });
});

test('a command waits until the cluster has a master for it again, however often it was refused', async (context) => {
  needsRedisWith('cluster', context);
  const port = await started({
    'cluster-enabled': 'yes',
    'cluster-announce-ip': '127.0.0.1',
    'cluster-require-full-coverage': 'no',
    appendonly: 'yes',
  });
  const node = new Redis({ port });
  onTestFinished(() => node.disconnect());
  const ours = (await node.cluster('KEYSLOT', '{tag}')) as number;
  const others = Array.from({ length: 16_384 }, (_, slot) => slot).filter((slot) => slot !== ours);
  await node.cluster('ADDSLOTS', ...others);
  await waitUntil(
    async () => /cluster_state:ok/.test(String(await node.cluster('INFO'))),
    'the cluster to be up',
  );
  const server = await open(`redis+cluster://127.0.0.1:${port}`);
  const written = server.connect('test').set('{tag}a', '1');
  // Several times, because each makes a new connection.
  await waitUntil(async () => {
    const [, refusals] = /errorstat_CLUSTERDOWN:count=(\d+)/.exec(await node.info('errorstats')) ?? [];
    return Number(refusals ?? 0) > 2;
  }, 'the command to be refused');
  await node.cluster('ADDSLOTS', ours);
  expect(await written).toBe('OK');
});

test('Sentinel names the server', async () => {
  const port = await started({ appendonly: 'yes' });
  const sentinel = await started({ 'sentinel monitor main': `127.0.0.1 ${port} 1` }, ['--sentinel']);
  const server = await open(`redis+sentinel://127.0.0.1:${sentinel}/main`);
  expect(await server.connect('test').config('GET', 'port')).toEqual(['port', String(port)]);
  expect(server.durability.aof).toBe(true);
});
