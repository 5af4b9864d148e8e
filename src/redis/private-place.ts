/**
 * Where a private Redis is: the folder `redis` of `DATA_DIR`, and the socket in it. No file tells this, so a copied or moved
 * folder cannot lead elsewhere.
 *
 * A socket path holds about 100 bytes. A deep folder is reached through a link of this process in the temporary folder. Its name
 * is random, so nobody can prepare it.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForeignFolderError, inspectOwnFolder } from '../fs/ownership.ts';
import { PrivateRedisError } from './errors.ts';

/** The path of a socket may take 104 bytes on macOS and 108 on Linux, including the final zero. */
const longestSocketPath = 100;
export const socketName = 'redis.sock';

export interface ServerPlace {
  /** Path without links. */
  readonly directory: string;
  readonly socket: string;
  /** Removes the link to a deep folder. */
  leave(): void;
}

/** Makes the folder, closed to other users. @throws {PrivateRedisError} if another user owns it. */
export function findPlace(dataDir: string): ServerPlace {
  mkdirSync(join(dataDir, 'redis'), { recursive: true, mode: 0o700 });
  const directory = realpathSync(join(dataDir, 'redis'));
  try {
    const mode = inspectOwnFolder(directory)?.mode ?? 0;
    if ((mode & 0o077) !== 0) chmodSync(directory, 0o700);
  } catch (error) {
    if (!(error instanceof ForeignFolderError)) throw error;
    throw new PrivateRedisError(`${error.message}.`, 'Set DATA_DIR to a folder of your own.');
  }
  const socket = join(directory, socketName);
  if (Buffer.byteLength(socket) <= longestSocketPath) return { directory, socket, leave: () => undefined };
  const link = join(tmpdir(), `campaigns-${randomBytes(12).toString('hex')}`);
  symlinkSync(directory, link);
  return { directory, socket: join(link, socketName), leave: () => rmSync(link, { force: true }) };
}
