/** Ending a private Redis: who still uses it, and the way to its end. The caller holds the lock of the directory. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { PrivateRedisError } from './errors.ts';
import { isServing, removeServerRecord, type ServerRecord } from './private-process.ts';

const endingMs = 30_000;
const clientName = /\bname=campaigns:(?<pid>\d+):(?<purpose>\S*)/;

/** Purpose of a connection by which a process shows that it needs the server; no two have the same. */
export function anchorPurpose(): string {
  return `anchor.${randomUUID()}`;
}

/**
 * The ids of the processes that use the server; `undefined` when it does not answer.
 * `CLIENT LIST` tells, not a counter: a connection ends with its process, whatever ended that.
 * @param own purpose of the anchor that asks; another anchor of this very process is another user.
 */
export async function otherUsers(socket: string, own: string | undefined): Promise<number[] | undefined> {
  const connection = oneShot(socket);
  try {
    const list = String(await connection.client('LIST'));
    return list.split('\n').flatMap((line) => {
      const { pid, purpose = '' } = clientName.exec(line)?.groups ?? {};
      const isOtherProcess = pid !== undefined && Number(pid) !== process.pid;
      const isOtherAnchor = purpose.startsWith('anchor.') && purpose !== own;
      return isOtherProcess || isOtherAnchor ? [Number(pid)] : [];
    });
  } catch {
    return undefined;
  } finally {
    connection.disconnect();
  }
}

/** Ends the server and waits until it is gone. @throws {PrivateRedisError} when it stays. */
export async function endServer(directory: string, record: ServerRecord): Promise<void> {
  const isUp = (): boolean => record.pid !== undefined && isServing(record.pid, record.socket, directory);
  const connection = oneShot(record.socket);
  // The answer to a shutdown that works is a connection that closes: whether it is gone is seen below.
  await connection.shutdown('NOSAVE').catch(() => {});
  connection.disconnect();
  for (const deadline = Date.now() + endingMs; isUp(); await delay(10)) {
    if (Date.now() < deadline) continue;
    throw new PrivateRedisError(
      `The private Redis of ${directory} (process ${record.pid}) does not end.`,
      `See redis.log in ${directory}.`,
    );
  }
  removeServerRecord(directory, record);
}

/** A connection that never comes back: a repeated SHUTDOWN would end the next server. */
function oneShot(path: string): Redis {
  const connection = new Redis({
    path,
    connectionName: `campaigns:${process.pid}:ending`,
    retryStrategy: () => null,
    disconnectTimeout: 100,
    autoResendUnfulfilledCommands: false,
    commandTimeout: endingMs,
  });
  connection.on('error', () => {});
  return connection;
}
