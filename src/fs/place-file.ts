/** Puts files below a folder that others can write to, too, and removes them. Follows no link out of it, whenever it comes. */
import { type FileHandle, lstat, mkdir, rename, rmdir, unlink } from 'node:fs/promises';
import { posix } from 'node:path';
import { MisplacedFileError, OpenFolder } from './open-folder.ts';

/** A folder below another one that may itself be a link. From there on no link is followed. */
export interface FolderBelow {
  readonly root: string;
  /** Relative, with `/`, without `..`. */
  readonly below: string;
}

/** An open file, and the folder that it was opened in. */
export interface FileIn {
  readonly handle: FileHandle;
  readonly folder: OpenFolder;
  readonly name: string;
}

/**
 * Opens a folder; creates it with its parents if it is missing. The first folder below the root must be this user's own: in a folder of
 * another user, names may change at any time.
 * @throws {MisplacedFileError} for a link or a file where a folder should be; {ForeignFolderError}; errors of the file system.
 */
export async function makeFolderBelow(place: FolderBelow): Promise<OpenFolder> {
  await mkdir(place.root, { recursive: true });
  return walk(place, true);
}

/** @returns undefined if `makeFolderBelow` would create it or throw. */
export async function findFolderBelow(place: FolderBelow): Promise<OpenFolder | undefined> {
  return walk(place, false).catch(() => undefined);
}

async function walk({ root, below }: FolderBelow, make: boolean): Promise<OpenFolder> {
  let folder = await OpenFolder.open(root);
  const parts = below.split('/').filter((part) => part !== '' && part !== '.');
  for (const [depth, part] of parts.entries()) {
    await using outer = folder;
    folder = await outer.enter(part, { make });
    if (depth > 0) continue;
    try {
      await folder.requireOwn();
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
  }
  return folder;
}

/**
 * Moves an open file to its place below a folder. Creates missing folders, and replaces an existing file.
 * @param path relative to the folder, with `/`, without `..`.
 * @throws {MisplacedFileError} for a link or a file where a folder should be; errors of the file system.
 */
export async function placeFile(from: FileIn, place: FolderBelow, path: string): Promise<void> {
  await using folder = await makeFolderBelow(folderOf(place, path));
  const name = posix.basename(path);
  const there = await lstat(folder.at(name)).catch(() => undefined);
  if (there?.isDirectory()) throw new MisplacedFileError('there is a folder of this name');
  await rename(from.folder.at(from.name), folder.at(name));
  if (await folder.holds(from.handle, name)) return;
  await unlink(folder.at(name)).catch(unlessGone);
  throw new MisplacedFileError('a folder on its way was moved or replaced');
}

/** Removes a file below a folder, and then empty folders. Does nothing if the file does not exist, or is behind a link. */
export async function removePlacedFile(place: FolderBelow, path: string): Promise<void> {
  await using folder = await findFolderBelow(folderOf(place, path));
  if (folder === undefined) return;
  await unlink(folder.at(posix.basename(path))).catch(unlessGone);
  for (let inner = posix.dirname(path); inner !== '.'; inner = posix.dirname(inner)) {
    if (!(await removeEmptyFolder(place, inner))) return;
  }
}

/** Removes a folder below another if it is empty. @param path default: removes that other one. @returns whether it is gone. */
export async function removeEmptyFolder({ root, below }: FolderBelow, path = '.'): Promise<boolean> {
  const whole = posix.join(below, path);
  await using outer = await findFolderBelow({ root, below: posix.dirname(whole) });
  if (outer === undefined) return false;
  // Awaited here: the folder is closed at the end of this function.
  return await rmdir(outer.at(posix.basename(whole))).then(
    () => true,
    () => false,
  );
}

function folderOf({ root, below }: FolderBelow, path: string): FolderBelow {
  return { root, below: posix.dirname(posix.join(below, path)) };
}

function unlessGone(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
