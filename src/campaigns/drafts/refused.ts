import { UseCaseError } from '../../runtime/use-case-error.ts';
import type { Draft } from './draft.ts';

/** @param why as the end of a sentence. */
export function draftRefused(
  why: string,
  cure = 'Nothing was changed. Load the page of the draft again.',
): UseCaseError {
  return new UseCaseError('draft_refused', why, { cure });
}

/** @throws {UseCaseError} `draft_refused` while nobody knows whether a start has made a campaign, which needs the files as they are. */
export function refuseStarting({ starting }: Draft): void {
  if (!starting) return;
  throw draftRefused(
    'a start of the draft has begun, and was not told how it ended',
    'Press Start once more: then it goes on with the campaign that it made, or makes it.',
  );
}
