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

export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
}

/** Makes sure that the disk of a folder has room for some bytes. @returns the room. @throws {DiskFullError} with the room that there is. */
export async function requireFreeDisk(
  folder: string,
  bytes: number,
  freeBytes: FreeBytes = freeBytesOf,
): Promise<number> {
  const free = Math.max(0, (await freeBytes(folder)) - leftFree);
  if (bytes <= free) return free;
  const why = `the disk has room for ${megabytes(free, Math.floor)}, and ${megabytes(bytes, Math.ceil)} would be added`;
  throw new DiskFullError(`less than 1 GB would stay free: ${why}`);
}

/** `1,234 MB`. */
function megabytes(bytes: number, round: (n: number) => number): string {
  return `${round(bytes / 1e6).toLocaleString('en')} MB`;
}

/** The room is looked at again after this many bytes, because others may write at the same time. */
const lookAfter = 16 * 1024 * 1024;

/** Watches the room on the disk of a folder while bytes arrive. */
export class FreeDisk {
  readonly #folder: string;
  readonly #freeBytes: FreeBytes | undefined;
  #left = 0;

  constructor(folder: string, freeBytes: FreeBytes | undefined) {
    this.#folder = folder;
    this.#freeBytes = freeBytes;
  }

  /** Call it before bytes are written. @throws {DiskFullError} if they have no room. */
  async take(bytes: number): Promise<void> {
    if (bytes > this.#left) {
      this.#left = Math.min(await requireFreeDisk(this.#folder, bytes, this.#freeBytes), lookAfter);
    }
    this.#left -= bytes;
  }
}

/** As `describeFileError`, of a folder that could not be made. */
export function describeFolderError(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a part of its path is a file';
  return code === 'EROFS' ? 'the disk is read-only' : describeFileError(error);
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
