/** Free space of disks. */
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
