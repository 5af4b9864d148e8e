/** The watch list: finds, filters, lists and removes videos. */

import { stateOf, type VideoState, type WatchedVideo } from '../ledger/videos/video.ts';
import type { VideoPage } from '../ledger/videos/watch-list.ts';
import { readVideoUrl, videoIdOf } from '../manifest/cells/video-url.ts';
import { hint } from '../manifest/problems/hint.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';

/** Which videos of the watch list: those that match every given field. */
export interface VideoFilter {
  readonly campaign?: string | undefined;
  /** In any case, with or without `@`. */
  readonly creator?: string | undefined;
  readonly product?: string | undefined;
  readonly state?: VideoState | undefined;
}

/** The creator of the row, or else the author given by the service. */
export function creatorOf(video: WatchedVideo): string | undefined {
  // The service's facts are parsed only if they are needed.
  return video.facts.creator ?? video.meta.author;
}

export function matcherOf({
  campaign,
  creator,
  product,
  state,
}: VideoFilter): (video: WatchedVideo) => boolean {
  const wanted = creator?.replace(/^@/, '').toLowerCase();
  return (video) =>
    (campaign === undefined || video.facts.campaign === campaign) &&
    (product === undefined || video.facts.product === product) &&
    (state === undefined || stateOf(video) === state) &&
    (wanted === undefined || creatorOf(video)?.toLowerCase() === wanted);
}

const idForm = /^[A-Za-z0-9_-]{16}$/;

/** Finds a video of the watch list. @param given a URL in any of its forms, or an id. @throws {UseCaseError} `video_not_found`. */
export async function findVideo({ ledger }: Pick<Runtime, 'ledger'>, given: string): Promise<WatchedVideo> {
  const read = readVideoUrl(given);
  const id = 'url' in read ? videoIdOf(read.url) : given;
  const [video] = 'url' in read || idForm.test(given) ? await ledger.videos.list.read([id]) : [];
  if (video) return video;
  throw new UseCaseError('video_not_found', `the video ${given} is not on the watch list`, {
    cure: [hint('list', { what: 'videos' })],
  });
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

/**
 * One page of the list. It may be empty although there is a next one.
 * @param page `after`: number of the last video that the previous page examined, 0 for the first page. `limit`: of videos to examine.
 */
export async function listVideoPage(
  { ledger }: Pick<Runtime, 'ledger'>,
  { after, limit, ...filter }: VideoFilter & { readonly after: number; readonly limit: number },
): Promise<VideoPage> {
  const { videos, last } = await ledger.videos.list.page(filter.campaign, after, limit);
  return { videos: videos.filter(matcherOf(filter)), last };
}

/** Removes a video with its history. @returns its URL. @throws {UseCaseError} `video_not_found`. */
export async function removeVideo(runtime: Pick<Runtime, 'ledger'>, given: string): Promise<string> {
  const { id, facts } = await findVideo(runtime, given);
  await runtime.ledger.videos.list.remove(id);
  return facts.url;
}
