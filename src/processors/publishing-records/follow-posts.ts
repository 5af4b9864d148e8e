/**
 * Follows posts to their final status. A successful call means accepted, not published (contract, section 1.5): only the
 * publishing records tell whether a post was published.
 *
 * The row of a post that was not published fails. If the settings say where a record has the public URL, published posts are
 * added to the watch list.
 *
 * Works in parts of bounded size. Each part reads the records of its creators from its oldest post on, or post by post if there are
 * only a few.
 */

import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { PostedResult } from '../../ledger/rows/results.ts';
import type { NewVideo } from '../../ledger/videos/watch-list.ts';
import { readVideoUrl, videoIdOf } from '../../manifest/cells/video-url.ts';
import type { RowIndex } from '../../manifest/row.ts';
import type { CampaignView } from '../runner/campaign-view.ts';
import { type FailedPost, failPosts, isFailed, timeToCome } from './failed-posts.ts';
import { logUnreadable, type RecordTools, readRecordsOf } from './source.ts';

/** A posted row whose post has no final status or no public URL yet, or has failed. */
interface OpenPost {
  readonly row: RowIndex;
  readonly key: string;
  readonly result: PostedResult;
  readonly creatorId: string;
  /** When it is due; Unix epoch, milliseconds. */
  readonly dueAt: number;
  readonly wantsUrl: boolean;
}

export interface FollowedPost {
  readonly key: string;
  readonly postId: string;
  readonly before: string;
  readonly after: string;
  readonly failure: string | undefined;
}

/** Open posts per part: bounds the memory for any size of campaign. */
const postsAtOnce = 20_000;
const changesAtOnce = 200;

/** Follows the open posts of a campaign. @param options.all includes posts whose deadline is over, because a person asks. @throws {ApiError} when the records cannot be read. */
export async function* followPosts(
  tools: RecordTools,
  campaign: Campaign,
  { all }: { readonly all: boolean },
): AsyncGenerator<FollowedPost> {
  const view = await tools.views.open(campaign.id, campaign.sheetVersion);
  if (!view) return;
  let open = new Map<string, OpenPost>();
  let next = Number.POSITIVE_INFINITY;
  let { posted } = campaign.counts;
  let unreadable = 0;
  const isInTime = (since: number) => all || since + tools.settings.records.deadline > tools.now();
  const follow = async function* () {
    for await (const post of followPart(tools, view, open)) {
      if (isFailed(tools, post.after)) posted -= 1;
      yield post;
    }
    if (open.size > 0) next = tools.now();
  };
  for (let chunk = 0; chunk * chunkSize < campaign.rows; chunk++) {
    const hasUrl = await rowsWithUrl(tools, campaign, chunk);
    for (const [row, result] of await tools.ledger.publishing.posts(campaign.id, chunk)) {
      const wantsUrl = !hasUrl(row - chunk * chunkSize);
      if (isDone(tools, result.postStatus) && !wantsUrl) continue;
      const post = await openPost(view, row, result, wantsUrl);
      if (!post) {
        unreadable += 1;
        // Another version may be able to read it.
        if (isInTime(result.at)) next = tools.now();
      } else if (post.dueAt > tools.now()) next = Math.min(next, post.dueAt);
      else if (isInTime(post.dueAt)) open.set(result.postId, post);
    }
    if (open.size < postsAtOnce) continue;
    yield* follow();
    open = new Map();
  }
  yield* follow();
  logUnreadable(tools.log, campaign.id, unreadable);
  const state = { posted, next: Number.isFinite(next) ? next : undefined };
  await tools.ledger.publishing.keepFollowState(campaign.id, state);
}

/** @returns whether a row of the chunk needs no URL: it has one, or no setting says where a record has it. */
async function rowsWithUrl(
  { client, ledger }: RecordTools,
  { id }: Campaign,
  chunk: number,
): Promise<(index: number) => boolean> {
  return client.posts.tellsPublicUrl ? ledger.videos.list.rowsWithUrl(id, chunk) : () => true;
}

