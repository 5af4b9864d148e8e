/** Publishing tasks, and the records that show their results (contract, sections 4.1 and 4.9). */
import type { CallOptions, OperationCaller } from './caller.ts';
import type { CreateCreatorPost, CreatorPost } from './contract/posts.ts';
import { numberedPages, type PagingOptions } from './paging.ts';
import { asText } from './referenced-answer.ts';
import type { ReferencedCaller } from './referenced-caller.ts';

/** Which records to look for. The setting decides which fields are sent, so compare the records that come back. */
export interface PostQuery {
  readonly creatorId?: string | undefined;
  readonly postId?: string | undefined;
  readonly title?: string | undefined;
  readonly businessId?: string | undefined;
  readonly status?: string | undefined;
  /** Unix epoch, milliseconds. */
  readonly createdFrom?: number | undefined;
}

export interface PublishingRecord {
  readonly postId: string;
  readonly status: string | undefined;
  readonly creatorId: string | undefined;
  readonly title: string | undefined;
  readonly businessId: string | undefined;
  readonly businessIds: readonly string[] | undefined;
  readonly productId: string | undefined;
  /** Unix epoch, milliseconds. */
  readonly scheduledAt: number | undefined;
  /** Unix epoch, milliseconds. */
  readonly createdAt: number | undefined;
  /** Address of the published video. */
  readonly publicUrl: string | undefined;
  /** Why it was not published. */
  readonly failureReason: string | undefined;
}

const records = 'listPosts';
const pageSize = 100;

export class Posts {
  readonly #caller: OperationCaller;
  readonly #referenced: ReferencedCaller;

  constructor(caller: OperationCaller, referenced: ReferencedCaller) {
    this.#caller = caller;
    this.#referenced = referenced;
  }

  /**
   * Creates a publishing task. Success means accepted, not published. Not idempotent: a repeated call posts again.
   * @throws {OutcomeUnknownError} when it may have been created, and {ApiError} for other failures.
   */
  create(request: CreateCreatorPost, options?: CallOptions): Promise<CreatorPost> {
    return this.#caller.call('createCreatorPost', request, options);
  }

  /** Whether the setting sends this field, so that the service filters by it. */
  narrowsBy(field: keyof PostQuery): boolean {
    return this.#referenced.asksFor(records, field);
  }

  /**
   * Publishing records: page by page if the setting names `totalPages`, else those of one call.
   * @throws {NotConfiguredError} without the setting `api.listPosts`, and {ApiError} otherwise.
   */
  list(query: PostQuery, options: PagingOptions = {}): AsyncGenerator<PublishingRecord> {
    return numberedPages(records, pageSize, options, async (pageNumber) => {
      const answer = await this.#referenced.call(records, { ...query, pageSize, pageNumber }, options);
      const read = (field: (name: string) => unknown) => readRecord(field, (text) => answer.redact(text));
      return { ...answer.list(read), totalPages: answer.totalPages() };
    });
  }
}

/** Entries without `postId` are skipped: they cannot be identified. */
function readRecord(
  field: (name: string) => unknown,
  redact: (text: string) => string,
): PublishingRecord | undefined {
  const postId = asText(field('postId'));
  if (postId === undefined) return undefined;
  const businessIds = field('businessIds');
  const failureReason = asText(field('failureReason'));
  return {
    postId,
    status: asText(field('status')),
    creatorId: asText(field('creatorId')),
    title: asText(field('title')),
    businessId: asText(field('businessId')),
    businessIds: Array.isArray(businessIds) ? businessIds.map(String) : undefined,
    productId: asText(field('productId')),
    scheduledAt: asTime(field('scheduledAt')),
    createdAt: asTime(field('createdAt')),
    publicUrl: asText(field('publicUrl')),
    failureReason: failureReason && redact(failureReason),
  };
}

/** Milliseconds, or an ISO 8601 text. */
function asTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}
