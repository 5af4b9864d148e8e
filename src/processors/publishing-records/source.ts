/** Reads the publishing records of the service, page by page within their rate limit. */
import type { PostedResult } from '../../ledger/rows/results.ts';
import type { PostQuery, PublishingRecord } from '../../service/posts.ts';
import type { ListExtent, Through } from '../../service/transport/paging.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { repeatedCall } from '../runner/retry-policy.ts';
import type { Service } from '../runner/service.ts';

export interface RecordTools
  extends Pick<ProcessorContext, 'ledger' | 'views' | 'settings' | 'now' | 'log'>,
    Pick<Service, 'client' | 'rateLimits'> {
  readonly signal?: AbortSignal | undefined;
}

/** @param onEnd is told how much was read. @throws {ApiError} when a page cannot be read. */
export function readRecords(
  tools: RecordTools,
  query: PostQuery,
  onEnd?: (extent: ListExtent) => void,
): AsyncGenerator<PublishingRecord> {
  const { client, rateLimits, settings, signal } = tools;
  const through: Through = async (operation, call) => {
    signal?.throwIfAborted();
    return repeatedCall(operation, call, { rateLimits, retry: settings.retry });
  };
  return client.posts.list(query, { through, signal, onEnd });
}

/** Which part of the records was seen, to follow "the publishing records"; empty if they were read whole. */
export function describePart(extent: ListExtent | undefined): string {
  if (!extent || extent.isWhole) return '';
  const { seen, total } = extent;
  return total === undefined ? ' (only one page was seen)' : ` (${seen} of ${total} shown)`;
}

/** Groups posts to search for by creator; one group without a creator if records cannot be requested by creator. */
export function byCreatorAsked<T extends { readonly creatorId: string }>(
  { client }: RecordTools,
  sought: readonly T[],
): ReadonlyMap<string | undefined, readonly T[]> {
  const narrows = client.posts.narrowsBy('creatorId');
  return Map.groupBy(sought, ({ creatorId }) => (narrows ? creatorId : undefined));
}

/** Logs that rows were left out because this version cannot read them. */
export function logUnreadable(log: RecordTools['log'], campaign: string, rows: number): void {
  if (rows > 0) log.warn({ campaign, rows }, 'records not looked into: this version cannot read these rows');
}

export interface SentPost {
  readonly creatorId: string;
  readonly result: PostedResult;
}

/** Most posts of a creator to read one by one. */
const fewPosts = 10;

/** @param onEnd is told how much was read of each list. @throws {ApiError} when a page cannot be read. */
export async function* readRecordsOf(
  tools: RecordTools,
  sought: readonly SentPost[],
  onEnd?: (extent: ListExtent) => void,
): AsyncGenerator<PublishingRecord> {
  for (const [creatorId, posts] of byCreatorAsked(tools, sought)) {
    if (posts.length <= fewPosts && tools.client.posts.narrowsBy('postId')) {
      for (const { result } of posts) yield* readRecords(tools, { creatorId, postId: result.postId }, onEnd);
    } else {
      const oldest = posts.reduce((least, { result }) => Math.min(least, result.at), Infinity);
      const createdFrom = oldest - tools.settings.records.window;
      yield* readRecords(tools, { creatorId, createdFrom }, onEnd);
    }
  }
}
