import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stopPrivateRedis } from '../../../../src/platform/redis/private/server.ts';
import { spawnNode } from '../../../support/processes/child.ts';
import { isAlive } from '../../../support/processes/processes.ts';
import { close, dataFolder, hasRecord, hold, holder, open } from '../../../support/redis/private-redis.ts';

test('data is there again at the next start', async () => {
  const dataDir = dataFolder();
  const first = await open(dataDir);
  await first.connect('test').set('key', 'value');
  await first.close();
  await using second = await open(dataDir);
  expect(await second.connect('test').get('key')).toBe('value');
});

test('it syncs always, evicts nothing, and listens on no port', async () => {
  const dataDir = dataFolder();
  await using server = await open(dataDir);
  expect(server.durability).toMatchObject({ aof: true, fsync: 'always' });
  const redis = server.connect('test');
  expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  expect(await redis.config('GET', 'port')).toEqual(['port', '0']);
  expect(statSync(join(dataDir, 'redis/redis.sock')).mode & 0o777).toBe(0o700);
});

test('two processes share one server, and the last of them ends it', async () => {
  const dataDir = dataFolder();
  const one = await hold(dataDir);
  const two = await hold(dataDir);
  expect(two.server).toBe(one.server);
  await close(one.process);
  expect(isAlive(one.server)).toBe(true);
  await close(two.process);
  expect(isAlive(one.server)).toBe(false);
  expect(hasRecord(dataDir)).toBe(false);
});

test('two servers of one process share it, too', async () => {
  const dataDir = dataFolder();
  const one = await open(dataDir);
  await using two = await open(dataDir);
  await one.close();
  expect(await two.connect('test').ping()).toBe('PONG');
});

test('Ctrl-C does not reach it', async () => {
  const dataDir = dataFolder();
  const foreground = spawnNode(holder, [dataDir], {}, { detached: true });
  const [, server] = await foreground.line(/^ready (\d+)$/);
  process.kill(-foreground.pid, 'SIGINT');
  expect(await foreground.end()).toEqual({ code: null, signal: 'SIGINT' });
  expect(isAlive(Number(server))).toBe(true);
});

test.runIf(process.platform === 'linux')('the server gets nothing of our environment', async () => {
  const dataDir = dataFolder();
  const process = spawnNode(holder, [dataDir], { CREATOR_API_KEY: 'canary-key' });
  const [, server] = await process.line(/^ready (\d+)$/);
  expect(readFileSync(`/proc/${server}/environ`, 'latin1')).not.toContain('canary-key');
  await close(process);
});

test('a deep data directory is reached through a link, which goes with the process', async () => {
  const dataDir = join(dataFolder(), 'deep'.repeat(30));
  const links = () => readdirSync(tmpdir()).filter((name) => isLinkTo(join(tmpdir(), name), dataDir));
  await using server = await open(dataDir);
  expect(await server.connect('test').ping()).toBe('PONG');
  expect(links()).toHaveLength(1);
  await server.close();
  expect(links()).toEqual([]);
});

function isLinkTo(path: string, dataDir: string): boolean {
  try {
    return readlinkSync(path) === join(dataDir, 'redis');
  } catch {
    return false;
  }
}

test('stop ends the server for all users, who do not start it again', async () => {
  const dataDir = dataFolder();
  const user = await hold(dataDir);
  expect(await stopPrivateRedis(dataDir)).toEqual({ stopped: true, users: [user.process.pid] });
  await user.process.line(/^gone PrivateRedisStoppedError$/);
  expect(isAlive(user.server)).toBe(false);
  await close(user.process);
});

test('stop says when there is nothing to stop', async () => {
  expect(await stopPrivateRedis(dataFolder())).toEqual({ stopped: false, users: [] });
});

test('without a program to start, it says which command installs one', async () => {
  const dataDir = dataFolder();
  const lonely = spawnNode(holder, [dataDir], { PATH: '/nonexistent' });
  await lonely.line(/^failed RedisMissingError$/);
  expect(await lonely.end()).toMatchObject({ code: 2 });
});
