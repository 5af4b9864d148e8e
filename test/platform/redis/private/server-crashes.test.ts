/** What a killed process or server, or a crash, leaves behind in the folder of a private Redis. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { hangs, stateOf } from '../../../../src/platform/redis/private/launch.ts';
import { findPlace } from '../../../../src/platform/redis/private/place.ts';
import { waitUntil } from '../../../support/events.ts';
import { spawnProgram } from '../../../support/processes/child.ts';
import { isAlive } from '../../../support/processes/processes.ts';
import { close, dataFolder, hold, open } from '../../../support/redis/private-redis.ts';

test('a server left behind by a killed process is adopted', async () => {
  const dataDir = dataFolder();
  const killed = await hold(dataDir);
  killed.process.kill('SIGKILL');
  await killed.process.end();
  const next = await hold(dataDir);
  expect(next.server).toBe(killed.server);
  await close(next.process);
  expect(isAlive(killed.server)).toBe(false);
});

test('the record of a killed server does not prevent a start', async () => {
  const dataDir = dataFolder();
  const killed = await hold(dataDir);
  killed.process.kill('SIGKILL');
  await killed.process.end();
  process.kill(killed.server, 'SIGKILL');
  await waitUntil(() => !isAlive(killed.server), 'the server to end');
  const next = await hold(dataDir);
  expect(next.server).not.toBe(killed.server);
  await close(next.process);
});

test('a server killed under its processes is started again, and nothing acknowledged is lost', async () => {
  const dataDir = dataFolder();
  const { process: other, server: pid } = await hold(dataDir);
  await using server = await open(dataDir);
  const redis = server.connect('test');
  await redis.set('key', 'value');
  process.kill(pid, 'SIGKILL');
  expect(await redis.get('key')).toBe('value');
  const info = await redis.info('server');
  expect(info).not.toContain(`process_id:${pid}`);
  await other.line(/answers again/);
});

test('an append-only file that a crash cut short is loaded up to the cut', async () => {
  const dataDir = dataFolder();
  const server = await open(dataDir);
  const redis = server.connect('test');
  await redis.set('first', 'kept');
  await redis.set('last', 'x'.repeat(1000));
  await server.close();
  const folder = join(dataDir, 'redis/appendonlydir');
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.incr.aof')) ?? '');
  truncateSync(file, statSync(file).size - 500);
  await using again = await open(dataDir);
  expect(await again.connect('test').mget('first', 'last')).toEqual(['kept', null]);
});

test('a server that cannot load its file fails with the end of its log', async () => {
  const dataDir = dataFolder();
  mkdirSync(join(dataDir, 'redis/appendonlydir'), { recursive: true });
  copyFileSync(new URL(import.meta.url), join(dataDir, 'redis/appendonlydir/appendonly.aof.manifest'));
  await expect(open(dataDir)).rejects.toThrow(/manifest/);
});

test('a server that still loads its append-only file is waited for', async () => {
  const dataDir = dataFolder();
  const first = await open(dataDir);
  const pairs = Array.from({ length: 500 }, (_, index) => [`key-${index}`, 'value']).flat();
  await first.connect('test').mset(pairs);
  await first.close();
  // 1 ms a key: as slow as a large file.
  const folder = join(dataDir, 'redis');
  const slow = spawnProgram(
    'redis-server',
    [
      ...['--port', '0', '--unixsocket', 'redis.sock', '--appendonly', 'yes', '--save', ''],
      ...['--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024'],
    ],
    {},
    { cwd: folder },
  );
  symlinkSync(`${slow.pid}`, join(folder, 'server.pid'));
  await using server = await open(dataDir);
  const redis = server.connect('test');
  expect(await redis.info('server')).toContain(`process_id:${slow.pid}`);
  expect(await redis.dbsize()).toBe(500);
});

test('a leftover socket file does not prevent a start', async () => {
  const dataDir = dataFolder();
  const killed = await hold(dataDir);
  const socket = join(dataDir, 'redis/redis.sock');
  killed.process.kill('SIGKILL');
  await killed.process.end();
  process.kill(killed.server, 'SIGKILL');
  await waitUntil(() => !isAlive(killed.server), 'the server to end');
  expect(existsSync(socket)).toBe(true);
  await using server = await open(dataDir);
  const redis = new Redis({ path: socket });
  expect(await redis.ping()).toBe('PONG');
  redis.disconnect();
  expect(server.isPrivate).toBe(true);
});

test('a server whose socket was deleted is not joined by a second one', async () => {
  const dataDir = dataFolder();
  const place = findPlace(dataDir);
  const { process: user, server } = await hold(dataDir);
  rmSync(place.socket);
  expect(await stateOf(place)).toBe('up');
  expect(hangs(place).fix).toContain(`kill ${server}`);
  process.kill(server, 'SIGKILL');
  await user.line(/answers again/);
  await close(user);
});
