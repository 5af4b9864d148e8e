/** Removes a draft and all its files. */
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseStarted } from './drafts.ts';
import { exclusively } from './exclusive.ts';
import { removeDraftMedia } from './files/remove.ts';
import { type DraftRuntime, draftFolder, draftNotStored, isDraftFile, readDraft } from './folder.ts';
import { refuseStarting } from './refused.ts';

/**
 * Removes a draft, its sheet and its media. A campaign that it became keeps its media.
 * @throws {UseCaseError} `draft_not_found`, `draft_not_stored`; `draft_changed` if it is a campaign already.
 */
export async function discardDraft(runtime: DraftRuntime, id: string): Promise<void> {
  await exclusively(runtime, id, async () => {
    const draft = await readDraft(runtime, id);
    refuseStarted(draft);
    refuseStarting(draft);
    await removeDraft(runtime, id);
  });
}

/**
 * Removes a draft that no campaign needs. Not safe to call concurrently for the same draft.
 * @throws {UseCaseError} `draft_not_stored`.
 */
export async function removeDraft(runtime: DraftRuntime, id: string): Promise<void> {
  await removeDraftMedia(runtime, id);
  await removeFolder(draftFolder(runtime, id));
}

/** Removes the files, then the folder. The draft's record goes last, so that after a crash the draft can be discarded again. */
async function removeFolder(folder: string): Promise<void> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const files = entries
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
      .filter(isDraftFile);
    for (const name of files.sort(
      (one, other) => Number(one === 'draft.json') - Number(other === 'draft.json'),
    ))
      await unlink(join(folder, name));
    // Files that others have put into the folder stay.
    await rmdir(folder).catch(unlessNotEmpty);
  } catch (error) {
    throw draftNotStored(error);
  }
}

function unlessNotEmpty(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
}
