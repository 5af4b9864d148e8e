/** Files under the media root, and nothing else: no way out by `..`, by an absolute path or by a symbolic link. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { MediaError } from './errors.ts';

export interface LocalFile {
  /** Every symbolic link resolved. */
  readonly absolutePath: string;
  /** Bytes. */
  readonly size: number;
  /** Changes with the file: device, inode, size and time of the last change. */
  readonly identity: string;
}

export interface OpenedFile extends LocalFile {
  readonly handle: FileHandle;
}

/** A name is looked at without being opened: a device or a pipe may do something, or block, when it is. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Looks at a regular file under the media root, without opening it.
 * @param path absolute, or relative to the root.
 * @throws {MediaError} `media_missing`, `media_outside_root`, `media_not_regular` or `media_unreadable`.
 */
export async function inspectLocal(path: string, mediaRoot: string): Promise<LocalFile> {
  const absolutePath = await resolveInside(path, mediaRoot);
  return describe(absolutePath, path, await reading(path, lstat(absolutePath, { bigint: true })));
}

/**
 * Opens a regular file under the media root. The caller closes the handle.
 * @throws {MediaError} as `inspectLocal`.
 */
export async function openLocal(path: string, mediaRoot: string): Promise<OpenedFile> {
  const { absolutePath } = await inspectLocal(path, mediaRoot);
  const handle = await reading(path, open(absolutePath, flags));
  try {
    const file = describe(absolutePath, path, await handle.stat({ bigint: true }));
    return { ...file, handle };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The identity of an open file as it is now. */
export async function identityOf(handle: FileHandle): Promise<string> {
  return formatIdentity(await handle.stat({ bigint: true }));
}

async function resolveInside(path: string, mediaRoot: string): Promise<string> {
  if (path.includes('\0')) throw new MediaError('media_missing', 'The path holds a NUL character.', path);
  const candidate = resolve(mediaRoot, path);
  // Asked before the file system is, so that nothing can be learned about what lies outside.
  if (!isInside(candidate, resolve(mediaRoot))) throw outside(path);
  const [root, real] = await Promise.all([
    reading(mediaRoot, realpath(mediaRoot)),
    reading(path, realpath(candidate)),
  ]);
  if (!isInside(real, root)) throw outside(path);
  return real;
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(path: string): MediaError {
  return new MediaError('media_outside_root', 'The path leads out of the media root.', path);
}

interface Stats {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  isFile(): boolean;
}

function describe(absolutePath: string, path: string, stats: Stats): LocalFile {
  if (!stats.isFile()) throw new MediaError('media_not_regular', 'This is not a regular file.', path);
  return { absolutePath, size: Number(stats.size), identity: formatIdentity(stats) };
}

function formatIdentity({ dev, ino, size, mtimeNs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}`;
}

async function reading<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') {
      throw new MediaError('media_missing', 'There is no such file.', path, error);
    }
    // ELOOP: links in a circle, or a link that was put in the file's place in this very moment.
    if (code === 'ELOOP')
      throw new MediaError('media_not_regular', 'The links do not lead to a file.', path, error);
    if (code === 'EACCES' || code === 'EPERM') {
      throw new MediaError('media_unreadable', 'The file may not be read.', path, error);
    }
    throw error;
  }
}
