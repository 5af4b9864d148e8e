/** Stores the bytes of a pipe in a file, because a manifest is read more than once. */
import { rmdirSync, rmSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type FreeBytes, freeBytesOf } from '../../fs/disk.ts';
import { writeNewFile } from '../../fs/write-file.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';

/** Prefix of the names of folders, each of which has one file. */
const folderPrefix = 'campaigns-manifest-';
const fileName = 'manifest';
/** Older folders were left behind by a killed process. */
const leftoverMs = 24 * 3600 * 1000;
/** Room to leave for others in the temporary folder. Bytes. */
const leastFree = 1024 ** 3;
/** The room is checked again after this many bytes, because others may write at the same time. */
const checkEvery = 16 * 1024 ** 2;

/** How the bytes of a pipe are stored. */
export interface PipeOptions {
  /** Largest manifest, in bytes. */
  readonly maxBytes: number;
  /** Folder for the file; the temporary folder unless given. */
  readonly folder?: string | undefined;
  /** Free bytes of the file system of a folder. */
  readonly freeBytes?: FreeBytes | undefined;
}

export interface PipedManifest {
  readonly path: string;
  /** Removes the file and its folder. Synchronous, because a signal may be about to end the process. */
  remove(): void;
}

/**
 * Makes a file that only this user can read, in a folder of its own. `fill` writes it.
 * @throws {UseCaseError} `manifest_unreadable` if the folder cannot be made.
 */
export async function createPipedManifest({ folder = tmpdir() }: PipeOptions): Promise<PipedManifest> {
  await removeLeftovers(folder);
  const own = await mkdtemp(join(folder, folderPrefix)).catch((error: unknown) => {
    throw notStored(folder, (error as Error).message, error);
  });
  const path = join(own, fileName);
  return {
    path,
    remove() {
      rmSync(path, { force: true });
      try {
        rmdirSync(own);
      } catch {
        // Removed before, by a signal.
      }
    },
  };
}

/** @throws {UseCaseError} `manifest_unreadable` if the pipe has too many bytes, or too little room would be left. */
export async function fill(
  path: string,
  pipe: Readable,
  options: PipeOptions & { readonly name: string },
): Promise<void> {
  const { folder = tmpdir() } = options;
  try {
    await writeNewFile(path, (file) => pipeline(pipe, (chunks) => bounded(chunks, options), file));
  } catch (error) {
    throw error instanceof UseCaseError ? error : notStored(folder, (error as Error).message, error);
  }
}

export function manifestTooLarge(name: string, maxBytes: number): UseCaseError {
  const megabytes = Math.floor(maxBytes / 1024 ** 2);
  return new UseCaseError('manifest_unreadable', `${name}: the sheet is over the limit of ${megabytes} MB`, {
    cure: [
      'Split the sheet, or ask an operator to raise the limit.',
      hint('setting', { name: 'manifest.maxBytes' }),
    ],
  });
}

async function* bounded(
  chunks: AsyncIterable<Buffer>,
  { name, maxBytes, folder = tmpdir(), freeBytes = freeBytesOf }: PipeOptions & { readonly name: string },
): AsyncGenerator<Buffer> {
  let received = 0;
  let mayWrite = 0;
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > maxBytes) throw manifestTooLarge(name, maxBytes);
    if (mayWrite < chunk.length) mayWrite = Math.min((await freeBytes(folder)) - leastFree, checkEvery);
    if (mayWrite < chunk.length) {
      throw new UseCaseError(
        'manifest_unreadable',
        `the sheet cannot be stored in ${folder}: less than 1 GB would stay free`,
        {
          cure: 'Make room there, name another folder in TMPDIR, or give the sheet as a file.',
        },
      );
    }
    mayWrite -= chunk.length;
    yield chunk;
  }
}

function notStored(folder: string, why: string, cause: unknown): UseCaseError {
  return new UseCaseError('manifest_unreadable', `the sheet cannot be stored in ${folder}: ${why}`, {
    cause,
  });
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
