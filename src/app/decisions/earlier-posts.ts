/**
 * Decisions about rows with a later post of unknown outcome, whose earlier post was not published. The records are read again first: if
 * the earlier post has been published since, the row needs no other post.
 */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { EarlierPosts } from '../../ledger/transitions/publishing.ts';
import { hint } from '../../manifest/problems/hint.ts';
import type { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { type Recheck, recheckPosts } from '../../processors/publishing-records/failed-posts.ts';
import { postedTwice } from '../campaigns/repair.ts';
import { serviceError } from '../runtime/service-connection.ts';
import {
  type DecisionRuntime,
  decideHint,
  insist,
  type KeyedDecision,
  looksUpPosts,
  refused,
  type Verdict,
} from './decision.ts';

/** @param had earlier posts by row. @param unchecked although the records say nothing. @returns faults by row. @throws {UseCaseError} `service_*` */
export async function findEarlierPostFaults(
  runtime: DecisionRuntime,
  campaign: Campaign,
  decided: readonly KeyedDecision[],
  had: ReadonlyMap<number, EarlierPosts>,
  unchecked: boolean,
): Promise<ReadonlyMap<RowIndex, UseCaseError>> {
  const sought = new Map<number, EarlierPosts>();
  for (const { row, verdict } of decided) {
    const posts = (had.get(row.row) ?? []).filter((post) => mayBe(verdict, post.postId));
    if (posts.length > 0) sought.set(row.row, posts);
  }
  const found = await readAgain(runtime, campaign, sought);
  const faults = new Map<RowIndex, UseCaseError>();
  for (const one of decided) {
    const twice = nameOne(campaign, one);
    if (twice) faults.set(one.row.row, twice);
    const recheck = found.get(one.row.row);
    if (!recheck) continue;
    const isPosted = one.verdict.decision === 'posted';
    if (recheck.kind === 'unread' && !unchecked) {
      const message = `an earlier post of the row may have been published: ${recheck.why}`;
      faults.set(one.row.row, refused(message, insist(campaign.id, one)));
    } else if (recheck.kind === 'posted' && !isPosted) {
      const { postId, postStatus } = recheck.result;
      const message = `the row's earlier post ${postId} is ${postStatus} now, so the row needs no other post`;
      const fix = [decideHint(campaign.id, one.key, { decision: 'posted', postId })];
      faults.set(one.row.row, refused(message, fix));
    } else if (recheck.kind === 'failed' && one.verdict.decision === 'posted') {
      const message = `the post ${one.verdict.postId} is the row's earlier one, which was not published`;
      const fix = [
        'If there is a later post, give its id. If there is none:',
        decideHint(campaign.id, one.key, { decision: 'not-posted' }),
      ];
      faults.set(one.row.row, refused(message, fix));
    }
  }
  return faults;
}

/** A row with two posts keeps one of them. */
function nameOne({ id }: Campaign, { row, key, verdict }: KeyedDecision): UseCaseError | undefined {
  const { error } = row;
  if (error?.code !== postedTwice) return undefined;
  const posts = (error.candidates ?? []).map(({ postId }) => postId);
  if (verdict.decision === 'posted' && posts.includes(verdict.postId)) return undefined;
  const ways = posts.map((postId) => decideHint(id, key, { decision: 'posted', postId }));
  const message = `the row was posted twice (${posts.join(' and ')}), so it keeps one of these posts`;
  return refused(message, ['Delete the others in the social app, then name the one that stays:', ...ways]);
}

function mayBe(verdict: Verdict, postId: string): boolean {
  return verdict.decision === 'not-posted' || (verdict.decision === 'posted' && verdict.postId === postId);
}

async function readAgain(
  runtime: DecisionRuntime,
  campaign: Campaign,
  sought: ReadonlyMap<number, EarlierPosts>,
): Promise<ReadonlyMap<number, Recheck>> {
  if (sought.size === 0) return new Map();
  const unread = (why: string) =>
    new Map([...sought.keys()].map((row) => [row, { kind: 'unread', why }] as const));
  const { ledger, views, settings, now, log } = runtime;
  if (!looksUpPosts(runtime)) return unread('the publishing records cannot be read here');
  const view = await views.open(campaign.id, campaign.sheetVersion);
  if (!view) return new Map();
  const { client, rateLimits } = await runtime.service.need();
  try {
    return await recheckPosts({ ledger, views, settings, now, log, client, rateLimits }, view, sought);
  } catch (error) {
    throw serviceError(error, 'the publishing records could not be read', hint('decideUnchecked'));
  }
}
