/** Errors of calls that a use case makes itself, in words for people. */
import { defaultAccount } from '../../../config/access.ts';
import {
  ApiError,
  CreatorAuthorizationExpiredError,
  ForbiddenError,
  KeyRefusedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
} from '../../api/errors.ts';
import type { Hint } from '../../manifest/problems/hint.ts';
import type { Account } from '../../processors/runner/accounts.ts';
import { UseCaseError } from '../use-case-error.ts';

/**
 * @param what failed, as the beginning of a sentence: `creators could not be looked up`.
 * @param hints what else can be done.
 * @returns the error to throw instead; or the same error, if it is not from a call.
 */
export function serviceError(error: unknown, what: string, ...hints: readonly Hint[]): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error instanceof NotSentError) {
    return unreachable(error, 'CREATOR_API_URL (or the url of the account in the settings)');
  }
  return new UseCaseError('service_failed', `${what}: ${error.message}`, {
    cure: [`${cureOf(error)} Nothing was sent.`, ...hints],
    cause: error,
  });
}

/** The cures of these errors are about rows, so use cases need their own. */
function cureOf(error: ApiError): string {
  if (error instanceof KeyRefusedError || error instanceof ForbiddenError)
    return 'Put a valid key with the needed permissions into CREATOR_API_KEY, or into its account in the settings.';
  if (error instanceof CreatorAuthorizationExpiredError) return 'Ask the creator to authorize again.';
  if (error instanceof OutcomeUnknownError) return 'Try again later.';
  if (error instanceof RefusedError && error.status === 404)
    return 'Check the address in CREATOR_API_URL, or the url of the account in the settings.';
  if (error instanceof RefusedError) return 'Ask service support what it means.';
  return error.cure;
}

/** @throws {UseCaseError} `service_unreachable` if no connection can be made: campaigns would only run into deadlines. */
export async function requireService({ name, client, rateLimits }: Account): Promise<void> {
  try {
    await rateLimits.waitFor('listCreatorAccounts');
    await client.creators.list({ pageSize: 1, pageNumber: 1 });
  } catch (error) {
    // Any other error concerns a campaign, and is handled there.
    if (!(error instanceof NotSentError)) return;
    const place = name === defaultAccount ? 'CREATOR_API_URL' : `the setting accounts.${name}.url`;
    throw unreachable(error, place);
  }
}

function unreachable(error: NotSentError, place: string): UseCaseError {
  return new UseCaseError('service_unreachable', `the service is not reachable: ${error.message}`, {
    cure: `Check ${place} and the network. Nothing was sent.`,
    cause: error,
  });
}
