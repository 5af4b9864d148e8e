/**
 * Atomic files: written beside the target under a temporary name, synced, then renamed. The temporary file is always new, and
 * renaming follows no link.
 */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findTarget } from './ownership.ts';

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
