/** Checks the publishing records on demand: the status of posts, and rows in review. */
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../api/errors.ts';
import type { Campaign } from '../ledger/campaigns/campaigns.ts';
import { type FollowedPost, followPosts } from '../processors/records/follow-posts.ts';
import { type Reconciled, reconcileCampaign, reconcileRows } from '../processors/records/reconcile.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { serviceError } from '../runtime/service/errors.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import type { CommandDocument } from './documents/commands.ts';
import { type CampaignRef, findCampaign, readCampaigns } from './find.ts';
import { recordTools } from './record-tools.ts';
import { postAgain, recheckFailed } from './retry/recheck.ts';

/** At the end of a run, longer reads (such as after a 429) are given up. Milliseconds. */
const longestLookMs = 30_000;

/** What `refreshCampaign` found: rows in review that are decided now, and posts whose status has changed. */
export type Refreshed = Omit<CommandDocument<'refresh'>, 'id'>;
type PostTransition = Refreshed['posts'][number];

/**
 * Checks the records for all rows in review and all posts of a campaign.
 * @throws {UseCaseError} `campaign_not_found`; `service_not_configured` if no setting tells how to read the records; `service_*`
 *   when they cannot be read.
 */
export async function refreshCampaign(runtime: Runtime, ref: CampaignRef): Promise<Refreshed> {
  const campaign = await findCampaign(runtime, ref);
  if (runtime.settings.api.listPosts === null) {
    throw new UseCaseError('service_not_configured', 'the setting api.listPosts is missing', {
      cure:
        'It tells how to read the publishing records of the service; docs/settings.md shows its form. Without it, ' +
        'rows in review wait for a person, and post_status stays as it was when the post was accepted.',
    });
  }
  const rows: Reconciled[] = [];
  const posts = new PostTransitions();
  try {
    const tools = recordTools(runtime, campaign);
    for await (const row of reconcileRows(tools, campaign, { all: true })) rows.push(row);
    for (const row of await findPublishedSince(runtime, campaign)) rows.push(row);
    for await (const post of followPosts(tools, campaign, { all: true })) posts.add(post);
  } catch (error) {
    throw serviceError(error, 'the publishing records could not be read');
  }
  return { rows, posts: posts.list() };
}

/** Finds failed rows whose posts were published after all, and marks them as posted again. */
async function findPublishedSince(runtime: Runtime, campaign: Campaign): Promise<readonly Reconciled[]> {
  const posted = await postAgain(runtime, campaign, await recheckFailed(runtime, campaign));
  return posted.map((row) => ({ ...row, state: 'posted' as const }));
}

/** Result of a check of rows in review. */
export type ReviewLook =
  | { readonly kind: 'found'; readonly campaign: string; readonly rows: number }
  /** The check took too long and was given up. */
  | { readonly kind: 'slow'; readonly campaign: string }
  | { readonly kind: 'failed'; readonly campaign: string; readonly reason: string };

/**
 * The last part of working on campaigns: checks the records before a person is asked about rows in review.
 * @param onLook receives the result of each check.
 * @returns the campaigns after it, unchanged if the service does not answer.
 */
export async function reconcileReviews(
  runtime: Runtime,
  campaigns: readonly Campaign[],
  onLook: (look: ReviewLook) => void,
): Promise<readonly Campaign[]> {
  const inReview = campaigns.filter(({ counts }) => counts.review > 0);
  if (runtime.settings.api.listPosts === null || inReview.length === 0) return campaigns;
  for (const campaign of inReview) {
    const { id } = campaign;
    try {
      const look = reconcileCampaign(recordTools(runtime, campaign), campaign, { all: false });
      const rows = await inTime(look);
      onLook(rows === undefined ? { kind: 'slow', campaign: id } : { kind: 'found', campaign: id, rows });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onLook({ kind: 'failed', campaign: id, reason: error.message });
    }
  }
  return readCampaigns(
    runtime,
    campaigns.map(({ id }) => id),
  );
}

/** Waits a limited time. @returns undefined if it takes longer. Its calls end when the runtime is disposed. */
async function inTime<T>(look: Promise<T>): Promise<T | undefined> {
  look.catch(() => undefined);
  return Promise.race([look, wait(longestLookMs, undefined, { ref: false })]);
}

const examplesKept = 5;

/** Counts changes of status, in constant memory. */
class PostTransitions {
  readonly #transitions = new Map<string, PostTransition & { posts: number; examples: FollowedPost[] }>();

  add(post: FollowedPost): void {
    const { before, after } = post;
    const name = `${before}\0${after}`;
    const found = this.#transitions.get(name) ?? { before, after, posts: 0, examples: [] };
    found.posts += 1;
    if (found.examples.length < examplesKept) found.examples.push(post);
    this.#transitions.set(name, found);
  }

  list(): readonly PostTransition[] {
    return [...this.#transitions.values()].map(({ examples, ...transition }) => ({
      ...transition,
      examples: examples.map(({ key, postId, failure }) => ({ key, postId, failure })),
    }));
  }
}
