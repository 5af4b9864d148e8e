/** Queue `generate`: creates the AI generation schedule of a row. A child of `poll`. */
import type { FlowJob } from 'bullmq';
import { z } from 'zod';
import { rowJobId, rowJobName, rowPayload, stepOptions } from './jobs.ts';

export const generateQueue = 'generate';

export const generatePayload = rowPayload.extend({
  /** Which generation of the row, from 1: a further one follows only upon an explicit failure. */
  n: z.int().positive(),
});
export type GeneratePayload = z.infer<typeof generatePayload>;

export function generateJobId(payload: GeneratePayload): string {
  return rowJobId(payload, 'generate', payload.n);
}

export function generateJob(payload: GeneratePayload, attempts: number, prefix: string): FlowJob {
  return {
    name: rowJobName(payload, `generation ${payload.n}`),
    queueName: generateQueue,
    prefix,
    data: payload,
    opts: { ...stepOptions(attempts), jobId: generateJobId(payload) },
  };
}
