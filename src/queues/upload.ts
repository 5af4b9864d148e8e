/** Queue `upload`: one job per file. A child of `post`, or of `generate` for a local reference. */
import type { FlowJob } from 'bullmq';
import { z } from 'zod';
import { type FlowOptions, rowJob, rowJobId, rowPayload } from './jobs.ts';

export const uploadQueue = 'upload';

export const uploadPayload = rowPayload.extend({
  /** `media`: given file of the post; `asset`: generated file of the post; `ref`: reference of its generation. */
  of: z.enum(['media', 'asset', 'ref', 'cover']),
  /** Position among the files of that kind. */
  i: z.int().nonnegative(),
});
export type UploadPayload = z.infer<typeof uploadPayload>;

export function uploadJobId(payload: UploadPayload): string {
  return rowJobId(payload, `upload-${payload.of}`, payload.i);
}

export function uploadJob(data: UploadPayload, options: FlowOptions): FlowJob {
  return rowJob({ queueName: uploadQueue, jobId: uploadJobId(data), data }, options);
}
