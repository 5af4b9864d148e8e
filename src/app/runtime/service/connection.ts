/** The service that this deployment serves. Client and rate limits are loaded with the first use: most commands call nothing. */
import type { Environment } from '../../../../config/load.ts';
import { hint } from '../../../manifest/problems/hint.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import type { Service } from '../../../processors/runner/service.ts';
import type { ServiceAccess, ServiceOptions, ServiceSources } from './connect.ts';

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
    const { connectService } = await import('./connect.ts');
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
