/** A lock that one process at a time may hold on a directory, to start or end the private Redis there. */
import { join } from 'node:path';
import { FileLockedError, withFileLock } from '../../fs/file-lock.ts';
import { PrivateRedisError } from '../errors.ts';

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
  try {
    return await withFileLock(join(directory, 'start.lock'), deadlineMs, work);
  } catch (error) {
    if (!(error instanceof FileLockedError)) throw error;
    throw new PrivateRedisError(
      `Another process is starting or ending the private Redis of ${directory}, and does not finish.`,
      'End that process, then try again.',
    );
  }
}
