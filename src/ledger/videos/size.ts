/** How much memory of Redis the watch list takes. */

/** Measured with long captions and URLs: keys, facts, the service's last answer, and the lists. Bytes. */
const perVideo = 1500;
/** Measured over a year of nights of a busy video. Bytes. */
const perSample = 18;
const nights = 365;

/** Memory of Redis that this many videos need for a year of nightly samples, in bytes. */
export function yearBytesOf(videos: number): number {
  return videos * (perVideo + nights * perSample);
}
