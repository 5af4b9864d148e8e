/** A second user, for tests of what one user may do to another. Only root can act as both. */
import { chmodSync, chownSync } from 'node:fs';

/** A user without an entry in passwd. */
export const otherUser = { uid: 54_321, gid: 54_321 } as const;

/** Whether tests with a second user can run. */
export const isRoot = process.geteuid?.() === 0;

/** Gives a file or folder to the other user. @returns its path. */
export function giveAway(path: string): string {
  chownSync(path, otherUser.uid, otherUser.gid);
  return path;
}

/** Lets every user change a folder. @returns its path. */
export function openToAll(path: string): string {
  chmodSync(path, 0o777);
  return path;
}
