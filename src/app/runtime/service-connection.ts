/**
 * The service that this deployment serves. Client and rate limits are loaded with the first use: most commands call nothing. Errors of
 * calls that a use case makes itself, in words for people.
 */

import type { Environment } from '../../../config/load.ts';
import { type Hint, hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { Service } from '../../processors/runner/service.ts';
import {
  ApiError,
  CreatorAuthorizationExpiredError,
  ForbiddenError,
  KeyRefusedError,
  NotConfiguredError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
} from '../../service/errors.ts';
import type { ServiceAccess, ServiceOptions, ServiceSources } from './connect-service.ts';

export interface ServiceConnection extends AsyncDisposable {
  /** Whether the environment names an address and a key. */
  readonly isConfigured: boolean;
  /** Opens it on first use. @throws {UseCaseError} `service_not_configured`, with what is missing. */
  need(): Promise<Service>;
}

/** Connects to nothing before the first use. */
export function openService(sources: ServiceSources, options: ServiceOptions = {}): ServiceConnection {
  const { apiUrl, apiKey } = sources.environment;
  let opened: Promise<Service> | undefined;
  async function open(): Promise<Service> {
    const access = readAccess(sources.environment);
    const { connectService } = await import('./connect-service.ts');
    return connectService(sources, access, options);
  }
  return {
    isConfigured: apiUrl !== undefined && apiKey !== undefined,
    need() {
      // Its module may not be loaded while too many files are open: the next call tries again.
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async [Symbol.asyncDispose]() {
      const { rateLimits, client } = (await opened?.catch(() => undefined)) ?? {};
      rateLimits?.close();
      await client?.close();
    },
  };
}

function readAccess({ apiUrl, apiKey }: Environment): ServiceAccess {
  if (apiUrl === undefined) {
    throw new UseCaseError('service_not_configured', 'CREATOR_API_URL is not set', {
      fix: ['Set it to the base address of the service.', hint('sandbox')],
    });
  }
  if (apiKey === undefined) {
    throw new UseCaseError('service_not_configured', 'CREATOR_API_KEY is not set', {
      fix: 'Set it to the API key of the service, or set CREATOR_API_KEY_FILE to a file with the key.',
    });
  }
  return { url: apiUrl, key: apiKey };
}

/** @param what failed: `creators could not be looked up`. @param hints what else to do. @returns the same error if not from a call. */
export function serviceError(error: unknown, what: string, ...hints: readonly Hint[]): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error instanceof NotSentError) {
    return unreachable(error);
  }
  return new UseCaseError('service_failed', `${what}: ${error.message.replace(`${error.operation}: `, '')}`, {
    fix: [`${fixOf(error)} Nothing was sent.`.trim(), ...settingOf(error), ...hints],
    cause: error,
  });
}

const addressSetting = 'CREATOR_API_URL';

function settingOf(error: ApiError): readonly Hint[] {
  if (error instanceof NotConfiguredError) return [hint('setting', { name: error.setting })];
  if (error instanceof KeyRefusedError || error instanceof ForbiddenError)
    return [hint('setting', { name: 'CREATOR_API_KEY' })];
  const isAbsent = error instanceof RefusedError && error.status === 404;
  return isAbsent ? [hint('setting', { name: addressSetting })] : [];
}

/** The fixes of these errors are about rows, so use cases need their own. */
function fixOf(error: ApiError): string {
  // The setting says it.
  if (error instanceof KeyRefusedError || error instanceof ForbiddenError) return '';
  if (error instanceof CreatorAuthorizationExpiredError) return 'Ask the creator to authorize again.';
  if (error instanceof OutcomeUnknownError) return 'Try again later.';
  if (error instanceof RefusedError && error.status === 404)
    return "Ask an operator to check the service's address.";
  if (error instanceof RefusedError) return 'Ask service support what it means.';
  return error.fix;
}

/** @throws {UseCaseError} `service_unreachable` if no connection can be made: campaigns would only run into deadlines. */
export async function requireService({ client, rateLimits }: Service): Promise<void> {
  try {
    await rateLimits.waitFor('listCreatorAccounts');
    await client.creators.list({ pageSize: 1, pageNumber: 1 });
  } catch (error) {
    // Any other error concerns a campaign, and is handled there.
    if (!(error instanceof NotSentError)) return;
    throw unreachable(error);
  }
}

function unreachable(error: NotSentError): UseCaseError {
  return new UseCaseError('service_unreachable', `the service is not reachable: ${error.message}`, {
    fix: [
      "Nothing was sent. Try again, or ask an operator to check the service's address and the network.",
      hint('setting', { name: addressSetting }),
    ],
    cause: error,
  });
}
