/**
 * A sheet that came through a browser, kept while its plan is looked at: a file in the folder `import` of the data directory, by a
 * random name. Sheets that nobody goes on with are removed after a day.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { presentable } from '../../manifest/presentable.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import type { ManifestFile } from './manifest-file.ts';

const longestName = 100;
/** Of the random name, in bytes. */
const tokenBytes = 16;
const tokenForm = /^[0-9a-f]{32}$/;
const keptForm = /^kept-[0-9a-f]{32}$/;
const leftoverMs = 24 * 60 * 60_000;

type DataFolder = { readonly environment: Pick<Runtime['environment'], 'dataDir'> };

/** Keeps the bytes of a sheet. @returns the token that it is found again by. @throws {UseCaseError} `manifest_unreadable`. */
export async function keepSheet({ environment }: DataFolder, bytes: Uint8Array): Promise<string> {
  const token = randomBytes(tokenBytes).toString('hex');
  const path = pathOf(environment.dataDir, token);
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true });
    await removeLeftovers(folder);
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new UseCaseError('manifest_unreadable', `the sheet cannot be stored in ${folder}: ${reason}`, {
      cause,
    });
  }
  return token;
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
  return join(dataDir, 'import', `kept-${token}`);
}

/** Removes sheets that nobody went on with. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => keptForm.test(each))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > leftoverMs) await rm(path, { force: true });
  }
}
