/** Creates a folder and its missing parents. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * As `mkdir` with `recursive`, which never returns on file systems such as /proc, which refuse a folder as if its parent were
 * missing.
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
