/** Ending a private Redis: who still uses it, and the way to its end. The caller holds the lock of the directory. */
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { PrivateRedisError } from './errors.ts';
import { isServing, removeServerRecord, type ServerRecord } from './private-process.ts';

/** Purpose of the connection by which a process shows that it needs the server. */
export const ANCHOR = 'anchor';

const endingMs = 30_000;
const clientName = /\bname=campaigns:(?<pid>\d+):(?<purpose>\S*)/;

/**
 * The ids of the processes that use the server. `CLIENT LIST` tells, not a counter: a connection ends with its process.
 * @param anchor id of the connection that asks; another anchor of this very process counts as another user.
 */
export async function otherUsers(socket: string, anchor: number | undefined): Promise<number[]> {
  const connection = oneShot(socket);
  try {
    const list = String(await connection.client('LIST'));
    return list.split('\n').flatMap((line) => {
      const pid = Number(clientName.exec(line)?.groups?.pid);
      if (Number.isNaN(pid)) return [];
      if (pid !== process.pid) return [pid];
      const isOtherAnchor =
        clientName.exec(line)?.groups?.purpose === ANCHOR && !line.startsWith(`id=${anchor} `);
      return isOtherAnchor ? [pid] : [];
    });
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
