/** Queue `post`: the root of a row's flow. It runs when all its children are done, and creates the publishing task. */
import type { FlowJob } from 'bullmq';
import { type FlowOptions, type RowPayload, rowJob, rowJobId } from './jobs.ts';

export const postQueue = 'post';

export function postJobId(payload: RowPayload): string {
  return rowJobId(payload, 'post');
}

export function postJob(data: RowPayload, options: FlowOptions): FlowJob {
  return rowJob({ queueName: postQueue, jobId: postJobId(data), data }, options);
}
