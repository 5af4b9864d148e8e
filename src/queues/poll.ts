/** Queue `poll`: a delayed job that puts itself back until the generation is terminal. A child of `post`. */
import type { FlowJob } from 'bullmq';
import { z } from 'zod';
import { type RowPayload, rowJobId, rowJobName, rowPayload, stepOptions } from './jobs.ts';

export const pollQueue = 'poll';
export const pollPayload = rowPayload.extend({
  /** How many polls in a row the service has refused. */
  refused: z.int().nonnegative().default(0),
});
export type PollPayload = z.infer<typeof pollPayload>;

export function pollJobId(payload: RowPayload): string {
  return rowJobId(payload, 'poll');
}

export function pollJob(payload: RowPayload, attempts: number, prefix: string): FlowJob {
  return {
    name: rowJobName(payload, 'polling'),
    queueName: pollQueue,
    prefix,
    data: payload,
    opts: { ...stepOptions(attempts), jobId: pollJobId(payload) },
  };
}