/** Whether the status is final and needs no action. A failed post needs one: its row fails. */
function isDone(tools: RecordTools, status: string): boolean {
  return tools.settings.records.final.includes(status) && !isFailed(tools, status);
}

/** @returns undefined for a row that cannot be read. */
async function openPost(
  view: CampaignView,
  row: RowIndex,
  result: PostedResult,
  wantsUrl: boolean,
): Promise<OpenPost | undefined> {
  const read = await view.readableWithCreator(row);
  if (!read) return undefined;
  const { schedule, key } = read.row;
  const dueAt = Math.max(schedule?.at ?? result.at, result.at);
  return { row, key, result, dueAt, wantsUrl, creatorId: read.creator.creatorId };
}

/** Follows one part, and removes posts with a final status from it. */
async function* followPart(
  tools: RecordTools,
  view: CampaignView,
  open: Map<string, OpenPost>,
): AsyncGenerator<FollowedPost> {
  let changes: FailedPost[] = [];
  const published = watchPosts(tools, view);
  for await (const { postId, status, failureReason, publicUrl } of readRecordsOf(tools, [...open.values()])) {
    const post = open.get(postId);
    if (!post || status === undefined) continue;
    const url = isFailed(tools, status) ? undefined : publicUrl;
    if (post.wantsUrl && url !== undefined) await published.add(post, url);
    const isComplete = !post.wantsUrl || url !== undefined || isFailed(tools, status);
    if (tools.settings.records.final.includes(status) && isComplete) open.delete(postId);
    if (status === post.result.postStatus && !isFailed(tools, status)) continue;
    const { key, row, result: before } = post;
    const plannedAt = timeToCome(tools, { ...before, postStatus: status });
    changes.push({ key, row, before, postStatus: status, plannedAt, reason: failureReason });
    if (changes.length < changesAtOnce) continue;
    yield* write(tools, view, changes);
    changes = [];
  }
  yield* write(tools, view, changes);
  await published.flush();
}

async function* write(
  tools: RecordTools,
  view: CampaignView,
  changes: readonly FailedPost[],
): AsyncGenerator<FollowedPost> {
  const failed = changes.filter(({ postStatus }) => isFailed(tools, postStatus));
  const others = changes.filter(({ postStatus }) => !isFailed(tools, postStatus));
  // The next post of such a row has another URL.
  const rows = tools.client.posts.tellsPublicUrl ? failed.map(({ row }) => row) : [];
  await tools.ledger.videos.list.noteUrls(view.campaign.id, rows, false);
  const written = [
    ...(await tools.ledger.publishing.follow(view.campaign.id, others)),
    ...(await failPosts(tools, view, failed)),
  ];
  for (const { key, before, postStatus: after, reason: failure } of written) {
    yield { key, postId: before.postId, before: before.postStatus, after, failure };
  }
}

const atOnce = 200;

/** Collects the URLs of a campaign's posts: `add` one, and `flush` the remaining ones. */
function watchPosts({ ledger, log }: RecordTools, view: CampaignView) {
  const { id: campaign } = view.campaign;
  let videos: NewVideo[] = [];
  let rows: number[] = [];

  async function flush(): Promise<void> {
    // The list first, so that after a crash in between, the URL is only read again.
    await ledger.videos.list.add(videos);
    await ledger.videos.list.noteUrls(campaign, rows, true);
    videos = [];
    rows = [];
  }

  return {
    flush,
    async add({ row, key }: Pick<OpenPost, 'row' | 'key'>, text: string): Promise<void> {
      const read = readVideoUrl(text);
      rows.push(row);
      if ('url' in read) {
        const { creator, product } = await view.row(row);
        const { url } = read;
        const facts = { url, campaign, key, creator, product: product.id };
        videos.push({ id: videoIdOf(url), facts });
      } else log.warn({ campaign, key, code: read.fault }, 'public URL of a post cannot be read');
      if (rows.length >= atOnce) await flush();
    },
  };
}
