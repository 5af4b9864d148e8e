/** The gates of a row before its post: the approval of a person, and its day. Until they open, the row is ready, without a job. */

import { progressField, type RowProgress } from '../../ledger/rows/row-progress.ts';
import { approvalDigest } from '../../ledger/transitions/approvals.ts';
import type { Gate } from '../../ledger/transitions/step-outcomes.ts';
import { handedOverAt, needsApproval } from '../../manifest/campaign-options.ts';
import type { PostPayload } from '../../queues/row-jobs.ts';
import { done, type Outcome } from '../runner/outcome.ts';
import type { RowInput } from '../runner/step.ts';

/** What people have said of a post as it is. */
export type PostApproval =
  | { readonly is: 'unneeded' }
  /** A person must see it first. */
  | { readonly is: 'missing' }
  /** `digest`: of the post as it was approved. */
  | { readonly is: 'given'; readonly digest: string }
  /** Files are missing: it is refused when it is prepared. */
  | { readonly is: 'incomplete' };

/** @param fileId of the file that the job has just uploaded, not recorded yet. */
export async function passGates(
  input: RowInput<PostPayload>,
  fileId: string | undefined,
): Promise<{ readonly approval: PostApproval } | { readonly outcome: Outcome }> {
  const fields = fileId === undefined ? [] : [[progressField.file(0), fileId] as const];
  const approval = await approvalOf(input, fileId);
  const gate = approval.is === 'missing' ? unapproved(input) : await untilHandedOver(input);
  if (!gate) return { approval };
  input.context.failpoint('at-gate');
  await input.run.finish({ verdict: 'ready', gate, fields });
  return { outcome: done };
}

export function differsFromApproved(
  { target: row, creator }: RowInput<PostPayload>,
  progress: RowProgress,
  approval: PostApproval,
): boolean {
  if (approval.is === 'unneeded') return false;
  return approval.is !== 'given' || approvalDigest(row, creator.creatorId, progress) !== approval.digest;
}

async function approvalOf(
  { context: { ledger }, target: row, view, creator, run }: RowInput<PostPayload>,
  fileId: string | undefined,
): Promise<PostApproval> {
  if (!needsApproval(row, view.campaign.approve)) return { is: 'unneeded' };
  const { id } = view.campaign;
  const [[approval], progress] = await Promise.all([
    ledger.approvals.of(id, [run.ref.row]),
    ledger.rows.progress(id, run.ref.row),
  ]);
  const files = fileId === undefined ? progress.files : new Map([...progress.files, [0, fileId] as const]);
  const digest = approvalDigest(row, creator.creatorId, { ...progress, files });
  if (digest === undefined) return { is: 'incomplete' };
  const isGiven = approval?.is === 'approved' && approval.digest === digest;
  return isGiven ? { is: 'given', digest } : { is: 'missing' };
}

function unapproved({ context, target: { schedule } }: RowInput<PostPayload>): Gate {
  return { name: 'unapproved', at: schedule?.at ?? context.now() };
}

async function untilHandedOver(input: RowInput<PostPayload>): Promise<Gate | undefined> {
  const { context, target: row, view } = input;
  const at = handedOverAt(row, view.campaign.lead);
  if (at === undefined || at <= context.now()) return undefined;
  // The rows of a canary go at once: a person wants to look at their posts.
  const { id, canary } = view.campaign;
  const now = canary === null ? undefined : await context.ledger.campaigns.find(id);
  return now?.canaryWindow !== undefined ? undefined : { name: 'ready', at };
}
