/** Public metrics of a video (contract, section 4.8). Derived from its URL: the same for all callers, and growing. */
import { createHash } from 'node:crypto';
import { Refusal, success } from '../answer.ts';
import { route } from './route.ts';

/** A URL with this in its path is of a deleted video. */
export const goneMarker = 'gone';

const hour = 3_600_000;

export const fetchPublicVideoData = route('fetchPublicVideoData', ({ videoUrl }, call, { url }) => {
  const { pathname } = new URL(videoUrl);
  if (pathname.includes(goneMarker)) throw new Refusal(404, 'the public work does not exist or was deleted');
  const digest = createHash('sha256').update(videoUrl).digest();
  const releasedAt = releaseOf(digest);
  const playCount = views(digest, releasedAt, call.at);
  const part = (index: number, most: number) =>
    Math.floor((playCount * (digest.readUInt8(index) + 1) * most) / 256);
  return success({
    videoId: digest.readBigUInt64BE(8).toString(),
    uniqueId: /@([\w.]+)/.exec(pathname)?.[1] ?? `author_${digest.toString('hex', 0, 4)}`,
    playCount,
    diggCount: part(4, 0.12),
    commentCount: part(5, 0.01),
    shareCount: part(6, 0.02),
    collectCount: part(7, 0.03),
    coverUrl: `${url}/assets/product/${digest.toString('hex', 0, 4)}.png`,
    videoDesc: `Sample video ${digest.toString('hex', 0, 4)}`,
    releaseAt: Math.floor(releasedAt / 1000),
  });
});

/** A fixed time in 2025 for each video. Milliseconds. */
function releaseOf(digest: Buffer): number {
  return Date.UTC(2025, 0, 1) + (digest.readUInt16BE(0) % 8760) * hour;
}

/** Grows fast at first, then ever more slowly. */
function views(digest: Buffer, releasedAt: number, now: number): number {
  const hours = Math.max(0, now - releasedAt) / hour;
  return Math.floor((digest.readUInt16BE(2) + 100) * Math.log2(hours + 2));
}
