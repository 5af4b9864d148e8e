/** Publishing tasks, their music, the records that show their results, and metrics of published videos (contract, sections 4.1, 4.8, 4.9). */
import {
  type CreateCreatorPost,
  type CreatorPost,
  maxPhotos,
  type PublicVideoData,
} from './contract/posts.ts';
import { EchoedKey } from './contract/texts.ts';
import { instantOf } from './contract/time-zone.ts';
import { uriOf } from './contract/uri.ts';
import type { CallOptions, OperationCaller } from './transport/caller.ts';
import type { PagingOptions } from './transport/paging.ts';
import { asCaption, asId, asMessage, asUrl } from './transport/referenced-answer.ts';
import type { ReferencedCaller } from './transport/referenced-caller.ts';

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
  readonly publicUrl: string | undefined;
  readonly failureReason: string | undefined;
}

const records = 'listPosts';
/** Records are looked at one by one, and none is kept. A million of them take about this much. */
const mostRecordBytes = 1024 ** 3;

export class Posts {
  readonly #caller: OperationCaller;
  readonly #referenced: ReferencedCaller;

  constructor(caller: OperationCaller, referenced: ReferencedCaller) {
    this.#caller = caller;
    this.#referenced = referenced;
  }

  /** Success means accepted, not published. Not idempotent. @throws {OutcomeUnknownError} when it may have been created; {ApiError} */
  create(request: CreateCreatorPost, options?: CallOptions): Promise<CreatorPost> {
    return this.#caller.call('createCreatorPost', request, options);
  }

  /** Whether the setting sends this field, so that the service filters by it. */
  narrowsBy(field: keyof PostQuery): boolean {
    return this.#referenced.asksFor(records, field);
  }

  /** Whether the setting says where a record has the address of the published video. */
  get tellsPublicUrl(): boolean {
    return this.#referenced.reads(records, 'publicUrl');
  }

  /** By page if the setting has `{pageToken}` or counts pages, else one call. @throws {NotConfiguredError}; {ApiError} */
  list(query: PostQuery = {}, options: PagingOptions = {}): AsyncGenerator<PublishingRecord> {
    const bounded = { ...options, mostBytes: mostRecordBytes };
    return this.#referenced.list(records, { ...query }, readRecord, bounded);
  }
}

/** Entries without `postId` are skipped: they cannot be identified. */
function readRecord(field: (name: string) => unknown): PublishingRecord | undefined {
  const postId = asId(field('postId'));
  if (postId === undefined) return undefined;
  const businessIds = field('businessIds');
  return {
    postId,
    status: asId(field('status')),
    creatorId: asCompared(field('creatorId')),
    title: asCaption(field('title')),
    businessId: asCompared(field('businessId')),
    businessIds: Array.isArray(businessIds)
      ? businessIds.slice(0, mostFiles).map((id) => asId(id) ?? unlikeAny)
      : undefined,
    productId: asCompared(field('productId')),
    scheduledAt: asTime(field('scheduledAt')),
    createdAt: asTime(field('createdAt')),
    publicUrl: asUrl(field('publicUrl')),
    failureReason: asMessage(field('failureReason')),
  };
}

/** A post has at most 15 files. A record with more is another post's, however many it names. */
const mostFiles = maxPhotos + 1;
/** Stands for an id that is of no use: it is there, so the record is not that of a post with another id. */
const unlikeAny = '';

/** An id to compare; undefined if the record has none. */
function asCompared(value: unknown): string | undefined {
  const isText = value instanceof EchoedKey || (typeof value === 'string' && value !== '');
  return asId(value) ?? (isText ? unlikeAny : undefined);
}

/** Smaller numbers are seconds: as milliseconds, they would be before 1973. */
const leastMilliseconds = 1e11;

/** Seconds or milliseconds, also as a text, or an ISO 8601 text. Undefined for a text without an offset: its zone is unknown. */
function asTime(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  const time = text === '' ? value : (instantOf(text.replace(' ', 'T').replace(' ', '')) ?? Number(text));
  // Services write 0 for "no time".
  if (typeof time !== 'number' || !Number.isFinite(time) || time <= 0) return undefined;
  return time < leastMilliseconds ? time * 1000 : time;
}

export class Videos {
  readonly #caller: OperationCaller;

  constructor(caller: OperationCaller) {
    this.#caller = caller;
  }

  /** By its public http(s) URL. @throws {GoneError} when the video no longer exists; {ApiError} */
  fetch(videoUrl: string, options?: CallOptions): Promise<PublicVideoData> {
    return this.#caller.call('fetchPublicVideoData', { videoUrl: uriOf(videoUrl) }, options);
  }
}

export interface MusicTrack {
  readonly id: string;
  readonly title: string | undefined;
  readonly author: string | undefined;
  readonly duration: string | undefined;
}

export class MusicLibrary {
  readonly #caller: ReferencedCaller;

  constructor(caller: ReferencedCaller) {
    this.#caller = caller;
  }

  /** By page if the setting has `{pageToken}` or counts pages, else one call. @throws {NotConfiguredError}; {ApiError} */
  search(keyword: string, options: PagingOptions = {}): AsyncGenerator<MusicTrack> {
    return this.#caller.list('searchMusic', { keyword }, readTrack, options);
  }
}

function readTrack(field: (name: string) => unknown): MusicTrack | undefined {
  const id = asId(field('id'));
  if (id === undefined) return undefined;
  const [title, author, duration] = [field('title'), field('author'), field('duration')].map(asMessage);
  return { id, title, author, duration };
}
