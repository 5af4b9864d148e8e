/**
 * Pictures of videos: that of the row that the video was posted from, if it is here, else the cover that the service named, which the
 * console fetches once. Browsers load nothing from elsewhere.
 */
import { noPicture } from '../../../campaigns/rows/pictures.ts';
import type { WatchedVideo } from '../../../ledger/videos/video.ts';
import { coverOf } from '../../../videos/watch-list.ts';
import { rowPictures, type ShownPicture } from '../../parts/picture.ts';
import type { PageRequest } from '../../request.ts';

interface Covered {
  readonly id: string;
  readonly campaign?: string | null | undefined;
  readonly key?: string | null | undefined;
  readonly cover_url: string | null | undefined;
}

/** What `coversOf` needs of a video. */
export function coveredOf({ id, facts: { campaign, key }, meta }: WatchedVideo): Covered {
  return { id, campaign, key, cover_url: meta.coverUrl };
}

/** A picture for each video, by its id; for `thumbnail` and `preview`. */
export async function coversOf(
  request: PageRequest,
  videos: readonly Covered[],
): Promise<ReadonlyMap<string, ShownPicture>> {
  const different = new Map(videos.map((video) => [video.id, video]));
  const found = Array.from(different.values(), async (video) => {
    const picture = (await pictureOfRow(request, video)) ?? (await pictureOfCover(request, video));
    return [video.id, picture] as const;
  });
  return new Map(await Promise.all(found));
}

/** @returns undefined if a list cannot show it. */
async function pictureOfRow(
  request: PageRequest,
  { campaign: id, key }: Covered,
): Promise<ShownPicture | undefined> {
  const { ledger } = request.runtime;
  if (!id || !key) return undefined;
  const campaign = await ledger.campaigns.find(id);
  const position = campaign && (await ledger.rowKeys.find(campaign, key));
  if (campaign === undefined || position === undefined) return undefined;
  const picture = (await rowPictures(request, campaign, [{ position, key }])).get(position);
  return picture?.kind === 'ready' ? picture : undefined;
}

async function pictureOfCover({ pictures }: PageRequest, { id, cover_url }: Covered): Promise<ShownPicture> {
  const cover = coverOf(id, cover_url);
  if (cover === undefined) return noPicture;
  const { place, isShown, wantsSmall, version } = await pictures.look(cover);
  const kind = place === 'away' ? 'remote' : isShown ? 'ready' : 'undrawn';
  return { ...noPicture, kind, source: cover.source, wantsSmall, version, path: `/media/videos/${id}` };
}
