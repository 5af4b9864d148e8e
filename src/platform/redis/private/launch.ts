/**
 * The server process of a private Redis: starts it, and finds out whether one is running.
 *
 * The server runs in its folder and knows no path: socket, log and data have relative names. A moved folder takes its server
 * along; a copy has no server. Two things show a running server:
 *
 * 1. Its socket takes connections.
 * 2. Its record, the symbolic link `server.pid`, names a process that runs in this same folder (same device and inode). This
 * finds a server whose socket does not exist yet, or was deleted. Only one process can create the link.
 *
 * A killed server leaves its record behind; a server that was ended on purpose does not.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { environmentOfChildren } from '../../../../config/children.ts';
import { PrivateRedisError, RedisMissingError } from '../errors.ts';
import { recordName, type ServerPlace, socketName } from './place.ts';

/** How long a server may take to load its append-only file, in milliseconds. */
export const loadingMs = 120_000;
const pollMs = 50;
const log = 'redis.log';

/** Exit codes of the shell below: another server has the record, or neither program is installed. */
const NOT_FIRST = 126;
const NO_PROGRAM = 127;

/** Becomes the first program that is installed, so that the process id stays. It gets only the search path: not the API key. */
const script = `for program in redis-server valkey-server; do
  command -v "$program" >/dev/null || continue
  ln -s $$ ${recordName} || exit ${NOT_FIRST}
  exec /usr/bin/env -i PATH="$PATH" LC_ALL=C "$program" "$@"
done
exit ${NO_PROGRAM}`;

const settings = Object.entries({
  port: '0',
  unixsocket: socketName,
  unixsocketperm: '700',
  logfile: log,
  appendonly: 'yes',
  appendfsync: 'always',
  // A crash may cut the last entry short; that entry was never acknowledged.
  'aof-load-truncated': 'yes',
  // No snapshots: the append-only file holds everything.
  save: '',
  'maxmemory-policy': 'noeviction',
});

/** Returns once its data is loaded. The caller holds the lock of the folder. @throws {RedisMissingError | PrivateRedisError} */
export async function bringUp(place: ServerPlace, anchor: Redis): Promise<void> {
  const ready = new Promise<void>((resolve) => void anchor.once('ready', resolve));
  const deadline = Date.now() + loadingMs;
  let child: ChildProcess | undefined;
  while (anchor.status !== 'ready') {
    if (child?.exitCode === NOT_FIRST) child = undefined;
    if (child && hasEnded(child)) throw failure(place, child);
    const state = child ? 'up' : await stateOf(place);
    if (state === 'killed') forget(place);
    if (state !== 'up') child = launch(place);
    if (Date.now() > deadline) throw hangs(place);
    await Promise.race([ready, delay(pollMs)]);
  }
}

/** `up`: it may not answer yet. */
export async function stateOf({ directory, socket }: ServerPlace): Promise<'up' | 'killed' | 'ended'> {
  if (await isListening(socket)) return 'up';
  const pid = recordedPid(directory);
  if (pid === undefined) return 'ended';
  return worksIn(directory, pid) ? 'up' : 'killed';
}

/** @returns undefined without a record; NaN for one that the shell did not make. */
function recordedPid(directory: string): number | undefined {
  try {
    return Number(readlinkSync(join(directory, recordName)));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : Number.NaN;
  }
}

/** Removes the record of a server that is not up. */
export function forget({ directory }: ServerPlace): void {
  rmSync(join(directory, recordName), { force: true });
}

function isListening(socket: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = connect(socket, () => resolve(true));
  // EAGAIN: too many connections wait for this server.
  probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EAGAIN'));
  return promise.finally(() => probe.destroy());
}

/** False for a process of another user, whose folder the system does not show. */
function worksIn(directory: string, pid: number): boolean {
  try {
    const here = statSync(directory, { bigint: true });
    const there = statSync(workingFolder(pid), { bigint: true });
    return there.dev === here.dev && there.ino === here.ino;
  } catch {
    return false;
  }
}

function workingFolder(pid: number): string {
  if (process.platform === 'linux') return `/proc/${pid}/cwd`;
  const lines = execFileSync('lsof', ['-a', '-p', `${pid}`, '-d', 'cwd', '-Fn'], {
    encoding: 'utf8',
    env: environmentOfChildren(),
  });
  return /^n(.+)$/m.exec(lines)?.[1] ?? '';
}

/** Starts a server in its own session and without our standard streams: neither Ctrl-C nor a closed pipe reaches it. */
function launch({ directory }: ServerPlace): ChildProcess {
  const options = settings.flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn('/bin/sh', ['-c', script, 'launch', ...options], {
    cwd: directory,
    env: environmentOfChildren(),
    detached: true,
    stdio: 'ignore',
  });
  // A shell that cannot start has no process id, which `hasEnded` notices.
  child.on('error', () => undefined);
  child.unref();
  return child;
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

function failure({ directory }: ServerPlace, child: ChildProcess): PrivateRedisError | RedisMissingError {
  if (child.exitCode === NO_PROGRAM) return new RedisMissingError(process.platform);
  return new PrivateRedisError(
    `The private Redis of ${directory} ended:\n${lastLines(join(directory, log))}`,
    `Its full log is ${join(directory, log)}.`,
  );
}

export function hangs({ directory }: ServerPlace): PrivateRedisError {
  const pid = recordedPid(directory);
  return new PrivateRedisError(
    `The private Redis of ${directory} does not answer.`,
    `Its log is ${join(directory, log)}. End it, then try again${pid ? `:\n  kill ${pid}` : '.'}`,
  );
}

function lastLines(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  } catch {
    return '(it wrote no log)';
  }
}
