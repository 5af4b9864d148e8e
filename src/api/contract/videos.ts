/** Public metrics of a published video: `fetchPublicVideoData`. */
import { z } from 'zod';
import { incidental, incidentalCount } from './envelope.ts';
import { caption, textual } from './texts.ts';
import { answeredUrl, httpUri } from './uri.ts';

export const fetchPublicVideoDataRequest = z.strictObject({ videoUrl: httpUri });

export const fetchPublicVideoDataResponse = z.object({
  videoId: incidental(textual),
  uniqueId: incidental(textual),
  playCount: incidentalCount,
  diggCount: incidentalCount,
  commentCount: incidentalCount,
  shareCount: incidentalCount,
  collectCount: incidentalCount,
  coverUrl: incidental(answeredUrl),
  videoDesc: incidental(caption),
  /** Unix epoch; seconds in the contract's example. */
  releaseAt: incidentalCount,
});

export type PublicVideoData = z.infer<typeof fetchPublicVideoDataResponse>;
