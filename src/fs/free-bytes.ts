/** How much room a disk has. */
import { statfs } from 'node:fs/promises';

/** Reads the bytes that are free on the disk of a folder. */
export type FreeBytes = (folder: string) => Promise<number>;

export const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};
