import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { findPlace } from '../../src/redis/private-place.ts';
import { hangs, stateOf } from '../../src/redis/private-process.ts';
import { stopPrivateRedis } from '../../src/redis/private-server.ts';
import { openRedisServer } from '../../src/redis/server.ts';
import { spawnNode, spawnProgram, type TestProcess } from '../support/child.ts';
import { waitUntil } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';
import { isAlive, processesIn, serversIn } from '../support/processes.ts';
import { seededRandom } from '../support/random.ts';

const holder = new URL('../support/redis-holder.ts', import.meta.url);

function dataFolder(): string {
  const dataDir = temporaryFolder();
  // Before the folder is removed: ends a server that the test left running.
  onTestFinished(async () => void (await stopPrivateRedis(dataDir)));
  return dataDir;
}

const open = (dataDir: string) => openRedisServer({ dataDir, warn: () => {} });

/** A process that holds the Redis of `dataDir`, and the process id of its server. */
async function hold(dataDir: string): Promise<{ process: TestProcess; server: number }> {
  const process = spawnNode(holder, [dataDir]);
  const [, server] = await process.line(/^ready (\d+)$/);
  return { process, server: Number(server) };
}

async function close(process: TestProcess): Promise<void> {
  process.kill('SIGTERM');
  expect(await process.end()).toEqual({ code: 0, signal: null });
}

/** Whether the folder has the record of a server; it is a link to nothing. */
const hasRecord = (dataDir: string): boolean => readdirSync(join(dataDir, 'redis')).includes('server.pid');

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

test('processes that start at once get one server', async () => {
  const dataDir = dataFolder();
  const holders = await Promise.all([hold(dataDir), hold(dataDir), hold(dataDir)]);
  expect(new Set(holders.map((each) => each.server)).size).toBe(1);
  for (const each of holders) await close(each.process);
  expect(isAlive(holders[0]?.server ?? 0)).toBe(false);
});

test('two servers of one process share it, too', async () => {
  const dataDir = dataFolder();
  const one = await open(dataDir);
  await using two = await open(dataDir);
  await one.close();
  expect(await two.connect('test').ping()).toBe('PONG');
});

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
  expect(hangs(place).cure).toContain(`kill ${server}`);
  process.kill(server, 'SIGKILL');
  await user.line(/answers again/);
  await close(user);
});

test.runIf(process.platform === 'linux')(
  'of two starts in one folder, only the first to leave its record becomes a server',
  async () => {
    const dataDir = dataFolder();
    // The shell of the first start waits in `ln`, and its command is killed.
    const programs = temporaryFolder();
    const pipe = join(programs, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const waiting = `#!/bin/sh\necho waiting >&2\nread line < ${pipe}\nexec /bin/ln "$@"\n`;
    writeFileSync(join(programs, 'ln'), waiting, { mode: 0o755 });
    const first = spawnNode(holder, [dataDir], { PATH: `${programs}:${process.env.PATH}` });
    const [shell = 0] = await waitUntil(
      () => processesIn(join(dataDir, 'redis')).length > 1 && processesIn(join(dataDir, 'redis')),
      'the shell to wait',
    );
    first.kill('SIGKILL');
    await first.end();
    const second = await hold(dataDir);
    expect(second.server).not.toBe(shell);
    writeFileSync(pipe, 'go on\n');
    await waitUntil(() => !isAlive(shell), 'the shell to end');
    expect(processesIn(join(dataDir, 'redis'))).toEqual([second.server]);
    await close(second.process);
  },
);

test.runIf(process.platform === 'linux')(
  'two servers never write one directory, however processes start and are killed',
  async () => {
    const random = seededRandom();
    const dataDir = dataFolder();
    const folder = join(dataDir, 'redis');
    let holders: TestProcess[] = [];
    for (let round = 0; round < 6; round++) {
      const started = Array.from({ length: random.integer(1, 3) }, () => spawnNode(holder, [dataDir]));
      const ready = await Promise.all(started.map((each) => each.line(/^ready (\d+)$/)));
      expect(serversIn(folder)).toHaveLength(1);
      holders.push(...started);
      const leaving = holders.filter(() => random.next() < 0.6);
      holders = holders.filter((each) => !leaving.includes(each));
      for (const each of leaving) each.kill(random.pick(['SIGTERM', 'SIGKILL']));
      if (random.next() < 0.3) killIfThere(Number(ready[0]?.[1]));
      await Promise.all(leaving.map((each) => each.end()));
      expect(serversIn(folder).length).toBeLessThan(2);
    }
    await Promise.all(holders.map((each) => close(each)));
  },
  60_000,
);

function killIfThere(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}
