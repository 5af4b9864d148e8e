/** Puts files below a folder that others can write to, too, and removes them. Follows no link out of it, whenever it comes. */
import { constants, existsSync, readlinkSync } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, realpath, rename, rmdir, unlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { ForeignFolderError } from './ownership.ts';

/** A folder below another one that may itself be a link. From there on no link is followed. */
export interface FolderBelow {
  readonly root: string;
  /** Relative, with `/`, without `..`. */
  readonly below: string;
}

/** An open file, and the folder that it was opened in. */
interface FileIn {
  readonly handle: FileHandle;
  readonly folder: OpenFolder;
  readonly name: string;
}

/**
 * Opens a folder; creates it with its parents if it is missing, but not the root, which may be a share that is not mounted. The first
 * folder below the root must be this user's own: in a folder of another user, names may change at any time.
 * @throws {MisplacedFileError} for a link or a file where a folder should be; {ForeignFolderError}; errors of the file system.
 */
export async function makeFolderBelow(place: FolderBelow): Promise<OpenFolder> {
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
  throw new MisplacedFileError('a folder of its path was moved or replaced');
}

const reading = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const writing = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** Bytes. */
const copiedAtOnce = 1024 * 1024;

/**
 * Whole or not at all, also if others copy a file of this name at the same time.
 * @param by who copies: one copy at a time. After a crash, the next one restarts in the same temporary file.
 * @returns false if something of this name is there. @throws as `makeFolderBelow`.
 */
export async function copyPlacedFile(
  from: FolderBelow,
  to: FolderBelow,
  path: string,
  by: string,
): Promise<boolean> {
  const name = posix.basename(path);
  const temporary = `.${by}.incoming`;
  await using source = await walk(folderOf(from, path), false);
  await using file = await open(source.at(name), reading);
  await using folder = await makeFolderBelow(folderOf(to, path));
  await using copy = await open(folder.at(temporary), writing, 0o644);
  try {
    for (const buffer = Buffer.allocUnsafe(copiedAtOnce); ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      await copy.writeFile(buffer.subarray(0, bytesRead));
    }
    await copy.sync();
    await link(folder.at(temporary), folder.at(name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await unlink(folder.at(temporary)).catch(unlessGone);
  }
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

/** Fails for a link, and for whatever is not a folder. */
const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const writableByOthers = 0o022;

const descriptors = '/proc/self/fd';
let hasDescriptors: boolean | undefined;

/** A file cannot be put there. The message is a clause. */
export class MisplacedFileError extends Error {
  override readonly name = 'MisplacedFileError';
  /** As in errors of the file system. */
  readonly syscall = 'rename';
}

/**
 * A folder that stays the same while others rename it or put links in its place: names in it are resolved by its descriptor, not by its
 * path. Systems without `/proc/self/fd` (all but Linux) resolve its path instead, which leaves a moment for somebody who can write there.
 */
export class OpenFolder implements AsyncDisposable {
  /** Where it was when it was opened, without links. */
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** Follows links: only what is below is guarded. @throws errors of the file system. */
  static async open(path: string): Promise<OpenFolder> {
    const real = await realpath(path);
    return new OpenFolder(real, await open(real, flags));
  }

  /** Path of a name in this folder. It holds only while the folder is open. */
  at(name: string): string {
    hasDescriptors ??= existsSync(descriptors);
    return hasDescriptors ? `${descriptors}/${this.#handle.fd}/${name}` : join(this.path, name);
  }

  /** @param options `make`: creates it if it is missing. @throws {MisplacedFileError} for a link or a file; file system errors. */
  async enter(name: string, { make = false } = {}): Promise<OpenFolder> {
    if (make) await mkdir(this.at(name), { mode: 0o755 }).catch(unlessThere);
    try {
      return new OpenFolder(join(this.path, name), await open(this.at(name), flags));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error;
      throw new MisplacedFileError(`${name} is a link or a file there, not a folder`);
    }
  }

  /** Whether an open file is in this folder under a name, and the folder is where it was. */
  async holds({ fd }: FileHandle, name: string): Promise<boolean> {
    const target = join(this.path, name);
    return (placeOf(fd) ?? (await realpath(target))) === target;
  }

  /** @throws {ForeignFolderError} if it belongs to another user, or others may change it. */
  async requireOwn(): Promise<void> {
    const { uid, mode } = await this.#handle.stat();
    if (uid !== (process.geteuid?.() ?? uid)) {
      throw new ForeignFolderError(`${this.path} belongs to another user (id ${uid})`);
    }
    if ((mode & writableByOthers) !== 0) {
      throw new ForeignFolderError(`other users may write to ${this.path}: close it with chmod go-w`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

/** The path of an open file by its descriptor; undefined except on Linux. Node has no call for that of macOS (`F_GETPATH`). */
export function placeOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`${descriptors}/${descriptor}`);
  } catch {
    return undefined;
  }
}

function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}
