/** The regular check of the publishing records: first rows in review, then the status of posts. */
import { ApiError } from '../../api/errors.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { followPosts } from './follow-posts.ts';
import { type ReconcileOptions, type ReconcileTools, reconcileRows } from './reconcile.ts';
import type { RecordTools } from './source.ts';

/** The scheduled job: checks every campaign, ended or not. */
export async function lookIntoAllRecords(
  context: ProcessorContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (context.settings.api.listPosts === null) return;
  const byAccount = Map.groupBy(await context.ledger.campaigns.list(), ({ account }) => account);
  // In parallel, so that an account whose rate limit is reached does not delay the others.
  await Promise.all(
    [...byAccount].map(async ([name, campaigns]) => {
      const account = context.accounts.find(name);
      if (!account) return;
      for (const campaign of campaigns) {
        signal?.throwIfAborted();
        await lookIntoRecords({ ...context, ...account, signal }, campaign);
      }
    }),
  );
}

/** Checks one campaign. Errors are logged; the next check tries again. */
async function lookIntoRecords(tools: ReconcileTools, campaign: Campaign): Promise<void> {
  try {
    await reconcileCampaign(tools, campaign, { all: false });
    if (await isFollowDue(tools, campaign)) {
      for await (const { key, postId, after } of followPosts(tools, campaign, { all: false })) {
        tools.log.info({ campaign: campaign.id, key, postId, status: after }, 'post followed');
      }
    }
  } catch (error) {
    // An error with one campaign must not stop the check of the others.
    tools.signal?.throwIfAborted();
    const code = error instanceof ApiError ? error.code : undefined;
    tools.log.warn({ campaign: campaign.id, code, error: String(error) }, 'publishing records not read');
  }
}

/** @returns how many rows in review were found in the records. @throws {ApiError} when the records cannot be read. */
export async function reconcileCampaign(
  tools: ReconcileTools,
  campaign: Campaign,
  options: ReconcileOptions,
): Promise<number> {
  let found = 0;
  for await (const { state } of reconcileRows(tools, campaign, options)) if (state !== 'review') found += 1;
  return found;
}

async function isFollowDue(tools: RecordTools, { id, counts }: Campaign): Promise<boolean> {
  if (counts.posted === 0) return false;
  const { publishing } = tools.ledger;
  const before = await publishing.followState(id);
  const hasMore = before === undefined || before.posted !== counts.posted;
  if (!hasMore && (before.next === undefined || before.next > tools.now())) return false;
  return publishing.claimLook(id, tools.settings.records.every);
}
