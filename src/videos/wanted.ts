/** Which videos of the watch list somebody asks for. */
import { stateOf, type VideoState, type WatchedVideo } from '../ledger/videos/video.ts';
import { creatorOf } from './list.ts';

/** A video must match every given field. */
export interface WantedVideos {
  readonly campaign?: string | undefined;
  /** In any case, with or without `@`. */
  readonly creator?: string | undefined;
  readonly product?: string | undefined;
  readonly state?: VideoState | undefined;
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
