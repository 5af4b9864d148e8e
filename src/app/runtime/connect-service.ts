/** The client of the service with its rate limits, as settings and environment say. */
import { hostname } from 'node:os';
import type { buildConnector } from 'undici';
import type { Settings } from '../../../config/schema.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { ServiceReach } from '../../ledger/service/service-reach.ts';
import { Proxies } from '../../platform/net/proxy.ts';
import type { RedisServer } from '../../platform/redis/choose-redis.ts';
import type { Service } from '../../processors/runner/service.ts';
import { RateLimits } from '../../queues/rate-limits.ts';
import { createServiceClient } from '../../service/client.ts';
import { UploadAddressRefusedError } from '../../service/errors.ts';
import { AddressPolicy } from '../../service/media/addresses.ts';
import { MediaError } from '../../service/media/errors.ts';
import type { SkippedEntries } from '../../service/transport/caller.ts';
import type { SmallerPages } from '../../service/transport/paging.ts';
import type { ObservedCall } from '../../service/transport/transport.ts';
import type { Configuration } from './configuration.ts';

export interface ServiceOptions {
  /** Receives every call. */
  readonly observe?: ((call: ObservedCall) => void) | undefined;
  /** Whether to record calls without an answer, to show them to people; default true. */
  readonly recordsReach?: boolean | undefined;
}

export type ServiceSources = Configuration & {
  readonly redis: Pick<RedisServer, 'connect'>;
  readonly ledger: Pick<Ledger, 'keys'>;
  /** As in `Runtime`. */
  readonly notify: (message: string) => void;
};

export interface ServiceAccess {
  readonly url: string;
  readonly key: string;
}

/** Connects to nothing before the first call. */
export function connectService(
  sources: ServiceSources,
  { url, key }: ServiceAccess,
  { observe, recordsReach = true }: ServiceOptions,
): Service {
  const { environment, settings, ledger } = sources;
  const { keys } = ledger;
  const { api, retry, rateLimits: rates } = settings;
  const proxies = new Proxies(environment.proxies);
  const redis = sources.redis.connect('rate-limits');
  const rateLimits = new RateLimits({ redis, prefix: keys.prefix, rateLimits: rates, retry });
  const reach = recordsReach ? new ServiceReach({ redis, keys, host: hostname() }) : undefined;
  const client = createServiceClient({
    baseUrl: url,
    apiKey: key,
    timeoutMs: api.timeout,
    templates: api,
    pageSize: api.pageSize,
    codes: api.codes,
    storageConnector: storageConnector(settings, proxies),
    proxies,
    observe(call) {
      observe?.(call);
      if (call.kind === 'unanswered') reach?.failed(call.reason ?? '');
      else reach?.answered(call.date);
      if (call.kind === 'answered') rateLimits.answered(call.operation);
    },
    skipped: tellOfSkipped(sources.notify),
    smallerPages: tellOfSmallerPages(sources.notify),
  });
  return { client, rateLimits, reach };
}

/** Reports skipped entries once for each operation, and again only if a page has more of them, because polls repeat. */
function tellOfSkipped(notify: ServiceSources['notify']): (found: SkippedEntries) => void {
  const reported = new Map<string, number>();
  return ({ operation, skipped, sent }) => {
    if (skipped <= (reported.get(operation) ?? 0)) return;
    reported.set(operation, skipped);
    notify(
      `${operation}: ${skipped} of ${sent} entries of the answer are skipped, because they lack an id or status`,
    );
  };
}

function tellOfSmallerPages(notify: ServiceSources['notify']): (found: SmallerPages) => void {
  return ({ operation, refused, accepted }) =>
    notify(
      `${operation}: the service refused pages of ${refused} entries and accepts ${accepted}. To avoid the refused calls, set api.pageSize to ${accepted}`,
    );
}

/** A service, or who poses as it, must not direct uploads into our own network. @returns makes a connector, given a timeout (ms). */
export function storageConnector(
  { media }: Settings,
  proxies?: Proxies,
): (timeoutMs: number) => buildConnector.connector {
  const policy = new AddressPolicy(media.allowPrivateAddresses, proxies);
  return (timeoutMs) => {
    const connect = policy.connector(timeoutMs);
    return (options, callback) =>
      connect(options, (...result) => {
        const [error] = result;
        if (error instanceof MediaError) {
          const message = `The presigned URL of the service leads to a private network: ${error.message}`;
          callback(new UploadAddressRefusedError(message, { operation: 'putFile' }), null);
        } else callback(...result);
      });
  };
}
