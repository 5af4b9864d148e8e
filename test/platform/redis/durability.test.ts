import { expect, onTestFinished, test } from 'vitest';
import {
  openRedisServer,
  type RedisServer,
  type RedisServerOptions,
} from '../../../src/platform/redis/choose-redis.ts';
import { replicasToAwait } from '../../../src/platform/redis/durability.ts';
import { RedisUnfitError, RedisUnreachableError } from '../../../src/platform/redis/errors.ts';
import { waitUntil } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/ports.ts';
import { socketIn, startRedisServer } from '../../support/redis/redis-server.ts';

async function given(settings: Record<string, string>, login = '') {
  const folder = temporaryFolder();
  const server = await startRedisServer(folder, { unixsocket: socketIn(folder), ...settings });
  onTestFinished(() => server.stop());
  return { url: `unix://${login}${socketIn(folder)}`, folder };
}

async function open(url: string, options: Partial<RedisServerOptions> = {}) {
  const warnings: string[] = [];
  const server: RedisServer = await openRedisServer({
    url,
    dataDir: '/nowhere',
    warn: (text) => warnings.push(text),
    ...options,
  });
  onTestFinished(() => server.close());
  return { server, warnings };
}

test('a server that keeps everything is accepted without a warning', async () => {
  const { url } = await given({ appendonly: 'yes', appendfsync: 'always', 'maxmemory-policy': 'noeviction' });
  const { server, warnings } = await open(url);
  expect(server.durability).toMatchObject({ aof: true, fsync: 'always' });
  expect(warnings).toEqual([]);
});

test('a server that evicts is refused, with the fix', async () => {
  const { url } = await given({ appendonly: 'yes', 'maxmemory-policy': 'allkeys-lru' });
  const refusal = open(url);
  await expect(refusal).rejects.toBeInstanceOf(RedisUnfitError);
  await expect(refusal).rejects.toMatchObject({
    message: expect.stringContaining('evicts keys'),
    fix: expect.stringContaining('maxmemory-policy noeviction'),
  });
});

test('without an append-only file there is a loud warning', async () => {
  const { url } = await given({ appendonly: 'no' });
  const { server, warnings } = await open(url);
  expect(server.durability).toMatchObject({ aof: false, fsync: 'unknown', waitaof: false, replicas: 0 });
  expect(warnings).toEqual([expect.stringContaining('NO APPEND-ONLY FILE')]);
  expect(warnings).toEqual([server.durability.loss]);
});

test('appendfsync no is warned of', async () => {
  const { url } = await given({ appendonly: 'yes', appendfsync: 'no' });
  const { server, warnings } = await open(url);
  expect(server.durability.fsync).toBe('no');
  expect(warnings).toEqual([expect.stringContaining('appendfsync no')]);
});

test('appendfsync everysec is warned of where WAITAOF is missing', async () => {
  const { url } = await given({ appendonly: 'yes', appendfsync: 'everysec' });
  const { server, warnings } = await open(url);
  expect(server.durability.fsync).toBe('everysec');
  const told = server.durability.waitaof ? [] : [expect.stringContaining('once a second')];
  expect(warnings).toEqual(told);
});

test('where CONFIG is refused, INFO is used and the rest is unknown', async () => {
  const { url } = await given({ appendonly: 'yes', 'rename-command CONFIG': '""' });
  const { server, warnings } = await open(url);
  expect(server.durability).toMatchObject({ aof: true, fsync: 'unknown' });
  expect(warnings).toEqual([expect.stringContaining('refuses CONFIG')]);
});

test('eviction is found in INFO where CONFIG is refused', async () => {
  const { url } = await given({ 'maxmemory-policy': 'volatile-lru', 'rename-command CONFIG': '""' });
  await expect(open(url)).rejects.toThrow('evicts keys');
});

