import type { Cure } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';

/** Describes to people why a check failed. */
export function describeFailure(error: unknown): {
  readonly message: string;
  readonly cure: Cure | undefined;
} {
  if (error instanceof UseCaseError) return { message: error.message, cure: error.cure };
  const message = error instanceof Error ? error.message : String(error);
  return { message: `the sheet could not be checked: ${message}`, cure: 'Check it again in a moment.' };
}
