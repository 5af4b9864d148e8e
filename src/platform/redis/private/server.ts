/**
 * The private Redis of a data directory, shared by all commands of that directory.
 *
 * 1. Adopts the server that is up, even one left behind by a killed process; else starts one.
 * 2. Holds one connection, the anchor, which shows other processes that this one needs the server.
 * 3. Starts the server again when it was killed, unless `stopPrivateRedis` ended it.
 * 4. Ends the server when the last anchor goes.
 *
 * All this happens under the lock of the folder (`withDirectoryLock`), so that two servers never write the same append-only
 * file. It signals no process, and removes only files that it created.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { RedisConnections } from '../connections.ts';
import { PrivateRedisError } from '../errors.ts';
import { bringUp, forget, hangs, loadingMs, stateOf } from './launch.ts';
import { findPlace, type ServerPlace, withDirectoryLock } from './place.ts';

const lockMs = loadingMs + 15_000;
const endingMs = 30_000;
const clientName = /\bname=campaigns:(?<pid>\d+):(?<purpose>\S*)/;

interface PrivateRedis {
  readonly connections: RedisConnections;
  readonly anchor: Redis;
  readonly description: string;
  /** Aborted when `stopPrivateRedis` ended the server, or it cannot be started again. */
  readonly gone: AbortSignal;
  /** Closes the connections; ends the server unless another process or another opener uses it. May be called again. */
  close(): Promise<void>;
}

/** `campaigns stop` ended the private Redis while this process was using it. */
class PrivateRedisStoppedError extends PrivateRedisError {
  constructor(directory: string) {
    super(`The private Redis of ${directory} was stopped.`, 'Run the command again: it starts a new one.');
  }
}

/**
 * Adopts or starts the private Redis of `dataDir`.
 * @throws {RedisMissingError} when neither redis-server nor valkey-server is installed.
 * @throws {PrivateRedisError} when the server does not start, with the end of its log; when another user owns its folder.
 */
export async function openPrivateRedis(
  dataDir: string,
  warn: (message: string) => void,
  tag?: string,
): Promise<PrivateRedis> {
  const place = findPlace(dataDir);
  const { directory } = place;
  const connections = connectionsTo(place, warn, tag);
  const purpose = `anchor.${randomUUID()}`;
  const anchor = connections.connect(purpose, { retryStrategy: () => 25 });
  const locked = <T>(work: () => Promise<T>): Promise<T> => withDirectoryLock(directory, lockMs, work);
  const gone = new AbortController();
  let reviving: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  /** The first process to take the lock starts the server for all. */
  async function revive(): Promise<void> {
    if ((await stateOf(place)) === 'ended') throw new PrivateRedisStoppedError(directory);
    await bringUp(place, anchor);
  }

  async function close(): Promise<void> {
    await reviving;
    connections.close();
    // A folder that was moved keeps its server.
    if (existsSync(directory)) await locked(() => endServer(place, purpose));
    place.leave();
  }

  try {
    await locked(() => bringUp(place, anchor));
  } catch (error) {
    connections.close();
    place.leave();
    throw error;
  }
  anchor.on('reconnecting', () => {
    if (closing) return;
    reviving ??= locked(revive)
      .catch((error: unknown) => {
        anchor.disconnect();
        gone.abort(error);
      })
      .finally(() => {
        reviving = undefined;
      });
  });
  return {
    connections,
    anchor,
    description: `private Redis in ${directory}`,
    gone: gone.signal,
    close: () => (closing ??= close()),
  };
}

/** Stops the server even while it is in use; `gone` says so to its users. @returns whether one was up, and the ids of the processes that used it. */
export async function stopPrivateRedis(
  dataDir: string,
): Promise<{ readonly stopped: boolean; readonly users: readonly number[] }> {
  const place = findPlace(dataDir);
  try {
    return await withDirectoryLock(place.directory, lockMs, async () => {
      if ((await stateOf(place)) !== 'up') return { stopped: false, users: [] };
      return { stopped: true, users: await endServer(place) };
    });
  } finally {
    place.leave();
  }
}

/**
 * Ends the server and waits until it is gone.
 * @param own the caller's anchor. If given, the server stays if others use it, or if it does not answer.
 * @returns the other processes that use it. @throws {PrivateRedisError} when it does not end.
 */
async function endServer(place: ServerPlace, own?: string): Promise<readonly number[]> {
  const connections = connectionsTo(place, () => undefined);
  // Never reconnects, because a repeated SHUTDOWN would end the next server.
  const connection = connections.connect('ending', { retryStrategy: () => null, commandTimeout: endingMs });
  try {
    const clients = await connection.client('LIST').catch(() => undefined);
    const users = otherUsers(String(clients), own);
    if (own !== undefined && (clients === undefined || users.length > 0)) return users;
    // A successful shutdown closes the connection without an answer. The loop below checks whether the server is gone.
    await connection.shutdown('NOSAVE').catch(() => undefined);
    for (const deadline = Date.now() + endingMs; (await stateOf(place)) === 'up'; await delay(10)) {
      if (Date.now() > deadline) throw hangs(place);
    }
    forget(place);
    return users;
  } finally {
    connections.close();
  }
}

/** Process ids from `CLIENT LIST`: a counter could be wrong after a crash. This process counts if it has another anchor. */
function otherUsers(clients: string, own: string | undefined): readonly number[] {
  const users = clients.split('\n').flatMap((line) => {
    const { pid, purpose = '' } = clientName.exec(line)?.groups ?? {};
    const isOtherProcess = pid !== undefined && Number(pid) !== process.pid;
    const isOtherAnchor = purpose.startsWith('anchor.') && purpose !== own;
    return isOtherProcess || isOtherAnchor ? [Number(pid)] : [];
  });
  return [...new Set(users)];
}

function connectionsTo(
  { socket }: ServerPlace,
  warn: (message: string) => void,
  tag?: string,
): RedisConnections {
  return new RedisConnections({ kind: 'socket', path: socket, db: 0, tls: false }, warn, tag);
}
