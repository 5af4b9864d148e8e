/** Queue `upload`: one job per file. It is a child of the `post` job, or of `generate` for a local reference. */
import type { FlowJob } from 'bullmq';
import { z } from 'zod';
import { rowJobId, rowJobName, rowPayload, stepOptions } from './jobs.ts';

export const uploadQueue = 'upload';

export const uploadPayload = rowPayload.extend({
  /** `media` and `asset` are files of the post (given, and generated), `ref` a reference of its generation. */
  of: z.enum(['media', 'asset', 'ref', 'cover']),
  /** Position among the files of that kind. */
  i: z.int().nonnegative(),
});
export type UploadPayload = z.infer<typeof uploadPayload>;

export function uploadJobId(payload: UploadPayload): string {
  return rowJobId(payload, `upload-${payload.of}`, payload.i);
}

export function uploadJob(payload: UploadPayload, attempts: number, prefix: string): FlowJob {
  return {
    name: rowJobName(payload, `${payload.of} ${payload.i + 1}`),
    queueName: uploadQueue,
    prefix,
    data: payload,
    opts: { ...stepOptions(attempts), jobId: uploadJobId(payload) },
  };
}
