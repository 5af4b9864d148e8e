/**
 * A folder that stays the same while others rename it or put links in its place: names in it are resolved by its descriptor, not by its
 * path. Systems without `/proc/self/fd` (all but Linux) resolve its path instead, which leaves a moment for somebody who can write there.
 */
import { constants, existsSync, readlinkSync } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ForeignFolderError } from './ownership.ts';

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

  /**
   * Opens a folder in this one.
   * @param options `make`: creates it if it is missing.
   * @throws {MisplacedFileError} for a link or a file; errors of the file system.
   */
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

/** The path of an open file by its descriptor; undefined if the system cannot tell. */
function placeOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`${descriptors}/${descriptor}`);
  } catch {
    return undefined;
  }
}

function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}
