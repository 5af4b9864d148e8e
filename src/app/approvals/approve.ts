/** Approves and rejects posts as they were shown, and withdraws approvals while their posts still wait. */
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
import { type Fate, type Fates, fateOf, fatesOf } from './fates.ts';
import { type DecidedGate, postsAtOnce, readShownPosts, type ShownPost } from './waiting-posts.ts';

export const longestReason = 1000;

export interface SeenPost {
  /** Position of the row in the campaign, from 0. */
  readonly position: number;
  readonly revision: number;
  /** `WaitingPost.seen`; only an approval needs it. */
  readonly seen?: string | undefined;
}

export type Verdict =
  | { readonly decision: 'approve' | 'withdraw' }
  /** `reason`: not empty. */
  | { readonly decision: 'reject'; readonly reason: string };

/** Where posts are that can be decided so. */
export function gateOf({ decision }: Pick<Verdict, 'decision'>): DecidedGate {
  return decision === 'withdraw' ? 'ready' : 'unapproved';
}

export interface Decision {
  readonly verdict: Verdict;
  /** Name of the person. */
  readonly by: string;
  /** Only says what would be done. */
  readonly dryRun?: boolean;
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
  const isAnyDone = !decision.dryRun && outcomes.some(({ state }) => state !== null);
  if (isAnyDone && campaign.state === 'running') await runtime.queues.wakeAdmission(campaign.id);
  return { posts: outcomes };
}

async function decideSome(
  runtime: Pick<Runtime, 'ledger' | 'views'>,
  campaign: Campaign,
  posts: readonly SeenPost[],
  { verdict, by, dryRun }: Decision,
): Promise<readonly Outcome[]> {
  const { ledger } = runtime;
  const gate = gateOf(verdict);
  const positions = posts.map(({ position }) => position);
  const found = await readShownPosts(runtime, campaign, positions, gate);
  const shown = new Map(found.map((post) => [post.row, post]));
  const faults = new Map(
    posts.map((seen) => [seen.position, faultOf(shown.get(seen.position), seen, verdict)] as const),
  );
  const sound = found.filter(({ row }) => faults.get(row) === undefined);
  const changed = dryRun
    ? new Set(sound.map(({ row }) => row))
    : await carryOut(ledger, campaign, sound, { verdict, by });
  const elsewhere = positions.filter((position) => !shown.has(position));
  for (const [row, why] of await whyElsewhere(ledger, campaign.id, elsewhere, gate)) faults.set(row, why);
  const after = verdict.decision === 'reject' ? ('failed' as const) : ('ready' as const);
  return Promise.all(
    positions.map(async (position): Promise<Outcome> => {
      const key = await ledger.rowKeys.of(campaign, position);
      const isDone = changed.has(position);
      const refused = isDone ? null : (faults.get(position) ?? hasMoved);
      return { campaign: campaign.id, key, position, state: isDone ? after : null, refused };
    }),
  );
}

/** @returns the rows that are changed now. */
async function carryOut(
  ledger: Runtime['ledger'],
  campaign: Campaign,
  posts: readonly ShownPost[],
  { verdict, by }: Decision,
): Promise<ReadonlySet<RowIndex>> {
  const { id } = campaign;
  if (verdict.decision === 'reject')
    return reject(ledger, id, posts, { by, reason: printableLines(verdict.reason) });
  if (verdict.decision === 'withdraw') {
    const planned = posts.map((post) => ({ ...post, plannedAt: post.spec.schedule?.at }));
    return ledger.approvals.withdraw(id, planned, by);
  }
  const opened = posts.map((post) => ({
    ...post,
    digest: post.digest ?? '',
    opensAt: handedOverAt(post.spec, campaign.lead) ?? 0,
  }));
  return ledger.approvals.approve(id, opened, by);
}

/** What has become of a row, after `it`. */
const ended = {
  posted: 'is posted',
  failed: 'has failed',
  review: 'is in review',
  cancelled: 'is cancelled',
} as const;

/** Why posts cannot be decided, because they are not at the gate. */
async function whyElsewhere(
  { rows, approvals }: Runtime['ledger'],
  campaign: string,
  positions: readonly RowIndex[],
  gate: DecidedGate,
): Promise<ReadonlyMap<RowIndex, string>> {
  const [statuses, words, unapproved, unpaid] = await Promise.all([
    rows.statusesOf(campaign, positions),
    approvals.of(campaign, positions),
    approvals.areAt(campaign, 'unapproved', positions),
    approvals.areAt(campaign, 'unpaid', positions),
  ]);
  const why = (index: number): string => {
    const { state = 'waiting' } = statuses[index] ?? {};
    const isApproved = words[index]?.is === 'approved';
    if (state !== 'waiting' && state !== 'running' && state !== 'ready')
      return `It no longer waits: it ${ended[state]}.`;
    if (unpaid[index]) return 'Its AI outputs are beyond the limit of the settings. Allow them first.';
    if (gate === 'ready') {
      if (unapproved[index]) return 'It already waits for approval.';
      return isApproved && state !== 'ready'
        ? 'It is already being sent: its approval stays.'
        : 'It has no approval.';
    }
    if (isApproved) return 'It is approved already.';
    return state === 'ready' ? 'It does not wait for an approval.' : 'Its media are not ready yet.';
  };
  return new Map(positions.map((position, index) => [position, why(index)]));
}

/** What would become of these posts if they were approved. Those of a campaign that is gone do not count. */
export async function countFates(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'settings' | 'now'>,
  posts: readonly { readonly campaign: string; readonly position: RowIndex }[],
): Promise<Fates> {
  const fates: Fate[] = [];
  for (const [id, some] of Map.groupBy(posts, ({ campaign }) => campaign)) {
    const campaign = await runtime.ledger.campaigns.find(id);
    if (campaign === undefined) continue;
    const there = some.map(({ position }) => position).filter((position) => position < campaign.rows);
    const shown = await readShownPosts(runtime, campaign, there);
    fates.push(...shown.map(({ spec }) => fateOf(runtime, campaign, spec)));
  }
  return fatesOf(fates);
}

const hasMoved = 'It has changed since it was shown. Look at it again.';

/** Why a post cannot be decided as it was seen; undefined if it can, or is not at the gate. */
function faultOf(
  post: ShownPost | undefined,
  seen: SeenPost,
  { decision }: Pick<Verdict, 'decision'>,
): string | undefined {
  if (post === undefined) return undefined;
  if (decision === 'approve') {
    if (post.digest === undefined) return post.fault;
    const parts = changedParts(seen.seen ?? '', post.digest);
    if (parts.length > 0) return changeText(parts);
  }
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
