/** Public metrics of a published video: `fetchPublicVideoData`. */
import { z } from 'zod';
import { incidental, incidentalCount, textual } from './envelope.ts';
import { httpUri } from './uri.ts';

export const fetchPublicVideoDataRequest = z.strictObject({ videoUrl: httpUri });

export const fetchPublicVideoDataResponse = z.looseObject({
  videoId: incidental(textual),
  uniqueId: incidental(textual),
  playCount: incidentalCount,
  diggCount: incidentalCount,
  commentCount: incidentalCount,
  shareCount: incidentalCount,
  collectCount: incidentalCount,
  coverUrl: incidental(z.string()),
  videoDesc: incidental(z.string()),
  /** Unix epoch; seconds in the contract's example. */
  releaseAt: incidentalCount,
});

export type PublicVideoData = z.infer<typeof fetchPublicVideoDataResponse>;
