/** Lists the watch list, and removes videos from it. */
import type { WatchedVideo } from '../ledger/videos/video.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { findVideo } from './find.ts';
import { isWanted } from './wanted.ts';

/** Which videos of the watch list; all unless given. */
export interface VideoFilter {
  readonly campaign?: string | undefined;
  readonly creator?: string | undefined;
  /** Only videos that the service answers with 404. */
  readonly gone?: boolean | undefined;
}

export interface VideoPageOptions extends VideoFilter {
  /** Number of the last video that the previous page examined; 0 for the first page. */
  readonly after: number;
  /** Number of videos to examine; fewer may match. */
  readonly limit: number;
}

export interface VideoPage {
  readonly videos: readonly WatchedVideo[];
  /** `after` of the next page; undefined at the end. */
  readonly next: number | undefined;
}

/** The videos in the order of addition, in parts. */
export async function* listVideos(
  { ledger }: Pick<Runtime, 'ledger'>,
  filter: VideoFilter = {},
): AsyncGenerator<readonly WatchedVideo[]> {
  const matches = matcherOf(filter);
  for await (const videos of ledger.videos.list.all(filter.campaign)) {
    const found = videos.filter(matches);
    if (found.length > 0) yield found;
  }
}

/** One page of the list. It may be empty although there is a next one. */
export async function listVideoPage(
  { ledger }: Pick<Runtime, 'ledger'>,
  { after, limit, ...filter }: VideoPageOptions,
): Promise<VideoPage> {
  const { videos, last } = await ledger.videos.list.page(filter.campaign, after, limit);
  return { videos: videos.filter(matcherOf(filter)), next: last };
}

/** Matches creator and state. The campaign is not checked here, because the ledger lists its videos separately. */
function matcherOf({ creator, gone = false }: VideoFilter): (video: WatchedVideo) => boolean {
  return isWanted({ creator, state: gone ? 'gone' : undefined });
}

/** Removes a video with its history. @returns its URL. @throws {UseCaseError} `video_not_found`. */
export async function removeVideo(runtime: Pick<Runtime, 'ledger'>, given: string): Promise<string> {
  const { id, facts } = await findVideo(runtime, given);
  await runtime.ledger.videos.list.remove(id);
  return facts.url;
}
