/** What others, or files left lying about, can do to the private Redis. Cases with a second user need root. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRedisServer } from '../../src/platform/redis/choose-redis.ts';
import { PrivateRedisError } from '../../src/platform/redis/errors.ts';
import { stopPrivateRedis } from '../../src/platform/redis/private/server.ts';
import { giveAway, isRoot, openToAll, otherUser } from '../support/console/other-user.ts';
import { temporaryFolder } from '../support/folder.ts';
import { spawnNode, type TestProcess } from '../support/processes/child.ts';
import { isAlive } from '../support/processes/processes.ts';

const holder = new URL('../support/redis/redis-holder.ts', import.meta.url);
const program = new URL('../../src/cli/main.ts', import.meta.url);

/** A data directory whose server ends with the test. */
function dataFolder(dataDir = join(temporaryFolder(), 'data')): string {
  mkdirSync(dataDir, { recursive: true });
  onTestFinished(async () => void (await stopPrivateRedis(dataDir)));
  return dataDir;
}

const open = (dataDir: string) => openRedisServer({ dataDir, warn: () => undefined });

async function keyOf(dataDir: string): Promise<string | null> {
  await using server = await open(dataDir);
  return await server.connect('test').get('key');
}

async function setKey(dataDir: string, value: string): Promise<void> {
  await using server = await open(dataDir);
  await server.connect('test').set('key', value);
}

async function serverOf(process: TestProcess): Promise<number> {
  const [, pid] = await process.line(/^ready (\d+)$/);
  return Number(pid);
}

/** Leaves a server behind that holds the key `original`, as a killed command does. @returns its process id. */
async function leaveServer(dataDir: string): Promise<number> {
  const killed = spawnNode(holder, [dataDir]);
  const pid = await serverOf(killed);
  await setKey(dataDir, 'original');
  killed.kill('SIGKILL');
  await killed.end();
  expect(isAlive(pid)).toBe(true);
  return pid;
}

describe('a folder that was copied or moved while its server was up', () => {
  test('the copy gets a server of its own, and the original keeps its own', async () => {
    const original = dataFolder();
    const pid = await leaveServer(original);
    const copy = dataFolder(`${original}-copy`);
    execFileSync('cp', ['-a', `${original}/.`, copy]);
    await setKey(copy, 'copy');
    expect(isAlive(pid)).toBe(true);
    expect(await keyOf(original)).toBe('original');
    expect(await keyOf(copy)).toBe('copy');
  });

  test('a moved folder takes its server along', async () => {
    const before = dataFolder();
    const pid = await leaveServer(before);
    const after = `${before}-moved`;
    renameSync(before, after);
    dataFolder(after);
    const user = spawnNode(holder, [after]);
    expect(await serverOf(user)).toBe(pid);
    user.kill('SIGTERM');
    await user.end();
    expect(isAlive(pid)).toBe(false);
  });

  test('a new folder in its place is left alone by the server that moved', async () => {
    const before = dataFolder();
    await leaveServer(before);
    renameSync(before, `${before}-moved`);
    await using server = await open(before);
    await server.connect('test').set('key', 'new');
    await stopPrivateRedis(dataFolder(`${before}-moved`));
    expect(await keyOf(before)).toBe('new');
  });
});

test('a record that names another folder removes nothing there, and puts no socket into it', async () => {
  const dataDir = dataFolder();
  const precious = join(dataDir, 'campaigns-precious');
  mkdirSync(precious);
  mkdirSync(join(dataDir, 'redis'), { mode: 0o700 });
  writeFileSync(join(precious, 'ledger'), 'mine');
  writeFileSync(join(dataDir, 'redis/server.json'), JSON.stringify({ socket: join(precious, 'redis.sock') }));
  writeFileSync(join(dataDir, 'redis/server.pid'), '1');
  const server = await open(dataDir);
  expect(readdirSync(precious)).toEqual(['ledger']);
  await server.close();
  expect(readFileSync(join(precious, 'ledger'), 'utf8')).toBe('mine');
});

