/** The folder that the media of a draft's sheet are in: the media root of its check, and of the campaign that it becomes. */
import { readFiles } from './files/record.ts';
import { type DraftRuntime, makeMediaFolder } from './folder.ts';

/**
 * The draft's own folder once media were dropped; before that `media.root`, where that is set: the sheet then names files there.
 * @returns an absolute path of a folder that exists, unless it is `media.root`.
 * @throws {UseCaseError} `draft_not_stored`.
 */
export async function draftMediaRoot(runtime: DraftRuntime, id: string): Promise<string> {
  const { root } = runtime.settings.media;
  if (root !== null && (await readFiles(runtime, id)).stored.size === 0) return root;
  return makeMediaFolder(runtime, id);
}
