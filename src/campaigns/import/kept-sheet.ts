/**
 * A sheet uploaded by a browser, kept while a person looks at its plan: a file with a random name in the folder `sheets` of the
 * data directory. Abandoned sheets are removed after a day, and the oldest ones if there are too many.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type FreeBytes, RoomError, requireRoom } from '../../fs/disk.ts';
import { presentable } from '../../manifest/presentable.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import type { ManifestFile } from './manifest-file.ts';
import { notStored, storeSheet } from './piped-manifest.ts';

const folderName = 'sheets';
const keptMs = 24 * 3600 * 1000;
const mostKept = 50;
const longestName = 100;
/** Length of the random name, in bytes. */
const tokenBytes = 16;
const tokenForm = /^[0-9a-f]{32}$/;

const cure =
  "Ask an operator to free space on the console's disk, and to check that it may write to its data folder.";

type DataFolder = { readonly environment: Pick<Runtime['environment'], 'dataDir'> };

interface Receiver extends DataFolder {
  readonly settings: Pick<Runtime['settings'], 'manifest'>;
  /** Default: those of the disk. */
  readonly freeBytes?: FreeBytes | undefined;
}

/**
 * Stores the bytes of a sheet as they arrive.
 * @param expected number of bytes, if known.
 * @returns the token to open it again, and its size in bytes.
 * @throws {UseCaseError} `manifest_unreadable` when it is larger than the setting `manifest.maxBytes`, or cannot be stored; errors of the
 *   stream. Then nothing is kept.
 */
export async function receiveSheet(
  { environment, settings, freeBytes }: Receiver,
  stream: AsyncIterable<Uint8Array>,
  expected: number,
): Promise<{ readonly token: string; readonly bytes: number }> {
  const { maxBytes } = settings.manifest;
  let bytes = 0;
  const token = await keep({ environment }, async (path) => {
    await requireRoom(dirname(path), Math.min(expected, maxBytes), freeBytes);
    bytes = await storeSheet(path, stream, { name: 'the sheet', maxBytes, freeBytes });
  });
  return { token, bytes };
}

/** As `receiveSheet`, for a sheet in one of our own files. */
export async function keepSheetFile(runtime: DataFolder, from: string): Promise<string> {
  return keep(runtime, (path) => copyFile(from, path, constants.COPYFILE_EXCL));
}

async function keep({ environment }: DataFolder, write: (path: string) => Promise<void>): Promise<string> {
  const token = randomBytes(tokenBytes).toString('hex');
  const folder = join(environment.dataDir, folderName);
  const path = join(folder, token);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await makeRoom(folder);
    await write(path);
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    const isOfDisk = error instanceof RoomError || (error instanceof Error && 'syscall' in error);
    throw isOfDisk ? notStored(folder, error, cure) : error;
  }
  return token;
}

async function makeRoom(folder: string): Promise<void> {
  const kept = await Promise.all(
    (await readdir(folder))
      .filter((name) => tokenForm.test(name))
      .map(async (name) => {
        const path = join(folder, name);
        return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
  );
  kept.sort((one, other) => other.at - one.at);
  const gone = kept.filter(({ at }, index) => index >= mostKept - 1 || Date.now() - at > keptMs);
  for (const { path } of gone) await rm(path, { force: true });
}

/** @param name of the file, as given by the browser. @throws {UseCaseError} `manifest_unreadable` when it is gone. */
export async function openKeptSheet(
  { environment }: DataFolder,
  token: string,
  name: string,
): Promise<ManifestFile> {
  const path = join(environment.dataDir, folderName, tokenForm.test(token) ? token : 'none');
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) {
    throw new UseCaseError('manifest_unreadable', 'the sheet is no longer kept', {
      cure: 'Upload it again.',
    });
  }
  const file = presentable(basename(name)).slice(0, longestName).toWellFormed() || 'sheet';
  return { file, path, name: basename(file, extname(file)), folder: join(path, '..') };
}

export async function dropKeptSheet({ environment }: DataFolder, token: string): Promise<void> {
  if (tokenForm.test(token)) await rm(join(environment.dataDir, folderName, token), { force: true });
}
