/**
 * Makes sure before a start that the media are on the disk as they were uploaded. They were not flushed on arrival, because a
 * flush takes far longer than the write. By now, most have been flushed by the system.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DraftRuntime } from '../folder.ts';
import { draftMediaFolder, draftNotStored } from '../folder.ts';
import { draftRefused } from '../refused.ts';
import { readFiles, recordFiles, type StoredFile } from './record.ts';

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const namesShown = 3;

/**
 * Flushes all media of a draft. Files that are gone, or were truncated by a crash of the machine, are removed from the record.
 * @throws {UseCaseError} `draft_refused` if there were any; `draft_not_stored` if the disk fails.
 */
export async function settleFiles(runtime: DraftRuntime, draft: string, by: string): Promise<void> {
  const { stored } = await readFiles(runtime, draft);
  const folder = draftMediaFolder(runtime, draft);
  const lost: StoredFile[] = [];
  for (const file of stored.values())
    if (!(await isWhole(join(folder, file.path), file.bytes))) lost.push(file);
  if (lost.length === 0) return;
  for (const { path } of lost) await recordFiles(runtime, draft, { at: runtime.now(), by, removed: path });
  const names = lost.slice(0, namesShown).map(({ path }) => path);
  const more = lost.length > names.length ? ` and ${lost.length - names.length} more` : '';
  throw draftRefused(
    `these files have changed since they were uploaded: ${names.join(', ')}${more}`,
    'Drop them again.',
  );
}

async function isWhole(path: string, bytes: number): Promise<boolean> {
  try {
    await using handle = await open(path, flags);
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size !== bytes) return false;
    await handle.datasync();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR') return false;
    throw draftNotStored(error);
  }
}
