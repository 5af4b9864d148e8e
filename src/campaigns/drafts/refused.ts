import { UseCaseError } from '../../runtime/use-case-error.ts';

/** @param why as the end of a sentence. */
export function draftRefused(
  why: string,
  cure = 'Nothing was changed. Load the page of the draft again.',
): UseCaseError {
  return new UseCaseError('draft_refused', why, { cure });
}
