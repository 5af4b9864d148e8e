/**
 * A sheet uploaded by a form, kept while its request is answered: a file with a random name in the folder `sheets` of the
 * data directory. Abandoned sheets are removed after a day. If there are too many, the oldest of whoever has the most is removed.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Environment } from '../../../config/load.ts';
import type { Settings } from '../../../config/schema.ts';
import { presentable } from '../../manifest/presentable.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { DiskFullError, type FreeBytes, requireFreeDisk } from '../../platform/files/disk.ts';
import type { ManifestFile } from './manifest-file.ts';
import { notStored, storeSheet } from './piped-manifest.ts';

const folderName = 'sheets';
const keptMs = 24 * 3600 * 1000;
const mostKept = 50;
const longestName = 100;
/** Length of the random name, in bytes. */
const tokenBytes = 16;
/** A mark of whose sheet it is, and the random name. */
const tokenForm = /^[0-9a-f]{8}-[0-9a-f]{32}$/;

const fix =
  "Ask an operator to free space on the console's disk, and to check that it may write to its data folder.";

type DataFolder = { readonly environment: Pick<Environment, 'dataDir'> };

interface Receiver extends DataFolder {
  readonly settings: Pick<Settings, 'manifest'>;
  /** Default: those of the disk. */
  readonly freeBytes?: FreeBytes | undefined;
}

/**
 * Stores the bytes of a sheet as they arrive.
 * @param expected number of bytes, if known. @param by name of the person.
 * @returns the token to open it again, and its size in bytes.
 * @throws {UseCaseError} `manifest_unreadable` when it is larger than the setting `manifest.maxBytes`, or cannot be stored; errors of the
 *   stream. Then nothing is kept.
 */
export async function receiveSheet(
  { environment, settings, freeBytes }: Receiver,
  stream: AsyncIterable<Uint8Array>,
  { expected, by }: { readonly expected: number; readonly by: string },
): Promise<{ readonly token: string; readonly bytes: number }> {
  const { maxBytes } = settings.manifest;
  let bytes = 0;
  const token = await keep({ environment }, by, async (path) => {
    await requireFreeDisk(dirname(path), Math.min(expected, maxBytes), freeBytes);
    bytes = await storeSheet(path, stream, { name: 'the sheet', maxBytes, freeBytes });
  });
  return { token, bytes };
}

async function keep(
  { environment }: DataFolder,
  by: string,
  write: (path: string) => Promise<void>,
): Promise<string> {
  const token = `${markOf(by)}-${randomBytes(tokenBytes).toString('hex')}`;
  const folder = join(environment.dataDir, folderName);
  const path = join(folder, token);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await evictOldest(folder);
    await write(path);
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    const isOfDisk = error instanceof DiskFullError || (error instanceof Error && 'syscall' in error);
    throw isOfDisk ? notStored(folder, error, fix) : error;
  }
  return token;
}

function markOf(by: string): string {
  return createHash('sha256').update(by).digest('hex').slice(0, 8);
}

async function evictOldest(folder: string): Promise<void> {
  const kept = await Promise.all(
    (await readdir(folder))
      .filter((name) => tokenForm.test(name))
      .map(async (name) => {
        const path = join(folder, name);
        const at = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
        return { path, at, of: name.slice(0, name.indexOf('-')) };
      }),
  );
  kept.sort((one, other) => one.at - other.at);
  const fresh = kept.filter(({ at }) => Date.now() - at <= keptMs);
  while (fresh.length >= mostKept) fresh.splice(oldestOfMost(fresh), 1);
  for (const { path } of kept.filter((each) => !fresh.includes(each))) await rm(path, { force: true });
}

/** @param kept oldest first. @returns the index of the oldest one of whoever has the most. */
function oldestOfMost(kept: readonly { readonly of: string }[]): number {
  const numbers = new Map<string, number>();
  for (const { of } of kept) numbers.set(of, (numbers.get(of) ?? 0) + 1);
  const most = Math.max(...numbers.values());
  return kept.findIndex(({ of }) => numbers.get(of) === most);
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
      fix: 'Upload it again.',
    });
  }
  const file = presentable(basename(name)).slice(0, longestName).toWellFormed() || 'sheet';
  return { file, path, name: basename(file, extname(file)), folder: join(path, '..') };
}

export async function dropKeptSheet({ environment }: DataFolder, token: string): Promise<void> {
  if (tokenForm.test(token)) await rm(join(environment.dataDir, folderName, token), { force: true });
}
