/** Queue `post`: the root of a row's flow. It runs when all its children are done, and creates the publishing task. */
import type { FlowJob } from 'bullmq';
import { type RowPayload, rowJobId, rowJobName, rowPayload, stepOptions } from './jobs.ts';

export const postQueue = 'post';
export const postPayload = rowPayload;

export function postJobId(payload: RowPayload): string {
  return rowJobId(payload, 'post');
}

export function postJob(payload: RowPayload, attempts: number, prefix: string): FlowJob {
  return {
    name: rowJobName(payload, 'post'),
    queueName: postQueue,
    prefix,
    data: payload,
    opts: { ...stepOptions(attempts), jobId: postJobId(payload) },
  };
}
