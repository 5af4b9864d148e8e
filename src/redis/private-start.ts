/** Starts the private Redis of a directory, or adopts the one that runs there. The caller holds the lock of the directory. */
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
  type ServerRecord,
  socketPathFor,
  startServer,
} from './private-process.ts';

/** How long a server may take to load its append-only file, in milliseconds. */
export const loadingMs = 120_000;
const pidFileMs = 2000;

/**
 * Finds the server of `directory`, or starts one. It may not answer yet.
 * @returns its socket, and the end of a server that this call has started.
 */
export async function adoptOrStart(
  directory: string,
): Promise<{ readonly socket: string; readonly ended: Promise<ServerEnd> | undefined }> {
  const record = await startedRecord(directory);
  if (record && isServing(record, directory)) return { socket: record.socket, ended: undefined };
  // A new server takes the recorded socket: processes that lost the old one wait there.
  const socket = record?.socket ?? socketPathFor(directory);
  return { socket, ended: startServer(directory, socket) };
}

/** Waits for the process id: a process killed right after it started a server leaves a record without one. */
async function startedRecord(directory: string): Promise<ServerRecord | undefined> {
  const deadline = Date.now() + pidFileMs;
  for (;;) {
    const record = readServerRecord(directory);
    if (!record || record.pid !== undefined || Date.now() > deadline) return record;
    await delay(25);
  }
}

/**
 * Waits until the server takes commands, which is after it has loaded its append-only file.
 * @param ended as returned by `adoptOrStart`.
 * @throws {RedisMissingError | PrivateRedisError | RedisUnreachableError} and closes the connection.
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
    `Its full log is ${logFile(directory)}.`,
  );
}

function logTail(directory: string): string {
  try {
    return readFileSync(logFile(directory), 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  } catch {
    return '(it wrote no log)';
  }
}
