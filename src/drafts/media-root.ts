/** The folder of the media of a draft's sheet: the media root of its check, and of the campaign that it becomes. */
import { readFiles } from './files/record.ts';
import { type DraftRuntime, makeMediaFolder } from './folder.ts';

/**
 * Returns the draft's own folder once media were uploaded. Before that, `media.root` if it is set, because the sheet then names
 * files there.
 * @returns an absolute path of a folder that exists, unless it is `media.root`.
 * @throws {UseCaseError} `draft_not_stored`.
 */
export async function draftMediaRoot(runtime: DraftRuntime, id: string): Promise<string> {
  const { root } = runtime.settings.media;
  if (root !== null && (await readFiles(runtime, id)).stored.size === 0) return root;
  return makeMediaFolder(runtime, id);
}
