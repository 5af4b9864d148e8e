/** The calls of a file upload (contract, sections 4.6 and 4.9). */

import { asInteger, type IntegerId } from './contract/envelope.ts';
import type { CreateFileUpload, FileUpload } from './contract/files.ts';
import type { PutRequest, Storage } from './storage.ts';
import type { CallOptions, OperationCaller } from './transport/caller.ts';
import { asUrl } from './transport/referenced-answer.ts';
import type { ReferencedCaller } from './transport/referenced-caller.ts';

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

/** The calls of a file upload. */
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

  /**
   * Confirms an upload after the PUT.
   * @returns the public URL, if the setting reads one from the answer (`result.url`).
   * @throws {NotConfiguredError} without the setting `api.confirmUpload`, and {ApiError} otherwise.
   */
  async confirm(
    request: ConfirmRequest,
    options?: CallOptions,
  ): Promise<{ readonly url: string | undefined }> {
    const fileId = asInteger(request.fileId);
    const answer = await this.#referenced.call('confirmUpload', { ...request, fileId }, options);
    return { url: asUrl(answer.read('url')) };
  }
}
