/**
 * Follows posts to their final status. A successful call means accepted, not published (contract, section 1.5): only the
 * publishing records tell whether a post was published.
 *
 * Works in parts of bounded size. Each part reads the records of its creators from its oldest post on, or post by post if there are
 * only a few.
 */
import type { PublishingRecord } from '../../api/posts.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { PostChange } from '../../ledger/publishing.ts';
import type { PostedResult } from '../../ledger/results.ts';
import type { RowError } from '../../ledger/states.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import { byCreatorAsked, type RecordTools, readRecords } from './source.ts';

/** A posted row whose post has no final status yet. */
interface OpenPost {
  readonly row: number;
  readonly key: string;
  readonly result: PostedResult;
  readonly creatorId: string;
  /** When it is due; Unix epoch, milliseconds. */
  readonly dueAt: number;
}

export interface FollowOptions {
  /** Also posts whose deadline is over, because a person asks. */
  readonly all: boolean;
}

/** A post whose status has changed. */
export interface FollowedPost {
  readonly key: string;
  readonly postId: string;
  readonly before: string;
  readonly after: string;
  readonly failure: string | undefined;
}

/** Open posts per part: bounds the memory for any size of campaign. */
const postsAtOnce = 20_000;
/** Up to this many posts of a creator are read one by one. */
const fewPosts = 10;
const changesAtOnce = 200;

/** Follows the open posts of a campaign. @throws {ApiError} when the records cannot be read. */
export async function* followPosts(
  tools: RecordTools,
  campaign: Campaign,
  { all }: FollowOptions,
): AsyncGenerator<FollowedPost> {
  const view = await tools.views.open(campaign.id, campaign.sheetVersion);
  if (!view) return;
  let open = new Map<string, OpenPost>();
  let next = Number.POSITIVE_INFINITY;
  for (let chunk = 0; chunk * chunkSize < campaign.rows; chunk++) {
    for (const [row, result] of await tools.ledger.publishing.posts(campaign.id, chunk)) {
      if (isFinal(tools, result.postStatus)) continue;
      const post = await openPost(view, row, result);
      if (post.dueAt > tools.now()) next = Math.min(next, post.dueAt);
      else if (all || post.dueAt + tools.settings.records.deadline > tools.now())
        open.set(result.postId, post);
    }
    if (open.size < postsAtOnce) continue;
    yield* followPart(tools, view, open);
    if (open.size > 0) next = tools.now();
    open = new Map();
  }
  yield* followPart(tools, view, open);
  if (open.size > 0) next = tools.now();
  const state = { posted: campaign.counts.posted, next: Number.isFinite(next) ? next : undefined };
  await tools.ledger.publishing.keepFollowState(campaign.id, state);
}

function isFinal({ settings }: RecordTools, status: string): boolean {
  return settings.records.final.includes(status);
}

async function openPost(view: CampaignView, row: number, result: PostedResult): Promise<OpenPost> {
  const { schedule, creator, key } = await view.row(row);
  const dueAt = Math.max(schedule?.at ?? result.at, result.at);
  return { row, key, result, dueAt, creatorId: view.creator(creator).creatorId };
}

/** Follows one part, and removes posts with a final status from it. */
async function* followPart(
  tools: RecordTools,
  view: CampaignView,
  open: Map<string, OpenPost>,
): AsyncGenerator<FollowedPost> {
  let changes: (PostChange & { readonly post: OpenPost })[] = [];
  for (const [creatorId, posts] of byCreatorAsked(tools, [...open.values()])) {
    for await (const record of recordsOf(tools, creatorId, posts)) {
      const post = open.get(record.postId);
      if (!post) continue;
      if (isFinal(tools, record.status ?? '')) open.delete(record.postId);
      const change = changeOf(tools, post, record);
      if (change) changes.push({ ...change, post });
      if (changes.length < changesAtOnce) continue;
      yield* write(tools, view, changes);
      changes = [];
    }
  }
  yield* write(tools, view, changes);
}

async function* recordsOf(
  tools: RecordTools,
  creatorId: string | undefined,
  posts: readonly OpenPost[],
): AsyncGenerator<PublishingRecord> {
  if (posts.length <= fewPosts && tools.client.posts.narrowsBy('postId')) {
    for (const { result } of posts) yield* readRecords(tools, { creatorId, postId: result.postId });
    return;
  }
  const oldest = posts.reduce((least, { result }) => Math.min(least, result.at), Number.POSITIVE_INFINITY);
  yield* readRecords(tools, { creatorId, createdFrom: oldest - tools.settings.records.window });
}

function changeOf(
  { now }: RecordTools,
  { row, result }: OpenPost,
  { status, failureReason }: PublishingRecord,
): PostChange | undefined {
  if (status === undefined || status === result.postStatus) return undefined;
  const error: RowError | undefined =
    failureReason === undefined
      ? undefined
      : {
          step: 'post',
          code: 'publishing_failed',
          message: failureReason,
          cure: 'The service had accepted the post, so the row is not sent again by itself.',
          at: now(),
        };
  return { row, before: result, postStatus: status, error };
}

async function* write(
  { ledger }: RecordTools,
  view: CampaignView,
  changes: readonly (PostChange & { readonly post: OpenPost })[],
): AsyncGenerator<FollowedPost> {
  const written = new Set(await ledger.publishing.follow(view.campaign.id, changes));
  for (const change of changes) {
    if (!written.has(change)) continue;
    const { post, before, postStatus, error } = change;
    const { postId, postStatus: was } = before;
    yield { key: post.key, postId, before: was, after: postStatus, failure: error?.message };
  }
}
