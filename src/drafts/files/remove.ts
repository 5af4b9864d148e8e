/** Removes media of a draft: one, or all when the draft is discarded. Removes only files that the record names. */
import { removeEmptyFolder, removePlacedFile } from '../../fs/place-file.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { changeDraft } from '../drafts.ts';
import { type DraftRuntime, draftMediaPlace } from '../folder.ts';
import { refuseStarting } from '../refused.ts';
import { removeParts } from './part-file.ts';
import { forgetFiles, readFiles, recordFiles } from './record.ts';

/** @throws {UseCaseError} `draft_not_found`, `upload_not_found`, `draft_not_stored`; `draft_changed` once the draft is a campaign. */
export async function removeMedium(
  runtime: DraftRuntime,
  draft: string,
  path: string,
  by: string,
): Promise<void> {
  const what = `the file ${path}`.slice(0, 200);
  await changeDraft(runtime, draft, { by, version: undefined, what }, async (opened) => {
    refuseStarting(opened);
    const { stored, refused } = await readFiles(runtime, draft);
    const isStored = stored.has(path);
    if (!isStored && !refused.has(path))
      throw new UseCaseError('upload_not_found', `the file ${path} is not there`);
    await recordFiles(runtime, draft, { at: runtime.now(), by, removed: path });
    if (isStored) await removePlacedFile(draftMediaPlace(runtime, draft), path);
    return {};
  });
}

/**
 * Removes all media, part files and then empty folders of a draft that is gone, or whose campaign is. Files that others put
 * there stay.
 */
export async function removeDraftMedia(runtime: DraftRuntime, draft: string): Promise<void> {
  const { stored } = await readFiles(runtime, draft);
  const place = draftMediaPlace(runtime, draft);
  for (const path of stored.keys()) await removePlacedFile(place, path);
  await removeParts(runtime, draft);
  await removeEmptyFolder(place);
  forgetFiles(runtime, draft);
}
