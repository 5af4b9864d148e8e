/** The gates of a row before its post: the approval of a person, and its day. Until they open, the row is ready, without a job. */
import { approvalDigest } from '../../ledger/rows/approval-digest.ts';
import { progressField, type RowProgress } from '../../ledger/rows/row-progress.ts';
import type { Gate } from '../../ledger/transitions/step-end.ts';
import { needsApproval } from '../../manifest/approve.ts';
import { handedOverAt } from '../../manifest/lead.ts';
import type { PostPayload } from '../../queues/row-jobs.ts';
import { done, type Outcome } from '../runner/outcome.ts';
import type { RowInput } from '../runner/step.ts';

/** `approved`: digest of the post as it was approved; undefined for a row that needs no approval. */
type Passed = { readonly approved: string | undefined } | { readonly outcome: Outcome };

/** @param fileId of a file that the row does not know of yet. */
export async function passGates(input: RowInput<PostPayload>, fileId: string | undefined): Promise<Passed> {
  const fields = fileId === undefined ? [] : [[progressField.file(0), fileId] as const];
  const approved = await approvalOf(input, fileId);
  const gate = approved === 'none' ? unapproved(input) : await untilHandedOver(input);
  if (!gate) return { approved };
  input.context.failpoint('at-gate');
  await input.run.finish({ verdict: 'ready', gate, fields });
  return { outcome: done };
}

/** Whether this is another post than the one that was approved. */
export function isOther(
  { target: row, creator }: RowInput<PostPayload>,
  progress: RowProgress,
  approved: string | undefined,
): boolean {
  return approved !== undefined && approvalDigest(row, creator.creatorId, progress) !== approved;
}

/** @returns the digest that was approved, if it is that of the post; `none` if a person must see it; undefined if that is not needed. */
async function approvalOf(
  { context: { ledger }, target: row, view, creator, run }: RowInput<PostPayload>,
  fileId: string | undefined,
): Promise<string | 'none' | undefined> {
  if (!needsApproval(row, view.campaign.approve)) return undefined;
  const { id } = view.campaign;
  const [[approval], progress] = await Promise.all([
    ledger.approvals.of(id, [run.ref.row]),
    ledger.rows.progress(id, run.ref.row),
  ]);
  const files = fileId === undefined ? progress.files : new Map([...progress.files, [0, fileId] as const]);
  const digest = approvalDigest(row, creator.creatorId, { ...progress, files });
  // A post without all its files is refused when it is prepared.
  if (digest === undefined) return 'incomplete';
  return approval?.is === 'approved' && approval.digest === digest ? digest : 'none';
}

function unapproved({ context, target: { schedule } }: RowInput<PostPayload>): Gate {
  return { name: 'unapproved', at: schedule?.at ?? context.now() };
}

async function untilHandedOver({
  context,
  target: row,
  view,
}: RowInput<PostPayload>): Promise<Gate | undefined> {
  const at = handedOverAt(row, view.campaign.lead);
  if (at === undefined || at <= context.now()) return undefined;
  // The rows of a canary go at once: a person wants to look at their posts.
  const { id, canary } = view.campaign;
  const now = canary === null ? undefined : await context.ledger.campaigns.find(id);
  return now?.canaryWindow !== undefined ? undefined : { name: 'ready', at };
}
