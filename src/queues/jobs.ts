/** What all queues share: how a row's jobs are named and identified, and how often they are tried. */
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';

/** A row in one of its revisions; jobs carry ids only, the ledger has the rest. */
export const rowPayload = z.object({
  /** Campaign id. */
  c: z.string(),
  /** Position of the row in the campaign. */
  r: z.int().nonnegative(),
  /** Revision of the row. */
  v: z.int().nonnegative(),
});
export type RowPayload = z.infer<typeof rowPayload>;

/** Job ids are made of campaign, row, revision, step and index, so that adding a job again after a crash is harmless. */
export function rowJobId(payload: RowPayload, step: string, index?: number): string {
  const id = `${payload.c}-${payload.r}-${payload.v}-${step}`;
  return index === undefined ? id : `${id}-${index}`;
}

/** The row that a job id belongs to; undefined for jobs that are no row's own. */
export function rowOfJobId(jobId: string): RowPayload | undefined {
  const match = /^([^-]+)-(\d+)-(\d+)-/.exec(jobId);
  return match?.[1] ? { c: match[1], r: Number(match[2]), v: Number(match[3]) } : undefined;
}

/** What people read in Bull Board: row numbers count from 1 there, as in a sheet. */
export function rowJobName(payload: RowPayload, what: string): string {
  return `${what} of row ${payload.r + 1}, ${payload.c}`;
}

/**
 * Options of a step's job: `attempts` runs with the worker's own backoff. Completed jobs are kept only as a glimpse for
 * operators; failed ones stay until they are retried or the keeper trims them.
 */
export function stepOptions(attempts: number): JobsOptions {
  return {
    attempts,
    backoff: { type: 'custom' },
    removeOnComplete: { count: 200 },
    removeOnFail: false,
  };
}
