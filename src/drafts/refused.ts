import { UseCaseError } from '../runtime/use-case-error.ts';
import type { Draft } from './draft.ts';

/** @param why as the end of a sentence. */
export function draftRefused(
  why: string,
  cure = 'Nothing was changed. Load the page of the draft again.',
): UseCaseError {
  return new UseCaseError('draft_refused', why, { cure });
}

/**
 * @throws {UseCaseError} `draft_refused` while it is not known whether a start has created a campaign, which would need the
 *   files unchanged.
 */
export function refuseStarting({ starting }: Draft): void {
  if (!starting) return;
  throw draftRefused(
    'the draft was being started, and it is not known whether that succeeded',
    'Press Start once more: it opens the campaign, or creates it if there is none.',
  );
}
