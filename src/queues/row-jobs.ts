/**
 * The jobs of one row, with a queue for each of its steps. They form a flow, the tree of its jobs, with the post as root.
 *
 *     post                                                        one medium, given as a file: the post uploads it first
 *     post <- upload (one per file)                               other media given as files or URLs
 *          <- poll <- generate <- upload (one per reference)      media generated; poll adds the uploads of its assets
 */
import type { FlowJob, JobsOptions } from 'bullmq';
import { z } from 'zod';
import type { ErrorCode } from '../manifest/problems/error-codes.ts';
import type { RowRef } from '../manifest/row.ts';
import type { Step } from '../manifest/steps.ts';

/** A row as job data: campaign, row index, revision. Jobs carry only ids; the ledger has the rest. */
const rowData = z.object({ c: z.string(), r: z.int().nonnegative(), v: z.int().nonnegative() });

function parsed<T extends z.infer<typeof rowData>>({ c, r, v, ...rest }: T) {
  const ref: RowRef = { campaign: c, row: r, revision: v };
  return { ...ref, ...rest };
}

export function jobData<T extends RowRef>({ campaign, row, revision, ...rest }: T) {
  return { c: campaign, r: row, v: revision, ...rest };
}

/** Job ids consist of campaign, row, revision, step and index, so that adding a job again after a crash is harmless. */
function rowJobId({ campaign, row, revision }: RowRef, step: string, index?: number): string {
  const id = `${campaign}-${row}-${revision}-${step}`;
  return index === undefined ? id : `${id}-${index}`;
}

/** The row that a job id belongs to; undefined for a job of no single row. */
export function rowOfJobId(jobId: string): RowRef | undefined {
  const match = /^([^-]+)-(\d+)-(\d+)-/.exec(jobId);
  const [, campaign, row, revision] = match ?? [];
  return campaign ? { campaign, row: Number(row), revision: Number(revision) } : undefined;
}

/** @param attempts with the worker's own backoff. Failed jobs stay until they are retried or the rescuer trims them. */
export function stepOptions(attempts: number): JobsOptions {
  return { attempts, backoff: { type: 'custom' }, removeOnComplete: { count: 200 }, removeOnFail: false };
}

export interface FlowOptions {
  readonly attempts: number;
  readonly prefix: string;
}

/** The name is the queue's: metrics are labelled by it, so there must be few. Bull Board shows the row instead. */
function rowJob(step: Step, jobId: string, data: RowRef, { attempts, prefix }: FlowOptions): FlowJob {
  return {
    name: step,
    queueName: step,
    prefix,
    data: jobData(data),
    opts: { ...stepOptions(attempts), jobId },
  };
}

/** Uploads one file. A child of `post`, or of `generate` for a local reference. */
export const uploadPayload = rowData
  .extend({
    /** `media`: given file of the post; `asset`: generated file of the post; `ref`: reference of its generation. */
    of: z.enum(['media', 'asset', 'ref', 'cover']),
    /** Position among the files of that kind. */
    i: z.int().nonnegative(),
    /** Why the upload was refused to the post that tried it: nothing is left but to say so. */
    refused: z
      .object({
        code: z.string() as z.ZodType<ErrorCode>,
        message: z.string(),
        subject: z.string().optional(),
        fix: z.string().optional(),
      })
      .optional(),
  })
  .transform(parsed);
export type UploadPayload = z.infer<typeof uploadPayload>;

export function uploadJobId(payload: UploadPayload): string {
  return rowJobId(payload, `upload-${payload.of}`, payload.i);
}

export function uploadJob(data: UploadPayload, options: FlowOptions): FlowJob {
  return rowJob('upload', uploadJobId(data), data, options);
}

/** Creates the AI generation schedule of a row. A child of `poll`. */
export const generatePayload = rowData
  .extend({
    /** Number of the generation, from 1. A further one follows only after an explicit failure. */
    n: z.int().positive(),
  })
  .transform(parsed);
export type GeneratePayload = z.infer<typeof generatePayload>;

export function generateJob(data: GeneratePayload, options: FlowOptions): FlowJob {
  return rowJob('generate', rowJobId(data, 'generate', data.n), data, options);
}

/** A delayed job that reschedules itself until the generation is terminal. A child of `post`. */
export const pollPayload = rowData
  .extend({
    /** How many polls in a row the service has refused. */
    refused: z.int().nonnegative().default(0),
    /** How often the generation was polled. BullMQ counts other runs of the job too, such as those while the campaign is paused. */
    polls: z.int().nonnegative().default(0),
  })
  .transform(parsed);
export type PollPayload = z.infer<typeof pollPayload>;

export function pollJobId(row: RowRef): string {
  return rowJobId(row, 'poll');
}

/** The root of a row's flow. It runs when all its children are done, and creates the publishing task. */
export const postPayload = rowData
  .extend({
    /** Whether the job uploads the row's only medium first, unless that is already done. */
    u: z.literal(1).optional(),
  })
  .transform(parsed);
export type PostPayload = z.infer<typeof postPayload>;

export function postJobId(row: RowRef): string {
  return rowJobId(row, 'post');
}

/** What is left to do for a row, without what the ledger knows as done. */
export interface FlowPlan {
  readonly uploads: readonly Pick<UploadPayload, 'of' | 'i'>[];
  /** Whether the post uploads the row's only medium. */
  readonly postUploads?: boolean;
  readonly generation: GenerationPlan | undefined;
}

export interface GenerationPlan {
  /** Number of the generation to create; undefined when there is already one to poll. */
  readonly create: number | undefined;
  /** Positions of local references to upload first. */
  readonly references: readonly number[];
}

export function rowFlow(row: RowRef, plan: FlowPlan, options: FlowOptions): FlowJob {
  const children = plan.uploads.map((upload) => uploadJob({ ...row, ...upload }, options));
  if (plan.generation) children.push(generationFlow(row, plan.generation, options));
  const payload: PostPayload = plan.postUploads ? { ...row, u: 1 } : row;
  const post = rowJob('post', postJobId(row), payload, options);
  return children.length > 0 ? { ...post, children } : post;
}

function generationFlow(row: RowRef, plan: GenerationPlan, options: FlowOptions): FlowJob {
  const poll = rowJob('poll', pollJobId(row), row, options);
  if (plan.create === undefined) return poll;
  const references = plan.references.map((i) => uploadJob({ ...row, of: 'ref', i }, options));
  const generate = generateJob({ ...row, n: plan.create }, options);
  return { ...poll, children: [references.length > 0 ? { ...generate, children: references } : generate] };
}
