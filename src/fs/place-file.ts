/** Puts files below a folder that others can write to, too. Follows no link out of it. */
import { readlinkSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, realpath, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

/** A file cannot be put there. The message is a clause. */
export class MisplacedFileError extends Error {
  override readonly name = 'MisplacedFileError';
  /** As in errors of the file system. */
  readonly syscall = 'rename';
}

/** A folder below another one that may itself be a link. From there on no link is followed. */
export interface FolderBelow {
  readonly root: string;
  /** Relative, with `/`, without `..`. */
  readonly below: string;
}

/**
 * Creates a folder with its parents.
 * @returns its path without links.
 * @throws {MisplacedFileError} for a link or a file where a folder should be; errors of the file system.
 */
export async function makeFolderBelow({ root, below }: FolderBelow): Promise<string> {
  await mkdir(root, { recursive: true });
  let folder = await realpath(root);
  for (const part of below.split('/')) {
    folder = join(folder, part);
    await mkdir(folder, { mode: 0o755 }).catch(unlessThere);
    if (!(await lstat(folder)).isDirectory())
      throw new MisplacedFileError(`${part} is a link or a file there, not a folder`);
  }
  return folder;
}

/**
 * Moves an open file to its place below a folder. Creates missing folders, and replaces an existing file.
 * @param path relative to the folder, with `/`, without `..`.
 * @throws {MisplacedFileError} for a link or a file where a folder should be; errors of the file system.
 */
export async function placeFile(
  { handle, path: from }: { readonly handle: FileHandle; readonly path: string },
  { root, below }: FolderBelow,
  path: string,
): Promise<void> {
  const folder = await makeFolderBelow({ root, below: posix.dirname(posix.join(below, path)) });
  const target = join(folder, posix.basename(path));
  const there = await lstat(target).catch(() => undefined);
  if (there?.isDirectory()) throw new MisplacedFileError('there is a folder of this name');
  await rename(from, target);
  // A folder may just have become a link: the descriptor shows where the file is now.
  const gone = placeOf(handle) ?? (await realpath(target));
  if (gone === target) return;
  await unlink(gone);
  throw new MisplacedFileError('a folder on its way became a link');
}

/**
 * Whether an open file is really at its path: no folder between the root and the file is a link.
 * @param path relative to the folder.
 */
export async function isBelow(
  handle: FileHandle,
  { root, below }: FolderBelow,
  path: string,
): Promise<boolean> {
  const target = join(await realpath(root), ...below.split('/'), ...path.split('/'));
  return (placeOf(handle) ?? (await realpath(target))) === target;
}

/** Removes a file below a folder, and then empty folders. Does nothing if the file does not exist. */
export async function removePlacedFile(place: FolderBelow, path: string): Promise<void> {
  const folder = await findFolderBelow(place);
  if (folder === undefined) return;
  const target = join(folder, ...path.split('/'));
  // A file behind a link is not ours.
  if ((await realpath(dirname(target)).catch(() => undefined)) !== dirname(target)) return;
  await unlink(target).catch(unlessGone);
  await removeEmptyFolders(folder, dirname(target));
}

/** @returns the path of a folder without links; undefined if it is not there, or behind a link below the root. */
export async function findFolderBelow({ root, below }: FolderBelow): Promise<string | undefined> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return undefined;
  const folder = join(real, ...below.split('/'));
  return (await realpath(folder).catch(() => undefined)) === folder ? folder : undefined;
}

/** Removes a folder below the root if it is empty, then its empty parents. The root stays. */
async function removeEmptyFolders(root: string, from: string): Promise<void> {
  for (let folder = from; folder.startsWith(`${root}/`); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}

/** The path of an open file by its descriptor; undefined if the system (other than Linux) cannot tell. */
function placeOf({ fd }: FileHandle): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

function unlessGone(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
