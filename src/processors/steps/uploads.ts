/**
 * Uploads each file content once: rows that share a file share its upload. Within a process they wait for the same promise.
 * Between processes the ledger has a lease per content, and records what was uploaded.
 */

import { randomUUID } from 'node:crypto';
import { Semaphore, withTimeout } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import { isLasting } from '../../ledger/rows/row-progress.ts';
import {
  type FileContent,
  type FileLedger,
  type FileRecord,
  leaseMs,
  type UploadClaim,
} from '../../ledger/service/files.ts';
import { describeExcess } from '../../manifest/printable.ts';
import type { MediaType } from '../../service/contract/posts.ts';
import { type UploadedFile, uploadFile } from '../../service/file-upload.ts';
import type { CoverRequest } from '../../service/files.ts';
import { MediaError } from '../../service/media/errors.ts';
import {
  identifyMedia,
  type MediaOptions,
  type OpenedMedia,
  openMedia,
  openUrl,
} from '../../service/media/source.ts';
import { type Service, takePermit } from '../runner/service.ts';

interface UploadRequest {
  readonly service: Service;
  /** Path or URL. */
  readonly source: string;
  /** The service gave the source, so it must be a URL: a path would be a file of this machine. */
  readonly isAsset: boolean;
  readonly mediaRoot: string;
  /** The expected kind of file, whatever the URL returns. */
  readonly kind: MediaType;
  /** Whether the public URL is needed, not only the file id. */
  readonly needsUrl: boolean;
  /** Limits in bytes and ms; else it fails. Such requests share no upload with others, which would fail by these limits. */
  readonly quick?: { readonly maxBytes: number; readonly maxWaitMs: number; readonly placeWithinMs: number };
}

export type UploadResult =
  | { readonly kind: 'file'; readonly file: FileRecord }
  /** Another process is uploading the same content. */
  | { readonly kind: 'taken' }
  /** The row that asked for the upload may no longer act. */
  | { readonly kind: 'withdrawn' };

/** As many uploads as may be are under way, and no place came free in time. */
export class NoPlaceError extends Error {
  override readonly name = 'NoPlaceError';
}

/** One for all: a stack for each upload would take longer than its bookkeeping. */
const noPlace = new NoPlaceError();

/** Asks the ledger for the right to upload a content, once its hash is known. */
export type AskToUpload = (
  content: FileContent,
  token: string,
) => Promise<UploadClaim | { readonly kind: 'withdrawn' }>;

/** Longest wait with a hashed file, because giving up would mean reading it again. Milliseconds. */
const longestUploadWaitMs = 10_000;
/** Bytes. A cover that is sent in a form is read into memory. */
const largestCover = 20_000_000;
/**
 * Bytes of files that are in memory and on their way at once in a process, whatever the number of uploads. More of them would share a
 * slow line until none is quick enough.
 */
const memoryBytes = 32 * 1024 * 1024;
/** What one of them takes at most: a large file is streamed, in chunks that undici and the socket hold for a while. */
const memoryPerFile = 2 * 1024 * 1024;
/** Bytes that a permit of the semaphore stands for: a few hundred permits in all, because it visits each at a release. */
const permitBytes = 64 * 1024;

function permitsFor(bytes: number): number {
  return Math.ceil(bytes / permitBytes);
}

