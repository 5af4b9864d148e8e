/**
 * A sheet that came through a browser, kept while its plan is looked at: a file in the folder `sheets` of the data directory, by a
 * random name. Sheets that nobody goes on with are removed after a day, and the oldest when there are too many.
 */
import { randomBytes } from 'node:crypto';
import { constants, copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { presentable } from '../../manifest/presentable.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import type { ManifestFile } from './manifest-file.ts';

const folderName = 'sheets';
const keptMs = 24 * 3600 * 1000;
const mostKept = 50;
const longestName = 100;
/** Of the random name, in bytes. */
const tokenBytes = 16;
const tokenForm = /^[0-9a-f]{32}$/;

type DataFolder = { readonly environment: Pick<Runtime['environment'], 'dataDir'> };

/** Keeps the bytes of a sheet. @returns the token that it is found again by. @throws {UseCaseError} `manifest_unreadable`. */
export async function keepSheet(runtime: DataFolder, bytes: Uint8Array): Promise<string> {
  return keep(runtime, (path) => writeFile(path, bytes, { flag: 'wx', mode: 0o600 }));
}

/** As `keepSheet`, for a sheet that is in a file of ours. */
export async function keepSheetFile(runtime: DataFolder, from: string): Promise<string> {
  return keep(runtime, (path) => copyFile(from, path, constants.COPYFILE_EXCL));
}

async function keep({ environment }: DataFolder, write: (path: string) => Promise<void>): Promise<string> {
  const token = randomBytes(tokenBytes).toString('hex');
  const folder = join(environment.dataDir, folderName);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await makeRoom(folder);
    await write(join(folder, token));
  } catch (error) {
    throw new UseCaseError(
      'manifest_unreadable',
      `the sheet cannot be stored in ${folder}: ${(error as Error).message}`,
      { cause: error },
    );
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

/** @param name of the file, as the browser told it. @throws {UseCaseError} `manifest_unreadable` when it is gone. */
export async function openKeptSheet(
  { environment }: DataFolder,
  token: string,
  name: string,
): Promise<ManifestFile> {
  const path = pathOf(environment.dataDir, tokenForm.test(token) ? token : 'none');
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) {
    throw new UseCaseError('manifest_unreadable', 'the sheet is not kept any longer', {
      cure: 'Hand it in again.',
    });
  }
  const file = presentable(basename(name)).slice(0, longestName) || 'sheet';
  return { file, path, name: basename(file, extname(file)), folder: join(path, '..') };
}

export async function dropKeptSheet({ environment }: DataFolder, token: string): Promise<void> {
  if (tokenForm.test(token)) await rm(pathOf(environment.dataDir, token), { force: true });
}

function pathOf(dataDir: string, token: string): string {
  return join(dataDir, folderName, token);
}
