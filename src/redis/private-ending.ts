/** Finds who still uses a private Redis, and ends it. The caller holds the lock of the directory. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { PrivateRedisError } from './errors.ts';
import { isServing, removeServerRecord, type ServerRecord } from './private-process.ts';

const endingMs = 30_000;
const clientName = /\bname=campaigns:(?<pid>\d+):(?<purpose>\S*)/;

/** A unique purpose for an anchor: the connection by which a process shows that it needs the server. */
export function anchorPurpose(): string {
  return `anchor.${randomUUID()}`;
}

/**
 * Reads the users from `CLIENT LIST`. A counter could be wrong after a crash; a connection always ends with its process.
 * @param own purpose of the anchor that asks; another anchor of this process counts as another user.
 * @returns the ids of their processes; undefined when the server does not answer.
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
  const connection = oneShot(record.socket);
  // A shutdown that works closes the connection without an answer. The loop below sees whether the server is gone.
  await connection.shutdown('NOSAVE').catch(() => {});
  connection.disconnect();
  for (const deadline = Date.now() + endingMs; isServing(record, directory); await delay(10)) {
    if (Date.now() < deadline) continue;
    throw new PrivateRedisError(
      `The private Redis of ${directory} (process ${record.pid}) does not end.`,
      `See redis.log in ${directory}.`,
    );
  }
  removeServerRecord(directory, record);
}

/** A connection that never reconnects: a repeated SHUTDOWN would end the next server. */
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
