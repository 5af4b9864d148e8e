/**
 * The flow of a row: the tree of its jobs, with the post as root.
 *
 *     post <- upload (one per file)                               media given as files or URLs
 *          <- poll <- generate <- upload (one per reference)      media generated; poll adds the uploads of its assets
 */
import type { FlowJob } from 'bullmq';
import { generateJob } from './generate.ts';
import type { FlowOptions, RowPayload } from './jobs.ts';
import { pollJob } from './poll.ts';
import { postJob } from './post.ts';
import { type UploadPayload, uploadJob } from './upload.ts';

/** What is left to do for a row, without what the ledger knows as done. */
export interface FlowPlan {
  readonly uploads: readonly Pick<UploadPayload, 'of' | 'i'>[];
  readonly generation: GenerationPlan | undefined;
}

export interface GenerationPlan {
  /** Number of the generation to create; undefined when there is already one to poll. */
  readonly create: number | undefined;
  /** Positions of local references to upload first. */
  readonly references: readonly number[];
}

export function rowFlow(row: RowPayload, plan: FlowPlan, options: FlowOptions): FlowJob {
  const children = plan.uploads.map((upload) => uploadJob({ ...row, ...upload }, options));
  if (plan.generation) children.push(generationFlow(row, plan.generation, options));
  const post = postJob(row, options);
  return children.length > 0 ? { ...post, children } : post;
}

function generationFlow(row: RowPayload, plan: GenerationPlan, options: FlowOptions): FlowJob {
  const poll = pollJob(row, options);
  if (plan.create === undefined) return poll;
  const references = plan.references.map((i) => uploadJob({ ...row, of: 'ref', i }, options));
  const generate = generateJob({ ...row, n: plan.create }, options);
  return { ...poll, children: [references.length > 0 ? { ...generate, children: references } : generate] };
}
