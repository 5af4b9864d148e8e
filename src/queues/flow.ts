/**
 * The flow of a row: the tree of its jobs, with the post as root.
 *
 *     post <- upload (one per file)                               media given as files or URLs
 *          <- poll <- generate <- upload (one per reference)      media generated; poll adds the uploads of its assets
 */
import type { FlowJob } from 'bullmq';
import { generateJob } from './generate.ts';
import type { RowPayload } from './jobs.ts';
import { pollJob } from './poll.ts';
import { postJob } from './post.ts';
import { type UploadPayload, uploadJob } from './upload.ts';

/** What is left to do for a row; what the ledger knows as done is not in it. */
export interface FlowPlan {
  readonly uploads: readonly Pick<UploadPayload, 'of' | 'i'>[];
  readonly generation: GenerationPlan | undefined;
}

export interface GenerationPlan {
  /** The number of the generation to create; undefined when there is one to poll already. */
  readonly create: number | undefined;
  /** Positions of local references that have to be uploaded first. */
  readonly references: readonly number[];
}

export interface FlowOptions {
  readonly attempts: number;
  readonly prefix: string;
}

export function rowFlow(row: RowPayload, plan: FlowPlan, { attempts, prefix }: FlowOptions): FlowJob {
  const children = plan.uploads.map((upload) => uploadJob({ ...row, ...upload }, attempts, prefix));
  if (plan.generation) children.push(generationFlow(row, plan.generation, { attempts, prefix }));
  const post = postJob(row, attempts, prefix);
  return children.length > 0 ? { ...post, children } : post;
}

function generationFlow(row: RowPayload, plan: GenerationPlan, { attempts, prefix }: FlowOptions): FlowJob {
  const poll = pollJob(row, attempts, prefix);
  if (plan.create === undefined) return poll;
  const references = plan.references.map((i) => uploadJob({ ...row, of: 'ref', i }, attempts, prefix));
  const generate = generateJob({ ...row, n: plan.create }, attempts, prefix);
  return { ...poll, children: [references.length > 0 ? { ...generate, children: references } : generate] };
}
