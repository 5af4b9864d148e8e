/** Queue `showcase`: one job makes one call for up to 20 products of one creator, then adds the flows of its rows. */
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';
import { stepOptions } from './jobs.ts';

export const showcaseQueue = 'showcase';

export const showcasePayload = z.object({
  /** Campaign id. */
  c: z.string(),
  /** Number of the group in the ledger. */
  g: z.int().nonnegative(),
});
export type ShowcasePayload = z.infer<typeof showcasePayload>;

export function showcaseJobId(payload: ShowcasePayload): string {
  return `${payload.c}-showcase-${payload.g}`;
}

/** The group that a job id belongs to; undefined for a job of another queue. */
export function groupOfJobId(jobId: string): ShowcasePayload | undefined {
  const match = /^([^-]+)-showcase-(\d+)$/.exec(jobId);
  return match?.[1] ? { c: match[1], g: Number(match[2]) } : undefined;
}

export function showcaseJob(
  payload: ShowcasePayload,
  attempts: number,
): { name: string; data: ShowcasePayload; opts: JobsOptions & { jobId: string } } {
  return {
    name: showcaseQueue,
    data: payload,
    opts: { ...stepOptions(attempts), jobId: showcaseJobId(payload) },
  };
}
