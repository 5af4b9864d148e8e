/** What a call of the service that a command makes itself may end with, told to the person at the terminal. */
import { ApiError, KeyRefusedError, NotSentError, OutcomeUnknownError, RefusedError } from '../api/errors.ts';
import { CommandError } from './exit.ts';

/**
 * @param what could not be done, as the beginning of a sentence: `creators could not be looked up`.
 * @returns the error to end the command with; an error that did not come of a call, as it is.
 */
export function serviceError(error: unknown, what: string): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error instanceof NotSentError) {
    return new CommandError(`the service is not reachable: ${error.message}`, {
      cure: 'Check CREATOR_API_URL (or the url of the account in the settings) and the network. Nothing was sent.',
      cause: error,
    });
  }
  return new CommandError(`${what}: ${error.message}`, {
    cure: `${cureOf(error)} Nothing was sent.`,
    cause: error,
  });
}

/** The cures of the errors themselves speak of rows. */
function cureOf(error: ApiError): string {
  if (error instanceof KeyRefusedError)
    return 'Give a key that is valid and permitted in CREATOR_API_KEY, or at its account in the settings.';
  if (error instanceof OutcomeUnknownError) return 'Try again later.';
  if (error instanceof RefusedError && error.status === 404)
    return 'Check the address in CREATOR_API_URL, or the url of the account in the settings.';
  if (error instanceof RefusedError) return 'Ask the provider of the service what it means.';
  return error.cure;
}
