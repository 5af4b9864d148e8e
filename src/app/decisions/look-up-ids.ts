/** Looks up the ids of decisions in the service: with a mistyped id, a row would end as posted although it is not. */

import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { batches } from '../../ledger/ledger-part.ts';
import { hint } from '../../manifest/problems/hint.ts';
import type { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { describePart, readRecords } from '../../processors/publishing-records/source.ts';
import { repeatedCall } from '../../processors/runner/retry-policy.ts';
import { ForbiddenError, RefusedError } from '../../service/errors.ts';
import type { PostQuery, PublishingRecord } from '../../service/posts.ts';
import type { ListExtent } from '../../service/transport/paging.ts';
import { serviceError } from '../runtime/service-connection.ts';
import {
  type DecidedRow,
  type DecisionRuntime,
  insist,
  type KeyedDecision,
  refused,
  type Verdict,
} from './decision.ts';
import { findEarlierPostFaults } from './earlier-posts.ts';

type Faults = ReadonlyMap<RowIndex, UseCaseError>;
type PostedVerdict = Extract<Verdict, { readonly decision: 'posted' }>;
type GeneratedVerdict = Extract<Verdict, { readonly decision: 'generated' }>;

/** Most posts of a creator that are looked up one by one. */
const fewPosts = 10;
/** Schedules that are looked up at once, within their rate limit. */
const callsAtOnce = 8;

/** Decisions that the ledger or the service contradicts. @returns faults by row. @throws {UseCaseError} `service_*` */
export async function findFaults(
  runtime: DecisionRuntime,
  campaign: Campaign,
  decided: readonly KeyedDecision[],
  unchecked: boolean,
): Promise<Faults> {
  const faults = new Map(await findPostsOfOthers(runtime.ledger, campaign, decided));
  const rest = () => decided.filter(({ row }) => !faults.has(row.row));
  const had = await runtime.ledger.failedPosts.all(campaign.id);
  const earlier = await findEarlierPostFaults(runtime, campaign, rest(), had, unchecked);
  for (const [row, fault] of earlier) faults.set(row, fault);
  const unknown = unchecked ? [] : await findUnknownIds(runtime, campaign, rest());
  for (const [row, fault] of unknown) faults.set(row, fault);
  return faults;
}

/** Most likely mistakes, because each post belongs to one row. @returns faults by row. */
export async function findPostsOfOthers(
  ledger: Ledger,
  { id }: Campaign,
  decided: readonly DecidedRow[],
): Promise<Faults> {
  const posts = postsOf(decided);
  const owned = await ledger.publishing.owners(posts.map(({ verdict }) => verdict.postId));
  const taken = posts.filter(({ row, verdict }) => {
    const owner = owned.get(verdict.postId);
    return owner && !(owner.campaign === id && owner.row === row.row);
  });
  const fix = 'Check the post id again: each row has its own post.';
  return new Map(
    taken.map(({ row, verdict }) => [
      row.row,
      refused(`the post ${verdict.postId} already belongs to another row`, fix),
    ]),
  );
}

/** Needs the service's key and, for posts, `api.listPosts`; else nothing is looked up. @returns faults by row. @throws {UseCaseError} */
async function findUnknownIds(
  runtime: DecisionRuntime,
  campaign: Campaign,
  decided: readonly KeyedDecision[],
): Promise<Faults> {
  if (!runtime.service.isConfigured) return new Map();
  try {
    const posts = runtime.settings.api.listPosts === null ? [] : postsOf(decided);
    const unknownPosts = await findUnknownPosts(runtime, campaign, posts);
    const unknownSchedules = await findUnknownSchedules(runtime, generationsOf(decided));
    const byRow = new Map(decided.map((one) => [one.row.row, one]));
    const faults = new Map<RowIndex, UseCaseError>();
    for (const [row, message] of [...unknownPosts, ...unknownSchedules]) {
      const one = byRow.get(row);
      if (one) faults.set(row, refused(message, ['Check the id.', ...insist(campaign.id, one)]));
    }
    return faults;
  } catch (error) {
    throw serviceError(error, 'the ids could not be looked up', hint('decideUnchecked'));
  }
}

/** Why an id is not that of a row, by row. */
type Unknown = ReadonlyMap<RowIndex, string>;

interface LookedUpPost {
  readonly row: RowIndex;
  readonly postId: string;
  readonly creatorId: string;
  /** As written in the sheet. */
  readonly creator: string;
  /** Unix epoch, milliseconds. */
  readonly since: number;
}

async function findUnknownPosts(
  runtime: DecisionRuntime,
  campaign: Campaign,
  posts: readonly (DecidedRow & { readonly verdict: PostedVerdict })[],
): Promise<Unknown> {
  const view = posts.length === 0 ? undefined : await runtime.views.open(campaign.id, campaign.sheetVersion);
  const sought: LookedUpPost[] = [];
  for (const { row, verdict } of posts) {
    const spec = await view?.readableRow(row.row);
    if (!view || !spec) continue;
    const { creatorId } = view.creator(spec.creator);
    const since = (row.error?.at ?? runtime.now()) - runtime.settings.records.window;
    sought.push({ row: row.row, postId: verdict.postId, creatorId, creator: spec.creator, since });
  }
  const unknown = new Map<RowIndex, string>();
  for (const [creatorId, some] of Map.groupBy(sought, (one) => one.creatorId)) {
    const { found, part } = await findPosts(runtime, creatorId, some);
    const shown = describePart(part);
    for (const { row, postId, creator } of some) {
      const record = found.get(postId);
      if (record && (record.creatorId === undefined || record.creatorId === creatorId)) continue;
      const message = record
        ? `the post ${postId} is another creator's (${record.creatorId}), not ${creator}'s`
        : `the publishing records of the service${shown} have no post ${postId} of ${creator} (creatorId ${creatorId})`;
      unknown.set(row, message);
    }
  }
  return unknown;
}

/**
 * Reads a creator's records since the first attempt, then looks up the missing ones one by one: a person may have posted earlier.
 */
async function findPosts(
  runtime: DecisionRuntime,
  creatorId: string,
  sought: readonly LookedUpPost[],
): Promise<{ readonly found: ReadonlyMap<string, PublishingRecord>; readonly part: ListExtent | undefined }> {
  const { client, rateLimits } = await runtime.service.need();
  const tools = { ...runtime, client, rateLimits };
  const found = new Map<string, PublishingRecord>();
  const missing = new Set(sought.map(({ postId }) => postId));
  let part: ListExtent | undefined;
  const onEnd = (extent: ListExtent) => {
    if (!extent.isWhole) part = extent;
  };
  const look = async (query: PostQuery) => {
    for await (const record of readRecords(tools, query, onEnd)) {
      if (missing.delete(record.postId)) found.set(record.postId, record);
      if (missing.size === 0) return;
    }
  };
  const byId = client.posts.narrowsBy('postId');
  if (!byId || sought.length > fewPosts) {
    const createdFrom = sought.reduce((least, { since }) => Math.min(least, since), Number.POSITIVE_INFINITY);
    await look({ creatorId, createdFrom });
  }
  if (byId) for (const postId of [...missing]) await look({ creatorId, postId });
  return { found, part };
}

async function findUnknownSchedules(
  { settings, service }: DecisionRuntime,
  sought: readonly (DecidedRow & { readonly verdict: GeneratedVerdict })[],
): Promise<Unknown> {
  const unknown = new Map<RowIndex, string>();
  const operation = 'listAiTasksByScheduleId';
  const { client, rateLimits } = await service.need();
  const ask = async (scheduleId: string): Promise<string | undefined> => {
    try {
      const call = () => client.generations.list(scheduleId);
      const { list, total = 0 } = await repeatedCall(operation, call, { rateLimits, retry: settings.retry });
      // A list may name more tasks than it shows.
      const isKnown = list.length > 0 || total > 0;
      return isKnown ? undefined : `the service lists no tasks of a schedule ${scheduleId}`;
    } catch (error) {
      // A missing permission says nothing about the id.
      if (!(error instanceof RefusedError) || error instanceof ForbiddenError) throw error;
      return `the service does not know a schedule ${scheduleId}: ${error.serviceMessage ?? error.message}`;
    }
  };
  for (const some of batches(sought, callsAtOnce)) {
    const answers = await Promise.all(some.map(({ verdict }) => ask(verdict.scheduleId)));
    for (const [index, { row }] of some.entries()) {
      const message = answers[index];
      if (message !== undefined) unknown.set(row.row, message);
    }
  }
  return unknown;
}

function postsOf(decided: readonly DecidedRow[]) {
  return decided.flatMap(({ row, verdict }) => (verdict.decision === 'posted' ? [{ row, verdict }] : []));
}

function generationsOf(decided: readonly DecidedRow[]) {
  return decided.flatMap(({ row, verdict }) => (verdict.decision === 'generated' ? [{ row, verdict }] : []));
}
