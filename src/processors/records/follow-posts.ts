/**
 * Follows posts into their final state. A success of the call means accepted, not published (contract, section 1.5): what
 * became of a post is told by the publishing records alone.
 *
 * Posts are looked for in parts of bounded size. A part is looked for in the records of its creators from the time of its
 * oldest post on, or one by one where it is only a few.
 */
import type { PublishingRecord } from '../../api/posts.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { PostChange } from '../../ledger/publishing.ts';
import type { PostedResult } from '../../ledger/results.ts';
import type { RowError } from '../../ledger/states.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import { byCreatorAsked, type RecordTools, readRecords } from './source.ts';

/** A posted row whose post has not come to its end. */
interface OpenPost {
  readonly row: number;
  readonly key: string;
  readonly result: PostedResult;
  readonly creatorId: string;
  /** Its time; Unix epoch, milliseconds. */
  readonly dueAt: number;
}

export interface FollowOptions {
  /** Also posts whose deadline is over: a person asks. */
  readonly all: boolean;
}

/** A post whose state has changed. */
export interface FollowedPost {
  readonly key: string;
  readonly postId: string;
  readonly before: string;
  readonly after: string;
  readonly failure: string | undefined;
}

/** Open posts held at once: bounds the memory, whatever the size of the campaign. */
const postsAtOnce = 20_000;
/** So few posts of a creator are asked for one by one. */
const fewPosts = 10;
const changesAtOnce = 200;

/** Asks for the open posts of a campaign. @throws {ApiError} when the records cannot be had. */
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

/** Looks for one part. Posts that have come to their end are taken out of it. */
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
          cure: 'The service had accepted the post, so it is not sent again by itself.',
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