describe('a folder from elsewhere with a link in it is refused', () => {
  test.each(['redis.sock', 'appendonlydir', 'redis.log'])('%s', async (name) => {
    const mine = dataFolder();
    await using server = await open(mine);
    await server.connect('test').set('key', 'mine');
    const theirs = join(temporaryFolder(), 'data');
    mkdirSync(join(theirs, 'redis'), { recursive: true });
    symlinkSync(join(mine, 'redis', name), join(theirs, 'redis', name));
    await expect(open(theirs)).rejects.toThrow(`${name} is a symbolic link`);
    await expect(stopPrivateRedis(theirs)).rejects.toThrow(PrivateRedisError);
    expect(await keyOf(mine)).toBe('mine');
  });
});

test('a folder that others may enter is closed to them', async () => {
  const dataDir = dataFolder();
  mkdirSync(join(dataDir, 'redis'));
  openToAll(join(dataDir, 'redis'));
  await using server = await open(dataDir);
  expect(server.isPrivate).toBe(true);
  expect(statSync(join(dataDir, 'redis')).mode & 0o777).toBe(0o700);
});

describe.skipIf(!isRoot)('with a second user (needs root)', () => {
  /** A folder of the other user. */
  const theirFolder = () => giveAway(openToAll(temporaryFolder()));
  const holdAsOther = (dataDir: string) => spawnNode(holder, [dataDir, `${otherUser.uid}`]);

  test('a user without a name can use a deep data directory', async () => {
    const dataDir = join(theirFolder(), 'deep'.repeat(30));
    const user = holdAsOther(dataDir);
    expect(isAlive(await serverOf(user))).toBe(true);
    expect(statSync(join(dataDir, 'redis')).uid).toBe(otherUser.uid);
    user.kill('SIGTERM');
    await user.line(/^closed$/);
  });

  test.each(['file', 'link'])('a record that names a process of another user is void: %s', async (kind) => {
    const dataDir = theirFolder();
    const folder = join(dataDir, 'redis');
    mkdirSync(folder, { mode: 0o700 });
    giveAway(folder);
    const record = join(folder, 'server.pid');
    if (kind === 'link') symlinkSync('1', record);
    else writeFileSync(record, '1');
    writeFileSync(join(folder, 'server.json'), JSON.stringify({ socket: join(folder, 'redis.sock') }));
    const user = holdAsOther(dataDir);
    expect(isAlive(await serverOf(user))).toBe(true);
    user.kill('SIGTERM');
    await user.line(/^closed$/);
  });

  test('a folder that another user has prepared is refused', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'redis'));
    giveAway(join(dataDir, 'redis'));
    await expect(open(dataDir)).rejects.toThrow(/redis belongs to another user \(id 54321/);
  });

  test('a folder in the temporary folder that another user has prepared is not used', async () => {
    const temporary = openToAll(temporaryFolder());
    const dataDir = join(temporaryFolder(), 'deep'.repeat(30));
    const hash = createHash('sha256').update(join(dataDir, 'redis')).digest('hex').slice(0, 16);
    const theirs = join(temporary, `campaigns-0-${hash}`);
    mkdirSync(theirs);
    openToAll(giveAway(theirs));
    const user = spawnNode(holder, [dataDir], { TMPDIR: temporary });
    expect(isAlive(await serverOf(user))).toBe(true);
    expect(readdirSync(theirs)).toEqual([]);
    user.kill('SIGTERM');
    await user.line(/^closed$/);
  });

  test('a .data of another user in the current folder is refused, with the reason', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.data'));
    giveAway(join(folder, '.data'));
    const list = spawnNode(program, ['list'], {}, { cwd: folder });
    expect(await list.end()).toMatchObject({ code: 2 });
    expect(list.output.stderr.join('\n')).toMatch(/\.data belongs to another user \(id 54321/);
    expect(readdirSync(join(folder, '.data'))).toEqual([]);
  });
});
