/** Folders that nobody else may have prepared for us. */
import { lstatSync, type Stats } from 'node:fs';

/** A path that belongs to another user, or is no folder. */
export class ForeignFolderError extends Error {
  override readonly name = 'ForeignFolderError';
}

/**
 * Looks at a folder without following a link.
 * @returns undefined if there is nothing.
 * @throws {ForeignFolderError} unless it belongs to this user. Users are compared by number: some have no name.
 */
export function inspectOwnFolder(path: string): Stats | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const own = process.geteuid?.() ?? found?.uid;
  if (found && found.uid !== own) {
    throw new ForeignFolderError(`${path} belongs to another user (id ${found.uid}, and this is ${own})`);
  }
  return found;
}
