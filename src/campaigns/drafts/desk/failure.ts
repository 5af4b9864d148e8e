import { UseCaseError } from '../../../runtime/use-case-error.ts';

/** What a person is told of a check that could not be made. */
export function describeFailure(error: unknown): {
  readonly message: string;
  readonly cure: string | undefined;
} {
  if (error instanceof UseCaseError) return { message: error.message, cure: error.cure };
  const message = error instanceof Error ? error.message : String(error);
  return { message: `the sheet could not be checked: ${message}`, cure: 'Check it again in a moment.' };
}
