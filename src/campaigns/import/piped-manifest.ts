/** Stores the bytes of a sheet in a file, because a sheet is read more than once. */
import { rmdirSync, rmSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describeFileError, type FreeBytes, RoomError, RoomWatch } from '../../fs/disk.ts';
import { writeNewFile } from '../../fs/write-file.ts';
import { describeSize } from '../../manifest/presentable.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';

/** Prefix of the names of folders, each of which has one file. */
const folderPrefix = 'campaigns-manifest-';
const fileName = 'manifest';
/** Older folders were left behind by a killed process. */
const leftoverMs = 24 * 3600 * 1000;
/** Pieces are collected up to this size, because each write is a trip to the disk. Bytes. */
const writtenAtOnce = 1024 * 1024;
const roomCure = 'Make room there, name another folder in TMPDIR, or give the sheet as a file.';

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
 * Makes a file that only this user can read, in a folder of its own. `storeSheet` writes it.
 * @throws {UseCaseError} `manifest_unreadable` if the folder cannot be made.
 */
export async function createPipedManifest({ folder = tmpdir() }: PipeOptions): Promise<PipedManifest> {
  await removeLeftovers(folder);
  const own = await mkdtemp(join(folder, folderPrefix)).catch((error: unknown) => {
    throw asNotStored(error, folder, roomCure);
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

/** The bytes of a sheet, and its bounds. */
export interface StoreOptions extends Pick<PipeOptions, 'maxBytes' | 'freeBytes'> {
  /** Name of the sheet in messages. */
  readonly name: string;
  /** What helps if the disk is full, or the folder cannot be written to. */
  readonly cure?: string | undefined;
}

/**
 * Writes the bytes of a sheet into a new file as they arrive.
 * @returns their number.
 * @throws {UseCaseError} `manifest_unreadable` if there are too many, or they cannot be stored; errors of the stream.
 */
export async function storeSheet(
  path: string,
  stream: AsyncIterable<Uint8Array>,
  { name, maxBytes, freeBytes, cure = roomCure }: StoreOptions,
): Promise<number> {
  const folder = dirname(path);
  const room = new RoomWatch(folder, freeBytes);
  let bytes = 0;
  async function* bounded() {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw sheetTooLarge(name, maxBytes);
      await room.take(chunk.length);
      yield chunk;
    }
  }
  try {
    await writeNewFile(path, (file) => pipeline(bounded, file), { highWaterMark: writtenAtOnce });
  } catch (error) {
    throw asNotStored(error, folder, cure);
  }
  return bytes;
}

export function sheetTooLarge(name: string, maxBytes: number): UseCaseError {
  const problem = `${name} is over the limit of ${describeSize(maxBytes)}`;
  return new UseCaseError('manifest_unreadable', problem, {
    cure: [
      'Split the sheet, or ask an operator to raise the limit.',
      hint('setting', { name: 'manifest.maxBytes' }),
    ],
  });
}

/** The error for one of the disk; any other as it is. */
export function asNotStored(error: unknown, folder: string, cure: string): unknown {
  const isOfDisk = error instanceof RoomError || (error instanceof Error && 'syscall' in error);
  if (!isOfDisk) return error;
  const problem = `the sheet cannot be stored in ${folder}: ${describeFileError(error)}`;
  return new UseCaseError('manifest_unreadable', problem, { cure, cause: error });
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
