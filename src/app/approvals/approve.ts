/** Approves and rejects posts as they were shown. */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { batches } from '../../ledger/ledger-part.ts';
import type { RowError } from '../../ledger/states.ts';
import { changedParts } from '../../ledger/transitions/approvals.ts';
import { handedOverAt } from '../../manifest/campaign-options.ts';
import { printableLines } from '../../manifest/printable.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { findCampaign } from '../campaigns/find.ts';
import { type Document, rowState } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type Fate, type Fates, fateOf } from './fates.ts';
import { readShownPosts, type ShownPost } from './waiting-posts.ts';

export const longestReason = 1000;

export interface SeenPost {
  /** Position of the row in the campaign, from 0. */
  readonly position: number;
  readonly revision: number;
  /** `WaitingPost.seen`; not needed to reject it. */
  readonly seen?: string | undefined;
}

export type Verdict =
  | { readonly kind: 'approve' }
  /** `reason`: not empty. */
  | { readonly kind: 'reject'; readonly reason: string };

export interface Decision {
  readonly verdict: Verdict;
  /** Name of the person. */
  readonly by: string;
}

export const approvedSchema = z.strictObject({
  /** In the order of the request. Rows that do not exist are left out. */
  posts: z.array(
    z.strictObject({
      campaign: z.string(),
      key: z.string(),
      position: z.int(),
      /** State of the row afterwards; null if nothing was changed. */
      state: rowState.nullable(),
      /** Why nothing was changed. */
      refused: z.string().nullable(),
    }),
  ),
});
export type Approved = Document<typeof approvedSchema>;

type Outcome = Approved['posts'][number];

/**
 * Each post by itself: one that has changed since it was shown is refused, with what changed, and stops no others.
 * @throws {UseCaseError} `campaign_not_found`, `approval_refused` for a cancelled campaign.
 */
export async function decidePosts(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'queues'>,
  id: string,
  posts: readonly SeenPost[],
  decision: Decision,
): Promise<Approved> {
  const campaign = await findCampaign(runtime, id);
  if (campaign.cancelledAt !== undefined)
    throw new UseCaseError('approval_refused', `campaign ${id} was cancelled: its posts are not sent`);
  const outcomes: Outcome[] = [];
  for (const some of batches(
    posts.filter(({ position }) => position < campaign.rows),
    postsAtOnce,
  ))
    outcomes.push(...(await decideSome(runtime, campaign, some, decision)));
  const isAnyDone = outcomes.some(({ state }) => state !== null);
  if (isAnyDone && campaign.state === 'running') await runtime.queues.wakeAdmission(campaign.id);
  return { posts: outcomes };
}

/** Their files are looked at together. */
export const postsAtOnce = 200;

async function decideSome(
  runtime: Pick<Runtime, 'ledger' | 'views'>,
  campaign: Campaign,
  posts: readonly SeenPost[],
  { verdict, by }: Decision,
): Promise<readonly Outcome[]> {
  const { ledger } = runtime;
  const positions = posts.map(({ position }) => position);
  const found = await readShownPosts(runtime, campaign, positions);
  const shown = new Map(found.map((post) => [post.row, post]));
  const faults = new Map(
    posts.map((seen) => [seen.position, faultOf(shown.get(seen.position), seen, verdict)] as const),
  );
  const sound = found.filter(({ row }) => faults.get(row) === undefined);
  const changed =
    verdict.kind === 'approve'
      ? await ledger.approvals.approve(
          campaign.id,
          sound.map((post) => opened(campaign, post)),
          by,
        )
      : await reject(ledger, campaign.id, sound, { by, reason: printableLines(verdict.reason) });
  const after = verdict.kind === 'approve' ? ('ready' as const) : ('failed' as const);
  return Promise.all(
    positions.map(async (position): Promise<Outcome> => {
      const key = await ledger.rowKeys.of(campaign, position);
      const isDone = changed.has(position);
      const refused = isDone ? null : (faults.get(position) ?? hasMoved);
      return { campaign: campaign.id, key, position, state: isDone ? after : null, refused };
    }),
  );
}

/** What would become of these posts if they were approved. @throws {UseCaseError} `campaign_not_found`. */
export async function countFates(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'settings' | 'now'>,
  id: string,
  posts: readonly Pick<SeenPost, 'position'>[],
): Promise<Fates> {
  const campaign = await findCampaign(runtime, id);
  const there = posts.map(({ position }) => position).filter((position) => position < campaign.rows);
  const shown = await readShownPosts(runtime, campaign, there);
  const now = runtime.now();
  const fates = shown.map(({ spec }) => fateOf(campaign, spec, runtime.settings.post.late, now));
  const count = (fate: Fate) => fates.filter((each) => each === fate).length;
  return { now: count('now'), late: count('late') };
}

export const hasMoved = 'It has changed since it was shown. Look at it again.';

/** Why a post cannot be decided as it was seen; undefined if it can. */
function faultOf(post: ShownPost | undefined, seen: SeenPost, verdict: Verdict): string | undefined {
  if (post === undefined) return 'It does not wait for an approval any more.';
  if (verdict.kind === 'reject') return post.revision === seen.revision ? undefined : hasMoved;
  if (post.digest === undefined) return post.fault;
  const parts = changedParts(seen.seen ?? '', post.digest);
  if (parts.length > 0) return changeText(parts);
  return post.revision === seen.revision ? undefined : hasMoved;
}

/** What has changed of a post since it was shown; undefined if nothing has, and for one that cannot be approved now. */
export async function changeSince(
  runtime: Pick<Runtime, 'ledger' | 'views'>,
  campaign: Campaign,
  { position, seen = '' }: SeenPost,
): Promise<string | undefined> {
  const [{ digest } = {}] = await readShownPosts(runtime, campaign, [position]);
  const changed = digest === undefined ? [] : changedParts(seen, digest);
  return changed.length > 0 ? changeText(changed) : undefined;
}

function changeText(parts: readonly string[]): string {
  return `Changed since it was shown: ${parts.join(', ')}. Look at it again.`;
}

function opened(campaign: Campaign, { row, revision, spec, digest = '' }: ShownPost) {
  return { row, revision, digest, opensAt: handedOverAt(spec, campaign.lead) ?? 0 };
}

/** AI media can be made again: of these, the row says so. @returns the rows that are rejected now. */
async function reject(
  { approvals }: Runtime['ledger'],
  id: string,
  posts: readonly ShownPost[],
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<ReadonlySet<RowIndex>> {
  const rejected: RowIndex[] = [];
  for (const [isMade, some] of Map.groupBy(posts, ({ spec }) => spec.generation !== undefined)) {
    const error = rejection(reason, by, isMade);
    rejected.push(...(await approvals.reject(id, some, { by, reason, error })));
  }
  return new Set(rejected);
}

function rejection(reason: string, by: string, isMade: boolean): Omit<RowError, 'at'> {
  return {
    step: 'post',
    code: 'rejected',
    message: `${by} rejected the post: ${reason}`,
    subject: reason,
    fix: `Edit the row, ${isMade ? 'generate its AI media again, ' : ''}or retry it as it is. Then it asks for another approval.`,
  };
}
