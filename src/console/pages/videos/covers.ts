/**
 * Pictures of videos: that of the row that the video was posted from, if it is here, else the cover that the service named, which the
 * console fetches once. Browsers load nothing from elsewhere.
 */
import { noPicture } from '../../../app/campaigns/rows/pictures.ts';
import { coverOf } from '../../../app/videos/watch-list.ts';
import type { WatchedVideo } from '../../../ledger/videos/video.ts';
import { rowPictures, type ShownPicture } from '../../parts/picture.ts';
import type { PageRequest } from '../../request.ts';

interface VideoWithCover {
  readonly id: string;
  readonly campaign?: string | null | undefined;
  readonly key?: string | null | undefined;
  readonly cover_url: string | null | undefined;
}

export function coveredOf({ id, facts: { campaign, key }, meta }: WatchedVideo): VideoWithCover {
  return { id, campaign, key, cover_url: meta.coverUrl };
}

/** A picture for each video, by its id; for `thumbnail` and `preview`. */
export async function coversOf(
  request: PageRequest,
  videos: readonly VideoWithCover[],
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
  { campaign: id, key }: VideoWithCover,
): Promise<ShownPicture | undefined> {
  const { ledger } = request.runtime;
  if (!id || !key) return undefined;
  // A record that cannot be read is named on the page of campaigns. Here only the picture is missing.
  const campaign = await ledger.campaigns.find(id).catch(() => undefined);
  const position = campaign && (await ledger.rowKeys.find(campaign, key));
  if (campaign === undefined || position === undefined) return undefined;
  const picture = (await rowPictures(request, campaign, [{ position, key }])).get(position);
  return picture?.kind === 'ready' ? picture : undefined;
}

async function pictureOfCover(
  { pictures }: PageRequest,
  { id, cover_url }: VideoWithCover,
): Promise<ShownPicture> {
  const cover = coverOf(id, cover_url);
  if (cover === undefined) return noPicture;
  const { place, version } = await pictures.look(cover);
  const kind = place === 'kept' ? 'ready' : 'remote';
  return { ...noPicture, kind, source: cover.source, version, path: `/media/videos/${id}` };
}
