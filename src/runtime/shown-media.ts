/** Media that cannot be shown, as people are told. */
import { MediaError } from '../media/errors.ts';
import { UseCaseError } from './use-case-error.ts';

/** @throws {UseCaseError} `media_not_shown` instead of a `MediaError`. */
export async function shownOrRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    throw new UseCaseError('media_not_shown', error.message.replace(/\.$/, ''), { cure: error.cure });
  }
}
