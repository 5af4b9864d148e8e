/** Video covers: a file becomes a cover URI. The contract refers to the operation without showing it (section 4.9). */
import type { CallOptions } from './caller.ts';
import type { FormFile, ReferencedCaller } from './referenced-caller.ts';

export interface CoverRequest {
  /** Id of the uploaded image. */
  readonly fileId?: string | number | undefined;
  /** Account id of the creator (`id`). */
  readonly accountId?: number | undefined;
  readonly creatorId?: string | undefined;
  /** The image itself, where the setting sends it as form data (`needsFile`). */
  readonly file?: FormFile | undefined;
}

export class Covers {
  readonly #caller: ReferencedCaller;

  constructor(caller: ReferencedCaller) {
    this.#caller = caller;
  }

  /** Whether the setting sends the image's bytes, so that `upload` needs them. */
  get needsFile(): boolean {
    return this.#caller.asksFor('uploadCover', 'file');
  }

  /**
   * Makes an image known as a cover.
   * @returns `coverUri` for `socialShop.coverUri` of the post.
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

/** A file id is an integer in the contract; callers that keep it as a text get it sent as the integer nevertheless. */
function integerOf(fileId: string | number | undefined): string | number | undefined {
  const number = Number(fileId);
  return fileId !== undefined && fileId !== '' && Number.isSafeInteger(number) ? number : fileId;
}
