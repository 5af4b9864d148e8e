/**
 * One process at a time may start or end the private Redis of a directory.
 *
 * The lock is that of a SQLite file, so the kernel holds it: it is gone the instant its process is, whatever killed it,
 * and there is no stale lock, reused process id or race about taking one over.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { PrivateRedisError } from './errors.ts';

const SQLITE_BUSY = 5;
const pollMs = 20;

/**
 * Runs `work` while this process holds the lock of `directory`, which must exist.
 * @param deadlineMs how long to wait for it, in milliseconds.
 * @throws {PrivateRedisError} when another process holds it for longer.
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
          `Another process has been starting or ending the Redis of ${directory} for too long.`,
          'End that process, then try again.',
        );
      }
    }
    await delay(pollMs);
  }
}
