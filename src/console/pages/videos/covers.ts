/**
 * Pictures of videos. A picture comes from this server only: now from the row that the video was posted from, if its cover or first photo
 * is a local file. Browsers never load one from elsewhere, so other videos get a stand-in. A stored copy of the public cover belongs here.
 */
import { listMedia } from '../../../campaigns/rows/media.ts';
import type { WatchedVideo } from '../../../ledger/videos/video.ts';
import { type Html, html } from '../../html.ts';
import { rowPath } from '../../parts/address.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';

/** Larger files would make the page heavy. Bytes. */
const largest = 2 * 1024 * 1024;

/** A picture or a stand-in for each video, by its id. */
export async function coversOf(
  request: PageRequest,
  videos: readonly WatchedVideo[],
): Promise<ReadonlyMap<string, Html>> {
  const found = new Map<string, Html>();
  for (const video of videos) {
    if (found.has(video.id)) continue;
    const path = await localPicture(request, video);
    const shown =
      path === undefined
        ? html`<span class="cover no">${icon('film')}<span>No cover stored</span></span>`
        : html`<img class="cover" src="${request.link(path)}" alt="" width="40" height="71">`;
    found.set(video.id, shown);
  }
  return found;
}

/** Path of a picture within the console. */
async function localPicture({ runtime }: PageRequest, { facts }: WatchedVideo): Promise<string | undefined> {
  const { campaign: id, key } = facts;
  const campaign = id === undefined ? undefined : await runtime.ledger.campaigns.find(id);
  if (campaign === undefined || key === undefined) return undefined;
  const row = await runtime.ledger.rowKeys.find(campaign, key);
  if (row === undefined) return undefined;
  const pictures = (await listMedia(runtime, campaign, row)).filter(
    ({ column, contentType, bytes }) =>
      column !== 'ai_references' && contentType?.startsWith('image/') && bytes !== null && bytes <= largest,
  );
  const best = pictures.find(({ column }) => column === 'cover') ?? pictures[0];
  return best && rowPath(campaign.id, key, `/media/${best.column}/${best.index}`);
}
