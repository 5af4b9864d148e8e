/** Posts that a person names by the keys of their rows, and why some of them do not wait for an approval. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { RowIndex } from '../../manifest/row-ref.ts';
import { findRow } from '../campaigns/find.ts';
import type { Approved } from './approve.ts';
import { type ApprovalRuntime, describePosts, readShownPosts, type WaitingPost } from './waiting-posts.ts';

/** A post that is not decided. `refused`: why, for people. */
export interface UndecidedPost extends Pick<Approved['posts'][number], 'key' | 'position'> {
  readonly refused: string;
}

export interface NamedPosts {
  /** Those that wait for an approval, in the order of the keys. */
  readonly posts: readonly WaitingPost[];
  readonly others: readonly UndecidedPost[];
}

/** @param keys of rows; one that is given twice counts once. @throws {UseCaseError} `row_not_found`. */
export async function readNamedPosts(
  runtime: ApprovalRuntime,
  campaign: Campaign,
  keys: readonly string[],
): Promise<NamedPosts> {
  const named: { readonly key: string; readonly position: RowIndex }[] = [];
  for (const key of new Set(keys)) named.push({ key, position: await findRow(runtime, campaign, key) });
  const rows = named.map(({ position }) => position);
  const posts = await describePosts(runtime, campaign, await readShownPosts(runtime, campaign, rows));
  const found = new Set(posts.map(({ position }) => position));
  const missing = named.filter(({ position }) => !found.has(position));
  const reasons = await reasonsOf(
    runtime,
    campaign.id,
    missing.map(({ position }) => position),
  );
  return { posts, others: missing.map((each, index) => ({ ...each, refused: reasons[index] ?? unneeded })) };
}

/** What has become of a row, after `it`. */
export const ended = {
  posted: 'is posted',
  failed: 'has failed',
  review: 'is in review',
  cancelled: 'is cancelled',
} as const;
const unneeded = 'It does not wait for an approval.';

async function reasonsOf(
  { ledger }: ApprovalRuntime,
  campaign: string,
  rows: readonly RowIndex[],
): Promise<readonly string[]> {
  const [statuses, approvals, unpaid] = await Promise.all([
    ledger.rows.statusesOf(campaign, rows),
    ledger.approvals.of(campaign, rows),
    ledger.approvals.areUnpaid(campaign, rows),
  ]);
  return rows.map((_row, index) => {
    const state = statuses[index]?.state ?? 'waiting';
    if (state === 'waiting' || state === 'running') return 'Its media are not ready yet.';
    if (state !== 'ready') return `It does not wait for an approval: it ${ended[state]}.`;
    if (unpaid[index]) return 'Its AI outputs are beyond the limit of the settings. Allow them first.';
    return approvals[index]?.is === 'approved' ? 'It is approved already.' : unneeded;
  });
}
