/** Disks: free space, and errors of the file system in plain words. */
import { statfs } from 'node:fs/promises';

/** Reads the bytes that are free on the disk of a folder. */
export type FreeBytes = (folder: string) => Promise<number>;

/** Bytes that uploads must leave free, because Redis may write to the same disk. */
const leftFree = 1e9;

export const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

export class RoomError extends Error {
  override readonly name = 'RoomError';
}

/** Makes sure that the disk of a folder has room for some bytes. @throws {RoomError} with the room that there is. */
export async function requireRoom(
  folder: string,
  bytes: number,
  freeBytes: FreeBytes = freeBytesOf,
): Promise<void> {
  const room = Math.max(0, (await freeBytes(folder)) - leftFree);
  if (bytes > room) throw new RoomError(`the disk has room for ${room} bytes, and ${bytes} are to come`);
}

/** Whether the error says that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Describes a file system error in plain words; any other error by its own message. */
export function describeFileError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file';
    case 'EISDIR':
      return 'this is a folder; name a file';
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read or written: check its permissions';
    case 'ENOSPC':
      return 'the disk is full';
    default:
      return message;
  }
}