export class Uploads {
  readonly #files: FileLedger;
  readonly #media: Omit<MediaOptions, 'mediaRoot'>;
  /** Limits the uploads at once, whichever jobs make them. First in, first out. */
  readonly #places: Semaphore;
  /** Memory for files. First in, first out. */
  readonly #memory = new Semaphore(permitsFor(memoryBytes));
  readonly #underWay = new Map<string, Promise<UploadResult>>();
  /** Local files that this process uploaded recently: rows that share a file come close together. */
  readonly #uploaded = new LRUCache<string, { readonly identity: string; readonly file: FileRecord }>({
    max: 5000,
  });

  /** @param options.atOnce most uploads under way in this process. */
  constructor(options: {
    readonly files: FileLedger;
    readonly media: Omit<MediaOptions, 'mediaRoot'>;
    readonly atOnce: number;
  }) {
    this.#files = options.files;
    this.#media = options.media;
    this.#places = new Semaphore(options.atOnce);
  }

  /**
   * Uploads a file unless the service has it. Of concurrent requests for the same file, the first uploads it, with its own
   * `ask`.
   * @throws {NoPlaceError} only for a `quick` one; errors of reading and of the service.
   */
  upload(request: UploadRequest, ask: AskToUpload): Promise<UploadResult> {
    const key = `${request.quick ? 'quick' : ''}${contentKeyOf(request)}`;
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const upload = this.#inTurn(request, ask).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, upload);
    return upload;
  }

  /**
   * Reads a cover, for services that take its bytes in a form, or facts about them.
   * @param use has the cover until its promise ends.
   * @throws {MediaError} `media_cover_too_large` and others.
   */
  async withCover<T>(
    source: string,
    mediaRoot: string,
    use: (cover: NonNullable<CoverRequest['file']>) => Promise<T>,
  ): Promise<T> {
    await using media = await openMedia(source, { ...this.#media, mediaRoot });
    const { fileName, contentType, size, hash } = media;
    if (size > largestCover) {
      const message = describeExcess('The cover', size, largestCover);
      throw new MediaError('media_cover_too_large', message, source);
    }
    // Awaited here, because the medium is closed on return.
    return await this.#memory.runExclusive(async () => {
      const bytes = 'bytes' in media ? media.bytes : Buffer.concat(await media.open().toArray());
      return use({ bytes, fileName, contentType, size, hash });
    }, permitsFor(size));
  }

  async #inTurn(request: UploadRequest, ask: AskToUpload): Promise<UploadResult> {
    const { quick } = request;
    const places = quick ? withTimeout(this.#places, quick.placeWithinMs, noPlace) : this.#places;
    await places.acquire();
    try {
      return await this.#inMemory(request, ask);
    } finally {
      this.#places.release();
    }
  }

  /** Takes memory for a file before it is read. A large one gives it back while its bytes are not needed. */
  async #inMemory(request: UploadRequest, ask: AskToUpload): Promise<UploadResult> {
    let taken = permitsFor(memoryPerFile);
    await this.#memory.acquire(taken);
    const keepOnly = (bytes: number) => {
      const needed = permitsFor(bytes);
      if (needed < taken) this.#memory.release(taken - needed);
      taken = Math.min(taken, needed);
    };
    try {
      return await this.#open(request, ask, keepOnly);
    } finally {
      keepOnly(0);
    }
  }

  async #open(
    request: UploadRequest,
    ask: AskToUpload,
    keepOnly: (bytes: number) => void,
  ): Promise<UploadResult> {
    const { source, mediaRoot, isAsset, quick } = request;
    const before = this.#uploaded.get(contentKeyOf(request));
    if (before && before.identity === (await identifyMedia(source, mediaRoot))) {
      return { kind: 'file', file: before.file };
    }
    const maxBytes = Math.min(this.#media.maxBytes, quick?.maxBytes ?? Number.POSITIVE_INFINITY);
    await using media = isAsset
      ? await openUrl(source, this.#media)
      : await openMedia(source, { ...this.#media, mediaRoot, maxBytes });
    keepOnly('bytes' in media ? media.bytes.length : 0);
    checkKind(media, request);
    const { needsUrl } = request;
    const content: FileContent = { hash: media.hash, contentType: media.contentType };
    const token = randomUUID();
    const claim = await ask(content, token);
    if (claim.kind === 'taken' || claim.kind === 'withdrawn') return claim;
    if (claim.kind === 'known' && (!needsUrl || claim.file.url !== undefined)) {
      return await this.#remember(request, media, claim.file, token);
    }
    // Awaited here, because the medium is closed on return.
    return await this.#send(request, media, content, token);
  }

  #remember(request: UploadRequest, media: OpenedMedia, file: FileRecord, token: string): UploadResult {
    const { identity } = media;
    const { url, ...withoutUrl } = file;
    const kept = url === undefined || isLasting(url) ? file : withoutUrl;
    if (identity !== undefined && kept === file)
      this.#uploaded.set(contentKeyOf(request), { identity, file });
    // Not awaited: the row has the file id, and a lost record costs only one more presigned URL.
    this.#files.record(media, token, kept, identity).catch(() => undefined);
    return { kind: 'file', file };
  }

  async #send(
    request: UploadRequest,
    media: OpenedMedia,
    content: FileContent,
    token: string,
  ): Promise<UploadResult> {
    const { service, needsUrl, quick } = request;
    const heartbeat = setInterval(() => {
      // A missed heartbeat costs at most a second upload, which the service recognizes by its hash.
      this.#files.prolong(content, token).catch(() => undefined);
    }, leaseMs / 3);
    try {
      const pace = async (operation: string) => {
        await takePermit(service, operation, quick?.maxWaitMs ?? longestUploadWaitMs);
      };
      const put = <T>(send: () => Promise<T>) =>
        'bytes' in media ? send() : this.#memory.runExclusive(send, permitsFor(memoryPerFile));
      const uploaded = await uploadFile(service.client, media, { pace, put });
      return this.#remember(request, media, toRecord(uploaded, needsUrl), token);
    } catch (error) {
      await this.#files.record(content, token, undefined, undefined);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }
}

/** @throws {MediaError} `media_type_mismatch` for a picture instead of a video, or the other way round. */
function checkKind({ kind, contentType }: OpenedMedia, request: UploadRequest): void {
  if (kind === request.kind) return;
  const wanted = request.kind === 'VIDEO' ? 'a video' : 'a picture';
  const message = `The file is ${contentType}, but ${wanted} is needed.`;
  throw new MediaError('media_type_mismatch', message, request.source);
}

/** Requests with the same key want the same file. */
function contentKeyOf({ mediaRoot, source, isAsset, kind, needsUrl }: UploadRequest): string {
  return JSON.stringify([mediaRoot, source, isAsset, kind, needsUrl]);
}

function toRecord({ fileId, url }: UploadedFile, withUrl: boolean): FileRecord {
  return { fileId: String(fileId), ...(withUrl && url !== undefined && { url }) };
}
