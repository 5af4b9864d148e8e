/**
 * The place of a private Redis: the folder `redis` of `DATA_DIR`, and the socket in it. No file records this, so a copied or
 * moved folder cannot lead elsewhere.
 *
 * A socket path holds about 100 bytes. A deep folder is reached through a link of this process in the temporary folder. Its name
 * is random, so nobody can prepare it.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFolderError } from '../../files/disk.ts';
import { FileLockedError, withFileLock } from '../../files/file-lock.ts';
import { ForeignFolderError, inspectOwnFolder } from '../../files/ownership.ts';
import { PrivateRedisError } from '../errors.ts';

/** Longest path of a socket. The limit is 104 bytes on macOS and 108 on Linux, including the final zero. */
const longestSocketPath = 100;
export const socketName = 'redis.sock';
/** The record of the server: a symbolic link that leads nowhere, as its text is a process id. */
export const recordName = 'server.pid';

export interface ServerPlace {
  /** Path without links. */
  readonly directory: string;
  readonly socket: string;
  /** Removes the link to a deep folder. */
  leave(): void;
}

/** Creates the folder, closed to other users. @throws {PrivateRedisError} if it cannot, if another user owns it, or for a link in it. */
export function findPlace(dataDir: string): ServerPlace {
  const directory = makeFolder(dataDir);
  try {
    const mode = inspectOwnFolder(directory)?.mode ?? 0;
    if ((mode & 0o077) !== 0) chmodSync(directory, 0o700);
  } catch (error) {
    if (!(error instanceof ForeignFolderError)) throw error;
    throw new PrivateRedisError(`${error.message}.`, 'Set DATA_DIR to a folder of your own.');
  }
  refuseLinks(directory);
  const socket = join(directory, socketName);
  if (Buffer.byteLength(socket) <= longestSocketPath) return { directory, socket, leave: () => undefined };
  const link = join(tmpdir(), `campaigns-${randomBytes(12).toString('hex')}`);
  symlinkSync(directory, link);
  return { directory, socket: join(link, socketName), leave: () => rmSync(link, { force: true }) };
}

function makeFolder(dataDir: string): string {
  try {
    mkdirSync(join(dataDir, 'redis'), { recursive: true, mode: 0o700 });
  } catch (error) {
    const problem = `The data folder ${dataDir} cannot be used: ${describeFolderError(error)}.`;
    throw new PrivateRedisError(problem, 'Set DATA_DIR to a folder that this user may write to.');
  }
  return realpathSync(join(dataDir, 'redis'));
}

/** Refuses links: in a copied folder, they could lead to the server or data of another folder. @throws {PrivateRedisError} */
function refuseLinks(directory: string): void {
  const link = readdirSync(directory, { withFileTypes: true }).find(
    (entry) => entry.isSymbolicLink() && entry.name !== recordName,
  );
  if (!link) return;
  throw new PrivateRedisError(
    `${join(directory, link.name)} is a symbolic link, which could lead to the data of another folder.`,
    'Replace the link with the data it points to, or set DATA_DIR to the folder that holds the data.',
  );
}

/** @param directory must exist. @param deadlineMs how long to wait. @throws {PrivateRedisError} when the lock is not free by then. */
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
