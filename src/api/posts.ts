/** Publishing tasks, and the records that tell what became of them (contract, sections 4.1 and 4.9). */
import type { CallOptions, OperationCaller } from './caller.ts';
import type { CreateCreatorPost, CreatorPost } from './contract/posts.ts';
import { numberedPages, type PagingOptions } from './paging.ts';
import { asText } from './referenced-answer.ts';
import type { ReferencedCaller } from './referenced-caller.ts';

/** What records to look for. The setting decides which of it the service is asked for: compare the records. */
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
   * Creates a publishing task; a success means accepted, not published. Not idempotent: a repeated call posts again.
   * @throws {OutcomeUnknownError} when it may have been created, and {ApiError} otherwise.
   */
  create(request: CreateCreatorPost, options?: CallOptions): Promise<CreatorPost> {
    return this.#caller.call('createCreatorPost', request, options);
  }

  /** Whether the setting asks the service for records of this kind only, instead of for all. */
  narrowsBy(field: keyof PostQuery): boolean {
    return this.#referenced.asksFor(records, field);
  }

  /**
   * Publishing records, page by page where the setting names `totalPages`, else what one call gives.
   * @throws {NotConfiguredError} without the setting `api.listPosts`, and {ApiError} otherwise.
   */
  list(query: PostQuery, options: PagingOptions = {}): AsyncGenerator<PublishingRecord> {
    return numberedPages(records, pageSize, options, async (pageNumber) => {
      const answer = await this.#referenced.call(records, { ...query, pageSize, pageNumber }, options);
      return {
        entries: answer.entries().flatMap(readRecord),
        totalPages: answer.totalPages(),
      };
    });
  }
}

/** An entry without a `postId` is none that could be told apart, and is left out. */
function readRecord(field: (name: string) => unknown): PublishingRecord[] {
  const postId = asText(field('postId'));
  if (postId === undefined) return [];
  const businessIds = field('businessIds');
  return [
    {
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
      failureReason: asText(field('failureReason')),
    },
  ];
}

/** Milliseconds, or an ISO 8601 text. */
function asTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}
