/** Video covers: turns a file into a cover URI. The contract mentions the operation without its form (section 4.9). */
import type { CallOptions } from './caller.ts';
import type { FormFile, ReferencedCaller } from './referenced-caller.ts';

export interface CoverRequest {
  /** Id of the uploaded image. An id kept as text is sent as the integer of the contract. */
  readonly fileId?: string | number | undefined;
  /** Account id of the creator (`id`). */
  readonly accountId?: number | undefined;
  readonly creatorId?: string | undefined;
  /** The image, where the setting sends it as form data (`needsFile`). */
  readonly file?: FormFile | undefined;
}

export class Covers {
  readonly #caller: ReferencedCaller;

  constructor(caller: ReferencedCaller) {
    this.#caller = caller;
  }

  /** Whether the setting sends the image's bytes, so that `upload` needs `file`. */
  get needsFile(): boolean {
    return this.#caller.asksFor('uploadCover', 'file');
  }

  /**
   * Registers an image as a cover.
   * @returns the value for `socialShop.coverUri` of the post.
   * @throws {NotConfiguredError} without the setting `api.uploadCover`, and {ApiError} otherwise.
   */
  async upload(request: CoverRequest, options?: CallOptions): Promise<{ readonly coverUri: string }> {
    const { file, fileId, accountId, creatorId } = request;
    const answer = await this.#caller.call(
      'uploadCover',
      {
        fileId: integerOf(fileId),
        accountId,
        creatorId,
        fileName: file?.fileName,
        contentType: file?.contentType,
      },
      { ...options, file },
    );
    return { coverUri: answer.needText('coverUri') };
  }
}

function integerOf(fileId: string | number | undefined): string | number | undefined {
  const number = Number(fileId);
  return fileId !== undefined && fileId !== '' && Number.isSafeInteger(number) ? number : fileId;
}
