/** Checks the publishing records on demand: the status of posts, and rows in review. */

import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { type FollowedPost, followPosts } from '../../processors/publishing-records/follow-posts.ts';
import {
  type Reconciled,
  reconcileCampaign,
  reconcileRows,
} from '../../processors/publishing-records/reconcile.ts';
import { ApiError } from '../../service/errors.ts';
import type { Document } from '../runtime/documents.ts';
import { unlessLate } from '../runtime/patience.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { serviceError } from '../runtime/service-connection.ts';
import { type CampaignRef, findCampaign, readCampaigns } from './find.ts';
import { postAgain, type RecordRuntime, recheckFailed, recordTools } from './retry/recheck.ts';

/** At the end of a run, longer reads (such as after a 429) are given up. Milliseconds. */
const longestLookMs = 30_000;
/** How long a person waits for a search. Milliseconds. */
const longestWaitMs = 20_000;

export const refreshSchema = z.strictObject({
  id: z.string(),
  /** Rows in review that were searched for, and failed rows whose post is no longer failed. */
  rows: z.array(
    z.union([
      z.strictObject({
        key: z.string(),
        state: z.enum(['posted', 'failed']),
        postId: z.string(),
        postStatus: z.string(),
      }),
      z.strictObject({ key: z.string(), state: z.literal('review'), note: z.string() }),
    ]),
  ),
  /** Posts that changed from one status to another. */
  posts: z.array(
    z.strictObject({
      before: z.string(),
      after: z.string(),
      posts: z.int(),
      /** The first few. */
      examples: z.array(
        z.strictObject({ key: z.string(), postId: z.string(), failure: z.string().optional() }),
      ),
    }),
  ),
});

/** What `refreshCampaign` found: rows in review that are decided now, and posts whose status has changed. */
export type Refreshed = Omit<Document<typeof refreshSchema>, 'id'>;

/** Whether the settings tell how to read publishing records. */
export function canLook({ settings }: Pick<Runtime, 'settings'>): boolean {
  return settings.api.listPosts !== null;
}

function requireRecords(runtime: Pick<Runtime, 'settings'>): void {
  if (canLook(runtime)) return;
  throw new UseCaseError('service_not_configured', 'reading the publishing records is not set up', {
    fix: [
      'Ask an operator to set it up. Until then, rows in review wait for a person, and post_status stays as it was when the post was sent.',
      hint('setting', { name: 'api.listPosts' }),
    ],
  });
}

/** @throws {UseCaseError} `campaign_not_found`; `service_not_configured` without the setting; `service_*`. */
export async function refreshCampaign(runtime: Runtime, ref: CampaignRef): Promise<Refreshed> {
  const campaign = await findCampaign(runtime, ref);
  requireRecords(runtime);
  const rows: Reconciled[] = [];
  const posts = new PostTransitions();
  try {
    const tools = await recordTools(runtime);
    for await (const row of reconcileRows(tools, campaign, { all: true })) rows.push(row);
    // Failed rows whose posts were published after all.
    const posted = await postAgain(runtime, campaign, await recheckFailed(runtime, campaign));
    rows.push(...posted.map((row) => ({ ...row, state: 'posted' as const })));
    for await (const post of followPosts(tools, campaign, { all: true })) posts.add(post);
  } catch (error) {
    throw serviceError(error, 'the publishing records could not be read');
  }
  return { rows, posts: posts.list() };
}

export const lookedSchema = z.strictObject({
  rows: z.int(),
  found: z.int(),
  /** The search takes longer than a caller waits, and goes on. */
  isSlow: z.boolean(),
});

/** @param asked rows by their campaign's id; only those in review. @throws {UseCaseError} `service_not_configured`, `service_*`. */
export async function lookIntoRecords(
  runtime: RecordRuntime & Pick<Runtime, 'queues'>,
  asked: ReadonlyMap<string, readonly number[]>,
): Promise<Document<typeof lookedSchema>> {
  requireRecords(runtime);
  const looked = { rows: 0, found: 0 };
  const look = async () => {
    for (const [id, rows] of asked) {
      const campaign = await findCampaign(runtime, id);
      const tools = await recordTools(runtime);
      for await (const { state } of reconcileRows(tools, campaign, { all: true, rows })) {
        looked.rows += 1;
        if (state !== 'review') looked.found += 1;
      }
    }
    return true;
  };
  const isDone = await unlessLate(look(), longestWaitMs).catch((error: unknown) => {
    throw serviceError(error, 'the publishing records could not be read');
  });
  return { ...looked, isSlow: isDone === undefined };
}

export type ReviewLook =
  | { readonly kind: 'found'; readonly campaign: string; readonly rows: number }
  /** The check took too long and was given up. */
  | { readonly kind: 'slow'; readonly campaign: string }
  | { readonly kind: 'failed'; readonly campaign: string; readonly reason: string };

/** Before a person is asked. @param onLook receives each result. @returns the campaigns after it, or unchanged. */
export async function reconcileReviews(
  runtime: Runtime,
  campaigns: readonly Campaign[],
  onLook: (look: ReviewLook) => void,
): Promise<readonly Campaign[]> {
  const inReview = campaigns.filter(({ counts }) => counts.review > 0);
  if (!canLook(runtime) || inReview.length === 0) return campaigns;
  for (const campaign of inReview) {
    const { id } = campaign;
    try {
      const look = reconcileCampaign(await recordTools(runtime), campaign, { all: false });
      const rows = await unlessLate(look, longestLookMs);
      onLook(rows === undefined ? { kind: 'slow', campaign: id } : { kind: 'found', campaign: id, rows });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onLook({ kind: 'failed', campaign: id, reason: error.message });
    }
  }
  return readCampaigns(runtime, campaigns);
}

const examplesKept = 5;

/** Counts changes of status, in constant memory. */
class PostTransitions {
  readonly #posts = new Map<string, { count: number; readonly first: FollowedPost[] }>();

  add(post: FollowedPost): void {
    const name = `${post.before}\0${post.after}`;
    const found = this.#posts.get(name) ?? { count: 0, first: [] };
    found.count += 1;
    if (found.first.length < examplesKept) found.first.push(post);
    this.#posts.set(name, found);
  }

  list(): Refreshed['posts'] {
    return [...this.#posts].map(([name, { count, first }]) => {
      const [before = '', after = ''] = name.split('\0');
      const examples = first.map(({ key, postId, failure }) => ({ key, postId, failure }));
      return { before, after, posts: count, examples };
    });
  }
}
