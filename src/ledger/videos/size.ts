/** How much memory of Redis the watch list takes. */

/** Measured (`bench/videos`): keys, facts and the two lists. Bytes. */
const perVideo = 1000;
/** Measured over a year of nights with figures of any size. Bytes. */
const perSample = 18;
const nights = 365;

/** Memory of Redis that so many videos need for a year of nights, in bytes. */
export function yearBytesOf(videos: number): number {
  return videos * (perVideo + nights * perSample);
}
