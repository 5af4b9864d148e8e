/**
 * A lock that one process at a time may hold on a directory, to start or end the private Redis there.
 *
 * It is the lock of a SQLite file, so the kernel holds it and drops it when its process ends, however that happens. So
 * there are no stale locks and no reused process ids.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { PrivateRedisError } from './errors.ts';

const SQLITE_BUSY = 5;
const pollMs = 20;

/**
 * Runs `work` while holding the lock of `directory`, which must exist.
 * @param deadlineMs how long to wait for the lock, in milliseconds.
 * @throws {PrivateRedisError} when it is not free by then.
 */
export async function withDirectoryLock<T>(
  directory: string,
  deadlineMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const database = new DatabaseSync(join(directory, 'start.lock'), { timeout: 0 });
  try {
    await beginExclusive(database, directory, Date.now() + deadlineMs);
    return await work();
  } finally {
    database.close();
  }
}

async function beginExclusive(database: DatabaseSync, directory: string, deadline: number): Promise<void> {
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
      if (Date.now() > deadline) {
        throw new PrivateRedisError(
          `Another process is starting or ending the private Redis of ${directory}, and does not finish.`,
          'End that process, then try again.',
        );
      }
    }
    await delay(pollMs);
  }
}
