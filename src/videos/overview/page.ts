/** One page of the matching videos of an overview. */
import type { Runtime } from '../../runtime/runtime.ts';
import { describeVideo } from '../describe.ts';
import type { VideoDocument } from '../documents.ts';
import { readGains, type VideoGains } from './gains.ts';
import type { Sort } from './order.ts';
import type { Overview } from './read.ts';

export interface ListedVideo {
  readonly video: VideoDocument;
  readonly gains: VideoGains;
}

/** Returns the videos from a position on, without those removed since the overview was read. */
export async function listOverviewPage(
  { ledger: { videos }, settings }: Pick<Runtime, 'ledger' | 'settings'>,
  { order, days }: Overview,
  { sort, from, count }: { readonly sort: Sort; readonly from: number; readonly count: number },
): Promise<readonly ListedVideo[]> {
  const found = await videos.list.read(order.part(sort, from, count));
  const shown = found.filter((video) => video !== undefined);
  const gains = await readGains(videos.history, shown, days);
  return shown.flatMap((video, index) => {
    const ofVideo = gains[index];
    return ofVideo ? [{ video: describeVideo(video, settings.videos.gone.after), gains: ofVideo }] : [];
  });
}
