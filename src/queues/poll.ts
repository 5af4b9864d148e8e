/** Queue `poll`: a delayed job that reschedules itself until the generation is terminal. A child of `post`. */
import type { FlowJob } from 'bullmq';
import { z } from 'zod';
import { type FlowOptions, type RowPayload, rowJob, rowJobId, rowPayload } from './jobs.ts';

export const pollQueue = 'poll';
export const pollPayload = rowPayload.extend({
  /** How many polls in a row the service has refused. */
  refused: z.int().nonnegative().default(0),
  /** How often the generation was polled. BullMQ counts other runs of the job too, such as those while the campaign is paused. */
  polls: z.int().nonnegative().default(0),
});
export type PollPayload = z.infer<typeof pollPayload>;

export function pollJobId(payload: RowPayload): string {
  return rowJobId(payload, 'poll');
}

export function pollJob(data: RowPayload, options: FlowOptions): FlowJob {
  return rowJob({ queueName: pollQueue, jobId: pollJobId(data), data }, options);
}
