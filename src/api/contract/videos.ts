/** Public metrics of a published video: `fetchPublicVideoData`. */
import { z } from 'zod';
import { httpUrl, nullable } from './envelope.ts';

export const fetchPublicVideoDataRequest = z.strictObject({ videoUrl: httpUrl });

const count = nullable(z.int().nonnegative());

export const fetchPublicVideoDataResponse = z.looseObject({
  videoId: nullable(z.string()),
  uniqueId: nullable(z.string()),
  playCount: count,
  diggCount: count,
  commentCount: count,
  shareCount: count,
  collectCount: count,
  coverUrl: nullable(z.string()),
  videoDesc: nullable(z.string()),
  /** Unix epoch; seconds in the contract's example. */
  releaseAt: nullable(z.int()),
});

export type PublicVideoData = z.infer<typeof fetchPublicVideoDataResponse>;
