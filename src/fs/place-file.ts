/** Puts files below a folder that others may write to as well: no link is followed out of it. */
import { readlinkSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, realpath, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file cannot be put there. The message is a clause. */
export class MisplacedFileError extends Error {
  override readonly name = 'MisplacedFileError';
  /** As errors of the file system have it. */
  readonly syscall = 'rename';
}

/**
 * Moves an open file to its place below the root, and makes the folders on the way. A file that is there is replaced.
 * @param path relative to the root, with `/`, without `..`.
 * @throws {MisplacedFileError} for a link or a file where a folder should be; errors of the file system.
 */
export async function placeFile(
  { handle, path: from }: { readonly handle: FileHandle; readonly path: string },
  root: string,
  path: string,
): Promise<void> {
  const real = await realpath(root);
  const parts = path.split('/');
  let folder = real;
  for (const part of parts.slice(0, -1)) {
    folder = join(folder, part);
    await mkdir(folder, { mode: 0o755 }).catch(unlessThere);
    if (!(await lstat(folder)).isDirectory())
      throw new MisplacedFileError(`${part} is a link or a file there, not a folder`);
  }
  const target = join(real, ...parts);
  const there = await lstat(target).catch(() => undefined);
  if (there?.isDirectory()) throw new MisplacedFileError('there is a folder of this name');
  await rename(from, target);
  // A folder may have become a link at this very moment: the descriptor tells where the file has gone.
  const gone = placeOf(handle) ?? (await realpath(target));
  if (gone === target) return;
  await unlink(gone);
  throw new MisplacedFileError('a folder on its way became a link');
}

/** Removes a file below the root, and the folders that it leaves empty. What is not there is left. */
export async function removePlacedFile(root: string, path: string): Promise<void> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return;
  const target = join(real, ...path.split('/'));
  const folder = await realpath(dirname(target)).catch(() => undefined);
  // Behind a link is no file of ours.
  if (folder !== dirname(target)) return;
  await unlink(target).catch(unlessGone);
  await removeEmptyFolders(real, folder);
}

/** Removes a folder below the root if it is empty, and so on upwards. The root stays. */
async function removeEmptyFolders(root: string, from: string): Promise<void> {
  for (let folder = from; folder.startsWith(`${root}/`); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}

/** The path of an open file, where the system tells it by the descriptor (Linux). */
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
