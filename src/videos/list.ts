/** The watch list, as people see it. */
import { stateOf, type WatchedVideo } from '../ledger/videos/video.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { findVideo } from './find.ts';

export interface VideoFilter {
  readonly campaign?: string | undefined;
  readonly creator?: string | undefined;
  /** Only videos that the service answers with 404. */
  readonly gone?: boolean | undefined;
}

/** The videos in the order of addition, in parts. */
export async function* listVideos(
  { ledger }: Pick<Runtime, 'ledger'>,
  { campaign, creator, gone = false }: VideoFilter = {},
): AsyncGenerator<readonly WatchedVideo[]> {
  const wanted = creator?.replace(/^@/, '').toLowerCase();
  for await (const videos of ledger.videos.list.all(campaign)) {
    const found = videos.filter((video) => {
      if (gone && stateOf(video) !== 'gone') return false;
      return wanted === undefined || creatorOf(video)?.toLowerCase() === wanted;
    });
    if (found.length > 0) yield found;
  }
}

/** The creator of the row, or else the author that the service tells. */
export function creatorOf({ facts, meta }: WatchedVideo): string | undefined {
  return facts.creator ?? meta.author;
}

/** Removes a video with its history. @returns its URL. @throws {UseCaseError} `video_not_found`. */
export async function removeVideo(runtime: Pick<Runtime, 'ledger'>, given: string): Promise<string> {
  const { id, facts } = await findVideo(runtime, given);
  await runtime.ledger.videos.list.remove(id);
  return facts.url;
}
