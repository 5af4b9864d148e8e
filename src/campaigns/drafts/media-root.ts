/** The folder that the media of a draft's sheet are in: the media root of its check, and of the campaign that it becomes. */
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DraftRuntime, draftFolder, draftMediaFolder, draftNotStored } from './folder.ts';

/** The record of the media that were dropped. */
export function draftMediaRecord(runtime: Pick<DraftRuntime, 'environment'>, id: string): string {
  return join(draftFolder(runtime, id), 'media.jsonl');
}

/**
 * The draft's own folder once media were dropped; before that `media.root`, where that is set: the sheet then names files there.
 * @returns an absolute path of a folder that exists, unless it is `media.root`.
 * @throws {UseCaseError} `draft_not_stored`.
 */
export async function draftMediaRoot(runtime: DraftRuntime, id: string): Promise<string> {
  const { root } = runtime.settings.media;
  if (root !== null && (await mediaStamp(runtime, id)) === '') return root;
  const folder = draftMediaFolder(runtime, id);
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw draftNotStored(error);
  }
  return folder;
}

/** Changes with the media that were dropped; empty before the first one. */
export async function mediaStamp(runtime: DraftRuntime, id: string): Promise<string> {
  const found = await stat(draftMediaRecord(runtime, id)).catch(() => undefined);
  return found === undefined || found.size === 0 ? '' : `${found.size} ${found.mtimeMs}`;
}
