/**
 * A lock on a file, held by one process at a time.
 *
 * It is the lock of a SQLite file. The kernel releases it when its process ends in any way, so there are no stale locks and no
 * reused process ids.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const SQLITE_BUSY = 5;
const pollMs = 20;

export class FileLockedError extends Error {
  override readonly name = 'FileLockedError';
}

/** @param deadlineMs how long to wait for the lock. @throws {FileLockedError} when it is not free by then; an error of SQLite. */
export async function withFileLock<T>(path: string, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    await beginExclusive(database, path, Date.now() + deadlineMs);
    return await work();
  } finally {
    database.close();
  }
}

async function beginExclusive(database: DatabaseSync, path: string, deadline: number): Promise<void> {
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
      if (Date.now() > deadline) throw new FileLockedError(`another process holds ${path}`);
    }
    await delay(pollMs);
  }
}