test('a wrong password fails at once, and is not shown', async () => {
  const { url } = await given({ requirepass: 'right' }, ':wr0ng@');
  const refusal = open(url, { answerMs: 600_000 });
  await expect(refusal).rejects.toBeInstanceOf(RedisUnreachableError);
  await expect(refusal).rejects.toMatchObject({
    reason: expect.stringContaining('WRONGPASS'),
    message: expect.stringContaining('refuses the password'),
  });
  const error: unknown = await refusal.catch((thrown: unknown) => thrown);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('wr0ng');
});

test('a missing password is an error', async () => {
  const { url } = await given({ requirepass: 'right' });
  const refusal = open(url);
  await expect(refusal).rejects.toBeInstanceOf(RedisUnreachableError);
  await expect(refusal).rejects.toMatchObject({
    reason: expect.stringContaining('NOAUTH'),
    message: expect.stringContaining('asks for a password'),
  });
});

test('the right password works, and the description does not show it', async () => {
  const { url } = await given({ requirepass: 's3cret', appendonly: 'yes' }, ':s3cret@');
  const { server } = await open(url);
  expect(await server.connect('test').ping()).toBe('PONG');
  expect(server.description).not.toContain('s3cret');
});

test('an unreachable server is named', async () => {
  const port = await freePort();
  await expect(
    openRedisServer({
      url: `redis://:s3cret@127.0.0.1:${port}`,
      dataDir: '/nowhere',
      warn: () => {},
      answerMs: 300,
    }),
  ).rejects.toThrow(`127.0.0.1:${port}`);
});

test('connections carry the id of their process and their purpose', async () => {
  const { url } = await given({ appendonly: 'yes' });
  const { server } = await open(url);
  expect(await server.connect('ledger').client('GETNAME')).toBe(`campaigns:${process.pid}:ledger`);
});

test('closing ends every connection', async () => {
  const { url } = await given({ appendonly: 'yes' });
  const { server } = await open(url);
  const connection = server.connect('ledger');
  await connection.ping();
  await server.close();
  await expect(connection.ping()).rejects.toThrow('closed');
});

test('an outage and its end are each reported once', async () => {
  const folder = temporaryFolder();
  const settings = { unixsocket: socketIn(folder), appendonly: 'yes', appendfsync: 'always' };
  const first = await startRedisServer(folder, settings);
  const { server, warnings } = await open(socketIn(folder));
  const connections = [server.connect('one'), server.connect('two')];
  await Promise.all(connections.map((connection) => connection.set('key', 'value')));
  await first.stop('SIGKILL');
  const reads = connections.map((connection) => connection.get('key'));
  const second = await startRedisServer(folder, settings);
  onTestFinished(() => second.stop());
  expect(await Promise.all(reads)).toEqual(['value', 'value']);
  await waitUntil(() => warnings.length > 1, 'the message of the end');
  expect(warnings).toEqual([
    expect.stringContaining('does not answer'),
    expect.stringContaining('answers again'),
  ]);
});

test.each([
  ['a failover, and none', true, 0, null, 0, 'has no replica now, so calls do not wait for one'],
  [
    'a failover, and one',
    true,
    1,
    null,
    1,
    '1 replica now, and redis.replicas is 1: if a server is lost, nothing is sent',
  ],
  ['a failover, and two', true, 2, null, 1, undefined],
  ['two wanted, and two', true, 2, 2, 2, 'Give the master 3 replicas (in a cluster, each master)'],
  [
    'one wanted, and none',
    false,
    0,
    1,
    1,
    'has no replica now, and redis.replicas is 1: nothing is sent until',
  ],
  ['none wanted', true, 1, 0, 0, undefined],
  ['one server', false, 0, null, 0, undefined],
])('replicas, when a server is lost: %s', (_what, hasFailover, present, wanted, replicas, warning) => {
  const durability = {
    aof: true,
    fsync: 'always',
    waitaof: true,
    replicas: present,
    loss: undefined,
  } as const;
  const found = replicasToAwait({ description: 'The cluster', hasFailover, durability }, wanted);
  expect(found).toEqual({
    replicas,
    warning: warning === undefined ? undefined : expect.stringContaining(warning),
  });
});
