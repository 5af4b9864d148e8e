/** Files that are there whole or not at all: written under a temporary name beside their own, synced, then renamed. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file in the making. Until `commit` nothing stands under its name, or what stood there before; `await using` removes what was written. */
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

  /** @throws the error of the file system where the folder cannot be written to. */
  static async create(path: string): Promise<AtomicFile> {
    const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
    return new AtomicFile(path, temporary, await open(temporary, 'wx'));
  }

  /** Appends. @throws the error of the file system, such as that the disk is full. */
  async write(content: string | Uint8Array): Promise<void> {
    await this.#handle.writeFile(content);
  }

  /** Brings what was written to the disk, and gives it its name; a file that has it is replaced. @throws as `write`. */
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

/** Writes a file as a whole. @throws the error of the file system; then nothing has changed. */
export async function writeAtomically(
  path: string,
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<void> {
  await using file = await AtomicFile.create(path);
  for await (const piece of content) await file.write(piece);
  await file.commit();
}
