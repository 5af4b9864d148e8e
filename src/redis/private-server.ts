/**
 * The private Redis of a data directory, shared by all commands of that directory.
 *
 * 1. Adopts the server that runs, even one left behind by a killed process; else starts one (`private-start.ts`).
 * 2. Holds one connection, the anchor, which shows the other processes that this one needs the server.
 * 3. Starts the server again when it was killed, unless `stopPrivateRedis` ended it.
 * 4. Ends the server when the last anchor goes (`private-ending.ts`).
 *
 * Each happens under the lock of the directory (`directory-lock.ts`), so that two servers never write one append-only file.
 */
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { RedisConnections } from './connections.ts';
import { withDirectoryLock } from './directory-lock.ts';
import { PrivateRedisError, reasonOf } from './errors.ts';
import { anchorPurpose, endServer, otherUsers } from './private-ending.ts';
import { isServing, readServerRecord } from './private-process.ts';
import { adoptOrStart, loadingMs, untilAnswering } from './private-start.ts';

const lockMs = loadingMs + 15_000;
const revivals = 20;
/** Marks a server as stopped on purpose: processes that lost it then do not start it again. */
const stopMark = (directory: string): string => join(directory, 'stopped');

export interface PrivateRedis {
  readonly connections: RedisConnections;
  readonly anchor: Redis;
  readonly description: string;
  /** Aborted when `stopPrivateRedis` ended the server, or it cannot be started again. */
  readonly gone: AbortSignal;
  /** Closes the connections; ends the server unless another process or another opener uses it. May be called again. */
  close(): Promise<void>;
}

/**
 * Adopts or starts the private Redis of `dataDir`.
 * @throws {RedisMissingError} when neither redis-server nor valkey-server is installed.
 * @throws {PrivateRedisError} with the end of the server's log when it does not start.
 * @throws {RedisUnreachableError} when it does not answer in time.
 */
export async function openPrivateRedis(
  dataDir: string,
  warn: (message: string) => void,
): Promise<PrivateRedis> {
  const directory = redisDirectory(dataDir);
  return await withDirectoryLock(directory, lockMs, async () => {
    rmSync(stopMark(directory), { force: true });
    const { socket, ended } = await adoptOrStart(directory);
    const connections = new RedisConnections({ kind: 'socket', path: socket, db: 0, tls: false }, warn);
    const purpose = anchorPurpose();
    const anchor = connections.connect(purpose, { retryStrategy: () => 25 });
    await untilAnswering(anchor, directory, ended);
    return holdServer({ directory, connections, anchor, purpose, warn });
  });
}

/**
 * Ends the private Redis of `dataDir` even while it is in use; `gone` tells its users.
 * @returns whether one ran, and the ids of the processes that used it.
 */
export async function stopPrivateRedis(
  dataDir: string,
): Promise<{ readonly stopped: boolean; readonly users: readonly number[] }> {
  const directory = redisDirectory(dataDir);
  return await withDirectoryLock(directory, lockMs, async () => {
    const record = readServerRecord(directory);
    if (!record || !isServing(record, directory)) return { stopped: false, users: [] };
    const users = (await otherUsers(record.socket, undefined)) ?? [];
    writeFileSync(stopMark(directory), '');
    await endServer(directory, record);
    return { stopped: true, users: [...new Set(users)] };
  });
}

function redisDirectory(dataDir: string): string {
  const directory = join(dataDir, 'redis');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return realpathSync(directory);
}

interface Hold {
  readonly directory: string;
  readonly connections: RedisConnections;
  readonly anchor: Redis;
  /** Names the anchor in `CLIENT LIST`. */
  readonly purpose: string;
  readonly warn: (message: string) => void;
}

function holdServer({ directory, connections, anchor, purpose, warn }: Hold): PrivateRedis {
  const gone = new AbortController();
  const closing = new AbortController();
  let reviving: Promise<void> | undefined;
  anchor.on('reconnecting', () => {
    if (closing.signal.aborted) return;
    reviving ??= revive(directory, connections, closing.signal, warn)
      .catch((error: unknown) => {
        anchor.disconnect();
        gone.abort(error);
      })
      .finally(() => {
        reviving = undefined;
      });
  });

  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    closing.abort();
    await reviving;
    connections.close();
    await withDirectoryLock(directory, lockMs, () => endIfUnused(directory, purpose));
  }

  return {
    connections,
    anchor,
    description: `private Redis in ${directory}`,
    gone: gone.signal,
    close: () => (closed ??= close()),
  };
}

/** Ends the server unless somebody else uses it. A server that does not answer is left alone. */
async function endIfUnused(directory: string, ownPurpose: string): Promise<void> {
  const record = readServerRecord(directory);
  const users = record && (await otherUsers(record.socket, ownPurpose));
  if (record && users?.length === 0) await endServer(directory, record);
}

/** Starts a killed server again. The first of its processes to take the lock does it for all. */
async function revive(
  directory: string,
  connections: RedisConnections,
  closing: AbortSignal,
  warn: (message: string) => void,
): Promise<void> {
  for (let attempt = 1; !closing.aborted; attempt++) {
    try {
      await withDirectoryLock(directory, lockMs, async () => {
        if (existsSync(stopMark(directory))) throw new PrivateRedisStoppedError(directory);
        const { ended } = await adoptOrStart(directory);
        const probe = connections.connect('revival', { retryStrategy: () => 25 });
        await untilAnswering(probe, directory, ended);
        probe.disconnect();
      });
      return;
    } catch (error) {
      if (error instanceof PrivateRedisStoppedError || attempt === revivals) throw error;
      warn(`the private Redis could not be started again: ${reasonOf(error)}`);
      await delay(Math.min(200 * attempt, 2000));
    }
  }
}

/** `campaigns stop` ended the private Redis while this process was using it. */
export class PrivateRedisStoppedError extends PrivateRedisError {
  constructor(directory: string) {
    super(`The private Redis of ${directory} was stopped.`, 'Run the command again: it starts a new one.');
  }
}
