/** What all queues share: names, ids and options of a row's jobs. */
import type { FlowJob, JobsOptions } from 'bullmq';
import { z } from 'zod';

/** A row in one of its revisions. Jobs carry only ids; the ledger has the rest. */
export const rowPayload = z.object({
  /** Campaign id. */
  c: z.string(),
  /** Position of the row in the campaign. */
  r: z.int().nonnegative(),
  /** Revision of the row. */
  v: z.int().nonnegative(),
});
export type RowPayload = z.infer<typeof rowPayload>;

/** Job ids consist of campaign, row, revision, step and index, so that adding a job again after a crash is harmless. */
export function rowJobId(payload: RowPayload, step: string, index?: number): string {
  const id = `${payload.c}-${payload.r}-${payload.v}-${step}`;
  return index === undefined ? id : `${id}-${index}`;
}

/** The row that a job id belongs to; undefined for a job of no single row. */
export function rowOfJobId(jobId: string): RowPayload | undefined {
  const match = /^([^-]+)-(\d+)-(\d+)-/.exec(jobId);
  return match?.[1] ? { c: match[1], r: Number(match[2]), v: Number(match[3]) } : undefined;
}

/**
 * Options of a step's job: `attempts` runs with the worker's own backoff. A few completed jobs are kept for operators to see;
 * failed ones stay until they are retried or the keeper trims them.
 */
export function stepOptions(attempts: number): JobsOptions {
  return {
    attempts,
    backoff: { type: 'custom' },
    removeOnComplete: { count: 200 },
    removeOnFail: false,
  };
}

export interface FlowOptions {
  /** How often a step is tried in all. */
  readonly attempts: number;
  readonly prefix: string;
}

/** The name is the queue's: metrics are labelled by it, so there must be few. Bull Board shows the row instead. */
export function rowJob<P extends RowPayload>(
  job: { readonly queueName: string; readonly jobId: string; readonly data: P },
  { attempts, prefix }: FlowOptions,
) {
  const { queueName, jobId, data } = job;
  return {
    name: queueName,
    queueName,
    prefix,
    data,
    opts: { ...stepOptions(attempts), jobId },
  } satisfies FlowJob;
}
