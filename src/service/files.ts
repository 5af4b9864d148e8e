/** The calls of a file upload (contract, sections 4.6 and 4.9), and of covers, which turn a file into a URI (section 4.9). */
import { asInteger, type IntegerId } from './contract/envelope.ts';
import type { CreateFileUpload, FileUpload } from './contract/files.ts';
import type { PutRequest, Storage } from './storage.ts';
import type { CallOptions, OperationCaller } from './transport/caller.ts';
import { asUrl } from './transport/referenced-answer.ts';
import type { FormFile, ReferencedCaller } from './transport/referenced-caller.ts';

/** The placeholders that a template of the confirmation may use. */
export interface ConfirmRequest {
  readonly fileId: IntegerId;
  readonly fileName?: string | undefined;
  readonly contentType?: string | undefined;
  readonly size?: number | undefined;
  readonly hash?: string | undefined;
  readonly url?: string | undefined;
  /** The presigned URL that the bytes went to. */
  readonly uploadUrl?: string | undefined;
  /** What the storage called them, as `put` returns it. */
  readonly etag?: string | undefined;
}

export class Files {
  readonly #caller: OperationCaller;
  readonly #referenced: ReferencedCaller;
  readonly #storage: Storage;

  constructor(caller: OperationCaller, referenced: ReferencedCaller, storage: Storage) {
    this.#caller = caller;
    this.#referenced = referenced;
    this.#storage = storage;
  }

  /** Registers a file. With `isNew` false the service already has its bytes. @throws {ApiError} */
  presign(request: CreateFileUpload, options?: CallOptions): Promise<FileUpload> {
    return this.#caller.call('createFileUpload', request, options);
  }

  /** Sends the bytes to the presigned URL, without the API key. As `Storage.put`. */
  put(request: PutRequest, options?: CallOptions): Promise<{ readonly etag: string | undefined }> {
    return this.#storage.put(request, options);
  }

  /** After the PUT. @returns the public URL, if the setting reads one (`result.url`). @throws {NotConfiguredError}; {ApiError} */
  async confirm(
    request: ConfirmRequest,
    options?: CallOptions,
  ): Promise<{ readonly url: string | undefined }> {
    const fileId = asInteger(request.fileId);
    const answer = await this.#referenced.call('confirmUpload', { ...request, fileId }, options);
    return { url: asUrl(answer.read('url')) };
  }
}

export interface CoverRequest {
  readonly fileId?: IntegerId | undefined;
  /** Account id of the creator (`id`). */
  readonly accountId?: IntegerId | undefined;
  readonly creatorId?: string | undefined;
  /** Public URL of the uploaded image, where the setting sends it (`needsUrl`). */
  readonly url?: string | undefined;
  /** The image, where the setting sends it or a fact about it (`needsFile`). */
  readonly file?: (FormFile & { readonly size: number; readonly hash: string }) | undefined;
}

const operation = 'uploadCover';
/** Placeholders whose values come from the image itself. */
const ofFile = ['file', 'fileName', 'contentType', 'size', 'hash'] as const;

export class Covers {
  readonly #caller: ReferencedCaller;

  constructor(caller: ReferencedCaller) {
    this.#caller = caller;
  }

  /** Whether the setting sends the image's bytes, or a fact about them, so that `upload` needs `file`. */
  get needsFile(): boolean {
    return ofFile.some((name) => this.#caller.asksFor(operation, name));
  }

  /** Whether the setting sends the image's public URL, so that `upload` needs `url`. */
  get needsUrl(): boolean {
    return this.#caller.asksFor(operation, 'url');
  }

  /** @returns the value for `socialShop.coverUri` of the post. @throws {NotConfiguredError}; {ApiError} */
  async upload(request: CoverRequest = {}, options?: CallOptions): Promise<{ readonly coverUri: string }> {
    const { file, creatorId, url } = request;
    const integer = (id: IntegerId | undefined) => (id === undefined ? undefined : asInteger(id));
    const ids = { fileId: integer(request.fileId), accountId: integer(request.accountId), creatorId };
    const { fileName, contentType, size, hash } = file ?? {};
    const values = { ...ids, fileName, contentType, size, hash, url };
    const answer = await this.#caller.call(operation, values, { ...options, file });
    return { coverUri: answer.needUri('coverUri') };
  }
}
