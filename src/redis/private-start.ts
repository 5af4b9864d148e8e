/** Bringing the private Redis of a directory up: adopt or start, and wait. The caller holds the lock of the directory. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { waitUntilReady } from './connections.ts';
import { PrivateRedisError, RedisMissingError } from './errors.ts';
import {
  isServing,
  logFile,
  NO_PROGRAM,
  readServerRecord,
  removeServerRecord,
  type ServerEnd,
  socketPathFor,
  startServer,
} from './private-process.ts';

/** How long a server may take to read its append-only file, in milliseconds. */
export const loadingMs = 120_000;
const pidFileMs = 2000;

interface RunningServer {
  readonly socket: string;
  /** Only of a server that this call has started. */
  readonly ended: Promise<ServerEnd> | undefined;
}

/** Finds the server that serves `directory`, or starts one; it may not answer yet. */
export async function adoptOrStart(directory: string): Promise<RunningServer> {
  const record = readServerRecord(directory);
  if (record) {
    const pid = record.pid ?? (await pidOfOneBeingStarted(directory));
    if (pid !== undefined && isServing(pid, record.socket, directory)) {
      return { socket: record.socket, ended: undefined };
    }
  }
  // The socket of the record is kept, for processes that wait for that server to come back look there.
  const socket = record?.socket ?? socketPathFor(directory);
  return { socket, ended: startServer(directory, socket) };
}

/** A process that was killed in the instant after it started a server leaves a record without the id. */
async function pidOfOneBeingStarted(directory: string): Promise<number | undefined> {
  for (const deadline = Date.now() + pidFileMs; Date.now() < deadline; await delay(25)) {
    const pid = readServerRecord(directory)?.pid;
    if (pid !== undefined) return pid;
  }
  return undefined;
}

/**
 * Waits until the server takes commands; reading its append-only file is waited for.
 * @param ended as `adoptOrStart` gave it. On failure the connection is closed.
 */
export async function untilAnswering(
  connection: Redis,
  directory: string,
  ended: Promise<ServerEnd> | undefined,
): Promise<void> {
  const ready = waitUntilReady(connection, loadingMs, `The private Redis of ${directory}`);
  const end = await (ended ? Promise.race([ready, ended]) : ready);
  if (end === undefined) return;
  ready.catch(() => {});
  connection.disconnect();
  const record = readServerRecord(directory);
  if (record) removeServerRecord(directory, record);
  if (end.code === NO_PROGRAM) throw new RedisMissingError(process.platform);
  throw new PrivateRedisError(
    `The private Redis of ${directory} ${end.reason}:\n${logTail(directory)}`,
    `Its whole log is ${logFile(directory)}.`,
  );
}

function logTail(directory: string): string {
  try {
    return readFileSync(logFile(directory), 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  } catch {
    return '(it wrote no log)';
  }
}
