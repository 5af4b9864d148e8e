/** Imports a list that came through a browser. Its bytes are in a file of the data directory while they are read. */
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeFileError } from '../../fs/file-error.ts';
import { presentable } from '../../manifest/presentable.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { type ImportedVideos, importVideos } from './import.ts';

const longestName = 100;

/**
 * @param sheet its name as the browser told it, and its bytes.
 * @throws {UseCaseError} `manifest_unreadable`, `account_unknown`.
 */
export async function importUploadedVideos(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'environment'>,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<ImportedVideos & { readonly file: string }> {
  const file = presentable(basename(name)).slice(0, longestName) || 'list';
  // After a crash it is removed with the sheets that nobody went on with, which have such names.
  const path = join(runtime.environment.dataDir, 'import', `kept-${randomBytes(16).toString('hex')}`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    await rm(path, { force: true });
    const why = describeFileError(cause as NodeJS.ErrnoException);
    throw new UseCaseError('manifest_unreadable', `${file} cannot be stored in ${dirname(path)}: ${why}`, {
      cause,
    });
  }
  try {
    return { ...(await importVideos(runtime, { file, path })), file };
  } finally {
    await rm(path, { force: true });
  }
}
