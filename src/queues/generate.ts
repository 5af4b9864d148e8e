/** Queue `generate`: creates the AI generation schedule of a row. A child of `poll`. */
import type { FlowJob } from 'bullmq';
import { z } from 'zod';
import { type FlowOptions, rowJob, rowJobId, rowPayload } from './jobs.ts';

export const generateQueue = 'generate';

export const generatePayload = rowPayload.extend({
  /** Number of the generation, from 1. A further one follows only after an explicit failure. */
  n: z.int().positive(),
});
export type GeneratePayload = z.infer<typeof generatePayload>;

export function generateJob(data: GeneratePayload, options: FlowOptions): FlowJob {
  const jobId = rowJobId(data, 'generate', data.n);
  return rowJob({ queueName: generateQueue, jobId, data }, options);
}
