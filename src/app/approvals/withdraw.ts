/**
 * Takes approvals back, while their posts still wait. And posts that a person names by the keys of their rows, with why some of them do
 * not wait for an approval.
 */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { batches } from '../../ledger/ledger-part.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { findCampaign, findRow } from '../campaigns/find.ts';
import { isoTimeOrNull } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type Approved, hasMoved, postsAtOnce, type SeenPost } from './approve.ts';
import { type ApprovalRuntime, describePosts, readShownPosts, type WaitingPost } from './waiting-posts.ts';

/** An approved post that still waits for its day. */
export type ApprovedPost = Pick<
  WaitingPost,
  'key' | 'position' | 'revision' | 'creator' | 'caption' | 'product' | 'scheduledAt'
>;

/**
 * The posts wait for another approval. One that is no longer approved and ready is refused, with why, and stops no others.
 * @param by name of the person.
 * @throws {UseCaseError} `campaign_not_found`, `approval_refused` for a cancelled campaign.
 */
export async function withdrawApprovals(
  { ledger, views }: Pick<Runtime, 'ledger' | 'views'>,
  id: string,
  posts: readonly Pick<SeenPost, 'position' | 'revision'>[],
  by: string,
): Promise<Approved> {
  const campaign = await findCampaign({ ledger }, id);
  if (campaign.cancelledAt !== undefined)
    throw new UseCaseError('approval_refused', `campaign ${id} was cancelled: its posts are not sent`);
  const view = await views.open(id, campaign.sheetVersion);
  const there = posts.filter(({ position }) => position < campaign.rows);
  const outcomes: Approved['posts'][number][] = [];
  for (const some of batches(there, postsAtOnce)) {
    const seen = await Promise.all(
      some.map(async ({ position: row, revision }) => {
        const spec = await view?.readableRow(row);
        return { row, revision, plannedAt: spec?.schedule?.at };
      }),
    );
    const changed = await ledger.approvals.withdraw(id, seen, by);
    const reasons = await whyNotWithdrawn(ledger, id, some);
    for (const [index, { position }] of some.entries()) {
      const key = await ledger.rowKeys.of(campaign, position);
      const end = changed.has(position)
        ? ({ state: 'ready', refused: null } as const)
        : { state: null, refused: reasons[index] ?? hasMoved };
      outcomes.push({ campaign: id, key, position, ...end });
    }
  }
  return { posts: outcomes };
}

/** @returns undefined for a post whose approval can be withdrawn. */
async function whyNotWithdrawn(
  { rows, approvals }: Runtime['ledger'],
  campaign: string,
  posts: readonly { readonly position: RowIndex; readonly revision?: number }[],
): Promise<readonly (string | undefined)[]> {
  const positions = posts.map(({ position }) => position);
  const [statuses, words, waits, ready] = await Promise.all([
    rows.statusesOf(campaign, positions),
    approvals.of(campaign, positions),
    approvals.areAt(campaign, 'unapproved', positions),
    approvals.areAt(campaign, 'ready', positions),
  ]);
  return posts.map(({ revision }, index) => {
    const { state = 'waiting', revision: now } = statuses[index] ?? {};
    if (state === 'ready') {
      if (waits[index]) return 'It already waits for approval.';
      if (words[index]?.is !== 'approved' || !ready[index]) return unapproved;
      return revision === undefined || revision === now ? undefined : hasMoved;
    }
    if (state !== 'waiting' && state !== 'running') return `It no longer waits: it ${ended[state]}.`;
    return words[index]?.is === 'approved' ? underWay : unapproved;
  });
}

const unapproved = 'It has no approval.';
const underWay = 'It is already being sent: its approval stays.';

/**
 * The posts of a campaign whose approvals can be withdrawn, the nearest day first.
 * @param keys of rows, if only these are meant. `others`: those of them that have no such approval.
 * @throws {UseCaseError} `row_not_found`.
 */
export async function readApprovedPosts(
  runtime: Pick<Runtime, 'ledger' | 'views'>,
  campaign: Campaign,
  keys: readonly string[],
): Promise<{ readonly posts: readonly ApprovedPost[]; readonly others: readonly UndecidedPost[] }> {
  const { ledger } = runtime;
  const { id } = campaign;
  const positions: RowIndex[] = [];
  for (const key of new Set(keys)) positions.push(await findRow(runtime, campaign, key));
  const rows = keys.length > 0 ? positions : await ledger.approvals.approved(id);
  const posts: ApprovedPost[] = [];
  const others: UndecidedPost[] = [];
  for (const some of batches(rows, postsAtOnce)) {
    const reasons = await whyNotWithdrawn(
      ledger,
      id,
      some.map((position) => ({ position })),
    );
    const refused = some.flatMap((position, index) => {
      const reason = reasons[index];
      return reason === undefined ? [] : [{ position, refused: reason }];
    });
    for (const { position, refused: why } of refused)
      others.push({ key: await ledger.rowKeys.of(campaign, position), position, refused: why });
    posts.push(
      ...(await describe(
        runtime,
        campaign,
        some.filter((_row, index) => reasons[index] === undefined),
      )),
    );
  }
  return { posts, others };
}

async function describe(
  { ledger, views }: Pick<Runtime, 'ledger' | 'views'>,
  { id, sheetVersion }: Campaign,
  rows: readonly RowIndex[],
): Promise<readonly ApprovedPost[]> {
  const [statuses, view] = await Promise.all([
    ledger.rows.statusesOf(id, rows),
    views.open(id, sheetVersion),
  ]);
  const described = rows.map(async (position, index): Promise<readonly ApprovedPost[]> => {
    const [spec, status] = [await view?.readableRow(position), statuses[index]];
    if (spec === undefined || status === undefined) return [];
    const { key, creator, caption, product, schedule } = spec;
    const { revision } = status;
    const shown = { creator, caption, product: product.title || product.id };
    return [{ key, position, revision, ...shown, scheduledAt: isoTimeOrNull(schedule?.at) }];
  });
  return (await Promise.all(described)).flat();
}

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
  const reasons = await whyUndecided(
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

async function whyUndecided(
  { ledger }: ApprovalRuntime,
  campaign: string,
  rows: readonly RowIndex[],
): Promise<readonly string[]> {
  const [statuses, approvals, unpaid] = await Promise.all([
    ledger.rows.statusesOf(campaign, rows),
    ledger.approvals.of(campaign, rows),
    ledger.approvals.areAt(campaign, 'unpaid', rows),
  ]);
  return rows.map((_row, index) => {
    const state = statuses[index]?.state ?? 'waiting';
    if (state === 'waiting' || state === 'running') return 'Its media are not ready yet.';
    if (state !== 'ready') return `It does not wait for an approval: it ${ended[state]}.`;
    if (unpaid[index]) return 'Its AI outputs are beyond the limit of the settings. Allow them first.';
    return approvals[index]?.is === 'approved' ? 'It is approved already.' : unneeded;
  });
}
