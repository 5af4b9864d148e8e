/** Covers of videos on the watch list, as the service named them. Each is fetched once. */
import { isUrl } from '../manifest/cells/media-source.ts';
import type { Depicted, OpenPicture, Pictures } from '../media/pictures.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { shownOrRefused } from '../runtime/shown-media.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { findVideo } from './watch-list.ts';

/** Owner of the covers on the disk of pictures. */
export const ownerOfCovers = 'videos-covers';

/** @param url as the service named it. @returns undefined if it has named none. */
export function coverOf(id: string, url: string | null | undefined): Depicted | undefined {
  if (!url || !isUrl(url)) return undefined;
  // The service signs its URL anew at each look-up.
  return { source: url, root: '', owner: ownerOfCovers, isVideo: false, copyOf: id };
}

async function findCover(runtime: Pick<Runtime, 'ledger'>, id: string): Promise<Depicted> {
  const { meta } = await findVideo(runtime, id);
  const cover = coverOf(id, meta.coverUrl);
  if (cover === undefined) throw new UseCaseError('media_not_shown', 'the video has no cover');
  return cover;
}

/** @throws {UseCaseError} `video_not_found`, `media_not_shown`. */
export async function openCover(
  runtime: Pick<Runtime, 'ledger'>,
  pictures: Pictures,
  id: string,
  size: 'small' | 'whole',
): Promise<OpenPicture> {
  const cover = await findCover(runtime, id);
  return shownOrRefused(() => pictures.open(cover, size));
}

/** Keeps a small version that a browser has drawn. @throws {UseCaseError} `video_not_found`, `media_not_shown`. */
export async function keepCoverSmall(
  runtime: Pick<Runtime, 'ledger'>,
  pictures: Pictures,
  id: string,
  bytes: Buffer,
): Promise<void> {
  const cover = await findCover(runtime, id);
  await shownOrRefused(() => pictures.keepSmall(cover, bytes));
}
