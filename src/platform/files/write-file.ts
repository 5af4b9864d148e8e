/**
 * Writes files: atomically, as new ones, or at their end; and pipes one to a reader who may have left.
 *
 * An atomic file is written beside the target under a temporary name, synced, then renamed. The temporary file is always new, and
 * renaming follows no link.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  createWriteStream,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findTarget, UnfitTargetError } from './ownership.ts';

/** A file being written. The old file, if any, stays until `commit`. Without `commit`, `await using` discards the new one. */
export class AtomicFile implements AsyncDisposable {
  readonly #path: string;
  readonly #temporary: string;
  readonly #handle: FileHandle;
  #open = true;

  private constructor(path: string, temporary: string, handle: FileHandle) {
    this.#path = path;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  /** @throws {UnfitTargetError} as `findTarget`; the error of the file system, such as a folder that cannot be written to. */
  static async create(path: string): Promise<AtomicFile> {
    const target = findTarget(path);
    const temporary = temporaryFor(target);
    return new AtomicFile(target, temporary, await open(temporary, 'wx'));
  }

  /** Appends. @throws the error of the file system, such as a full disk. */
  async write(content: string | Uint8Array): Promise<void> {
    await this.#handle.writeFile(content);
  }

  /** Syncs the content to disk and gives the file its name, replacing an older file. @throws as `write`. */
  async commit(): Promise<void> {
    await this.#handle.sync();
    await this.#close();
    await rename(this.#temporary, this.#path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    await rm(this.#temporary, { force: true });
  }

  async #close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#handle.close();
  }
}

/** Writes a whole file. @throws as `AtomicFile.create` and `write`; then nothing has changed. */
export async function writeAtomically(
  path: string,
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<void> {
  await using file = await AtomicFile.create(path);
  for await (const piece of content) await file.write(piece);
  await file.commit();
}

/** As `writeAtomically`, for a short text, without syncing it to disk. */
export function writeAtomicallySync(path: string, content: string): void {
  const target = findTarget(path);
  const temporary = temporaryFor(target);
  try {
    writeFileSync(temporary, content, { flag: 'wx' });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function temporaryFor(target: string): string {
  return join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
}

/**
 * Writes a stream into a new file, which nobody else may read. Settles once the file is closed: a stream that fails at its start fails before its file is opened, and the file would come after whoever
 * cleans up.
 * @param highWaterMark bytes that are written at once.
 * @throws what `write` throws; errors of the file system, also for a file that is there.
 */
export async function writeNewFile(
  path: string,
  write: (file: Writable) => Promise<void>,
  { highWaterMark }: { readonly highWaterMark?: number } = {},
): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, ...(highWaterMark && { highWaterMark }) });
  const closed = new Promise<void>((resolve) => void file.once('close', resolve));
  try {
    await write(file);
  } finally {
    await closed;
  }
}

/** Flags of `openToAppend`. Never follows a link, and never blocks on a pipe, that appears between the check and the opening. */
const appending =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Creates it and its folder if missing. @returns the descriptor. @throws {UnfitTargetError} as `findTarget`; file system errors. */
export function openToAppend(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  const descriptor = openSync(findTarget(path), appending, 0o666);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new UnfitTargetError('this is not a file; name another one');
}

/** As `mkdir` with `recursive`, which never returns on file systems such as /proc. @throws errors of the system. */
export async function makeFolders(path: string): Promise<void> {
  if (existsSync(path)) return;
  if (dirname(path) !== path) await makeFolders(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Closes it in any case: `pipeline` by itself leaves it open if the target has ended before. @throws errors of both streams. */
export async function pipeFile(
  file: Readable,
  to: Writable,
  options: { readonly end?: boolean } = {},
): Promise<void> {
  try {
    await pipeline(file, to, options);
  } finally {
    file.destroy();
  }
}
