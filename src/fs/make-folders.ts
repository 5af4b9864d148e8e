/** Makes a folder, and those above it that are missing. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * As `mkdir` with `recursive`, which never ends where a file system refuses a folder as if the one above were missing: /proc does.
 * @throws errors of the system.
 */
export async function makeFolders(path: string): Promise<void> {
  if (await isThere(path)) return;
  if (dirname(path) !== path) await makeFolders(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
