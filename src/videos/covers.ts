/** Covers of videos on the watch list, as the service named them. Each is fetched once. */
import { isUrl } from '../manifest/cells/media-source.ts';
import type { Depicted } from '../media/pictures.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { findVideo } from './watch-list.ts';

/** @param url as the service named it. @returns undefined if it has named none. */
export function coverOf(id: string, url: string | null | undefined): Depicted | undefined {
  if (!url || !isUrl(url)) return undefined;
  // The service signs its URL anew at each look-up.
  return { source: url, root: '', owner: 'videos-covers', isVideo: false, copyOf: id };
}

/** Finds the cover of a video. @throws {UseCaseError} `video_not_found`, `media_not_shown`. */
export async function findCover(runtime: Pick<Runtime, 'ledger'>, id: string): Promise<Depicted> {
  const { meta } = await findVideo(runtime, id);
  const cover = coverOf(id, meta.coverUrl);
  if (cover === undefined) throw new UseCaseError('media_not_shown', 'the video has no cover');
  return cover;
}
