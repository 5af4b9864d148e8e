/** The server process of a private Redis: starts it detached, records it in the directory, tells whether it still runs. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { environmentOfChildren } from '../../config/children.ts';

/** The path of a Unix socket may take 104 bytes on macOS and 108 on Linux, including the final zero. */
const longestSocketPath = 100;

/** The directory's record of its server: `server.json` has the socket, `server.pid` the process. */
export interface ServerRecord {
  readonly socket: string;
  /** Missing until the server has written it at its start. */
  readonly pid: number | undefined;
}

const recordFile = (directory: string): string => join(directory, 'server.json');
const pidFile = (directory: string): string => join(directory, 'server.pid');
export const logFile = (directory: string): string => join(directory, 'redis.log');

const recordSchema = z.object({ socket: z.string() });

/** The socket lies in the directory; where that path is too long, in a temporary folder that only this user may enter. */
export function socketPathFor(directory: string): string {
  const inside = join(directory, 'redis.sock');
  if (Buffer.byteLength(inside) <= longestSocketPath) return inside;
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return join(tmpdir(), `campaigns-${userInfo().uid}-${hash}`, 'redis.sock');
}

/** @returns undefined when no server was started there, or it ended normally. */
export function readServerRecord(directory: string): ServerRecord | undefined {
  const text = readIfThere(recordFile(directory));
  if (text === undefined) return undefined;
  const pid = Number.parseInt(readIfThere(pidFile(directory)) ?? '', 10);
  return { socket: recordSchema.parse(JSON.parse(text)).socket, pid: Number.isNaN(pid) ? undefined : pid };
}

/** Removes the record and the socket of a server that has ended. */
export function removeServerRecord(directory: string, record: ServerRecord): void {
  rmSync(recordFile(directory), { force: true });
  rmSync(pidFile(directory), { force: true });
  rmSync(record.socket, { force: true });
  const folder = dirname(record.socket);
  if (basename(folder).startsWith('campaigns-') && folder !== directory)
    rmSync(folder, { recursive: true, force: true });
}

/**
 * Whether the recorded process still runs and is the Redis of this directory, not a later process with the same id.
 * Linux shows the working directory of a process, which for Redis is its data directory. Elsewhere its title names the socket.
 */
export function isServing({ pid, socket }: ServerRecord, directory: string): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    if (process.platform === 'linux') {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(directory);
    }
    const env = environmentOfChildren();
    const title = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8', env });
    return title.includes(socket);
  } catch {
    return false;
  }
}

/** The exit code of the shell below when neither program is installed. */
export const NO_PROGRAM = 127;

/**
 * Replaces the shell by the first program that is installed. Of our environment it gets only the search path: the API key
 * is in the rest.
 */
const launch = `for program in redis-server valkey-server; do
  command -v "$program" >/dev/null && exec /usr/bin/env -i PATH="$PATH" LC_ALL=C "$program" "$@"
done
exit ${NO_PROGRAM}`;

/**
 * Starts a Redis on `directory` in its own session and without our standard streams, so that neither Ctrl-C nor a closed
 * pipe reaches it. It outlives this process. The caller holds the lock of the directory.
 * @returns resolves when the server ends.
 */
export function startServer(directory: string, socket: string): Promise<ServerEnd> {
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  rmSync(pidFile(directory), { force: true });
  writeFileSync(`${recordFile(directory)}.new`, JSON.stringify({ socket }));
  renameSync(`${recordFile(directory)}.new`, recordFile(directory));

  const child = spawn('/bin/sh', ['-c', launch, 'launch', ...serverArguments(directory, socket)], {
    cwd: directory,
    env: environmentOfChildren(),
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, reason: error.message }));
    child.once('exit', (code, signal) =>
      resolve({ code, reason: `ended with ${signal ?? `exit code ${code}`}` }),
    );
  });
}

export interface ServerEnd {
  readonly code: number | null;
  readonly reason: string;
}

function serverArguments(directory: string, socket: string): string[] {
  const settings: Record<string, string> = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir: directory,
    pidfile: pidFile(directory),
    logfile: logFile(directory),
    appendonly: 'yes',
    appendfsync: 'always',
    // A crash may cut the last entry short; that entry was never acknowledged.
    'aof-load-truncated': 'yes',
    // No snapshots: the append-only file holds everything.
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
