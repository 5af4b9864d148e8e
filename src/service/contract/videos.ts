/** Public metrics of a published video: `fetchPublicVideoData`. */
import { z } from 'zod';
import { asInteger, incidental, incidentalCount } from './envelope.ts';
import { caption, textual } from './texts.ts';
import { answeredUrl, httpUri } from './uri.ts';

export const fetchPublicVideoDataRequest = z.strictObject({ videoUrl: httpUri });

/** A counter has no bound: beyond 2^53 it is a `bigint`. */
const counter = incidental(
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,100}$/.test(value) ? asInteger(value) : value),
    z.union([z.int().nonnegative(), z.bigint().nonnegative()]),
  ),
);

export const fetchPublicVideoDataResponse = z.object({
  videoId: incidental(textual),
  uniqueId: incidental(textual),
  playCount: counter,
  diggCount: counter,
  commentCount: counter,
  shareCount: counter,
  collectCount: counter,
  coverUrl: incidental(answeredUrl),
  videoDesc: incidental(caption),
  /** Unix epoch; seconds in the contract's example. */
  releaseAt: incidentalCount,
});

/** Public metrics of a video (contract, section 4.8). */
export type PublicVideoData = z.infer<typeof fetchPublicVideoDataResponse>;
