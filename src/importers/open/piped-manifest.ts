/** Stores the bytes of a sheet in a file, because a sheet is read more than once. */
import { rmdirSync, rmSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describeSize } from '../../manifest/printable.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeFileError, type FreeBytes, FreeDisk } from '../../platform/files/disk.ts';
import { writeNewFile } from '../../platform/files/write-file.ts';

/** Prefix of the names of folders, each of which has one file. */
const folderPrefix = 'campaigns-manifest-';
const fileName = 'manifest';
/** Older folders were left behind by a killed process. */
const leftoverMs = 24 * 3600 * 1000;
/** Pieces are collected up to this size, because each write is a trip to the disk. Bytes. */
const writtenAtOnce = 1024 * 1024;

export interface PipeOptions {
  /** Largest manifest, in bytes. */
  readonly maxBytes: number;
  /** Folder for the file, which is made; the temporary folder unless given. */
  readonly folder?: string | undefined;
  /** What to do if the folder cannot take it. */
  readonly fix?: string | undefined;
  /** Free bytes of the file system of a folder. */
  readonly freeBytes?: FreeBytes | undefined;
  /** Receives a function that removes the stored bytes, to call if a signal ends the process. Disposed once they are removed. */
  readonly guard?: ((remove: () => void) => Disposable) | undefined;
}

export interface PipedManifest {
  readonly path: string;
  readonly bytes: number;
  /** Removes the file and its folder. Synchronous, because a signal may be about to end the process. */
  remove(): void;
}

/**
 * Stores the bytes of a pipe in a file that only this user can read, in a folder of its own.
 * @param options.name of the pipe in messages.
 * @throws {UseCaseError} `manifest_unreadable` if there are too many, or the pipe or the disk fails.
 */
export async function storePipe(
  pipe: AsyncIterable<Uint8Array>,
  {
    folder = tmpdir(),
    fix = 'Make room there, name another folder in TMPDIR, or give the sheet as a file.',
    guard,
    ...options
  }: PipeOptions & { readonly name: string },
): Promise<PipedManifest> {
  await removeLeftovers(folder);
  const own = await makeOwnFolder(folder).catch((error: unknown) => {
    throw notStored(folder, error, fix);
  });
  const path = join(own, fileName);
  const removeFiles = () => {
    rmSync(path, { force: true });
    try {
      rmdirSync(own);
    } catch {
      // Removed before, by a signal.
    }
  };
  const guarded = guard?.(removeFiles);
  const remove = () => {
    removeFiles();
    guarded?.[Symbol.dispose]();
  };
  try {
    return { path, bytes: await storeSheet(path, pipe, options), remove };
  } catch (error) {
    remove();
    throw error instanceof UseCaseError ? error : notStored(folder, error, fix);
  }
}

async function makeOwnFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return mkdtemp(join(folder, folderPrefix));
}

/**
 * Writes the bytes of a sheet into a new file as they arrive.
 * @param options.name of the sheet in messages.
 * @returns their number.
 * @throws {UseCaseError} `manifest_unreadable` if there are too many; {DiskFullError}; errors of the stream and of the file system.
 */
async function storeSheet(
  path: string,
  stream: AsyncIterable<Uint8Array>,
  { name, maxBytes, freeBytes }: Pick<PipeOptions, 'maxBytes' | 'freeBytes'> & { readonly name: string },
): Promise<number> {
  const room = new FreeDisk(dirname(path), freeBytes);
  let bytes = 0;
  async function* bounded() {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw sheetTooLarge(name, maxBytes);
      await room.take(chunk.length);
      yield chunk;
    }
  }
  await writeNewFile(path, (file) => pipeline(bounded, file), { highWaterMark: writtenAtOnce });
  return bytes;
}

export function sheetTooLarge(name: string, maxBytes: number): UseCaseError {
  const problem = `${name} is over the limit of ${describeSize(maxBytes)}`;
  return new UseCaseError('manifest_unreadable', problem, {
    fix: [
      'Split the sheet, or ask an operator to raise the limit.',
      hint('setting', { name: 'manifest.maxBytes' }),
    ],
  });
}

function notStored(folder: string, error: unknown, fix: string): UseCaseError {
  const problem = `the sheet cannot be stored in ${folder}: ${describeFileError(error)}`;
  return new UseCaseError('manifest_unreadable', problem, { fix, cause: error });
}

/** Removes folders of this user that a killed process left behind. Ignores failures. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(folderPrefix)) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    if (Date.now() - found.mtimeMs < leftoverMs) continue;
    await unlink(join(path, fileName)).catch(() => undefined);
    await rmdir(path).catch(() => undefined);
  }
}
