/** Which videos of the watch list somebody asks for. */
import { stateOf, type VideoState, type WatchedVideo } from '../ledger/videos/video.ts';

/** A video must match every given field. */
export interface WantedVideos {
  readonly campaign?: string | undefined;
  /** In any case, with or without `@`. */
  readonly creator?: string | undefined;
  readonly product?: string | undefined;
  readonly state?: VideoState | undefined;
}

/** The creator of the row, or else the author that the service tells. */
export function creatorOf(video: WatchedVideo): string | undefined {
  // What the service told is parsed only where it is needed.
  return video.facts.creator ?? video.meta.author;
}

export function isWanted({
  campaign,
  creator,
  product,
  state,
}: WantedVideos): (video: WatchedVideo) => boolean {
  const wanted = creator?.replace(/^@/, '').toLowerCase();
  return (video) =>
    (campaign === undefined || video.facts.campaign === campaign) &&
    (product === undefined || video.facts.product === product) &&
    (state === undefined || stateOf(video) === state) &&
    (wanted === undefined || creatorOf(video)?.toLowerCase() === wanted);
}
