/** Video covers: turns a file into a cover URI. The contract mentions the operation without its form (section 4.9). */

import { asInteger, type IntegerId } from './contract/envelope.ts';
import type { CallOptions } from './transport/caller.ts';
import type { FormFile, ReferencedCaller } from './transport/referenced-caller.ts';

/** An image to register as a cover. */
export interface CoverRequest {
  /** Id of the uploaded image. */
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

/** Video covers. */
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

  /**
   * Registers an image as a cover.
   * @returns the value for `socialShop.coverUri` of the post.
   * @throws {NotConfiguredError} without the setting `api.uploadCover`, and {ApiError} otherwise.
   */
  async upload(request: CoverRequest = {}, options?: CallOptions): Promise<{ readonly coverUri: string }> {
    const { file, fileId, accountId, creatorId, url } = request;
    const answer = await this.#caller.call(
      operation,
      {
        fileId: fileId === undefined ? undefined : asInteger(fileId),
        accountId: accountId === undefined ? undefined : asInteger(accountId),
        creatorId,
        fileName: file?.fileName,
        contentType: file?.contentType,
        size: file?.size,
        hash: file?.hash,
        url,
      },
      { ...options, file },
    );
    return { coverUri: answer.needUri('coverUri') };
  }
}
