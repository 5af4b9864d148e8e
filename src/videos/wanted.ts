/** Filters of videos on the watch list. */
import { stateOf, type VideoState, type WatchedVideo } from '../ledger/videos/video.ts';

/** A video must match every given field. */
export interface WantedVideos {
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
