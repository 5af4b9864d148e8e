/** Accounts of the service, from settings and environment. Each gets a client and rate limits on first use. */
import { hostname } from 'node:os';
import type { buildConnector } from 'undici';
import { defaultAccount, serviceUrl } from '../../../config/access.ts';
import { accountOf, readAccountKey } from '../../../config/load.ts';
import type { Settings } from '../../../config/schema.ts';
import { createServiceClient } from '../../api/client.ts';
import { UploadAddressRefusedError } from '../../api/errors.ts';
import type { SkippedEntries } from '../../api/transport/caller.ts';
import type { SmallerPages } from '../../api/transport/paging.ts';
import type { ObservedCall, TraceCall } from '../../api/transport/transport.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { ServiceReach } from '../../ledger/service/service-reach.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { AddressPolicy } from '../../media/addresses.ts';
import { MediaError } from '../../media/errors.ts';
import type { Account, Accounts } from '../../processors/runner/accounts.ts';
import { RateLimits } from '../../queues/rate-limits.ts';
import type { RedisServer } from '../../redis/choose-redis.ts';
import { asUseCase, type Configuration } from '../configuration.ts';
import { UseCaseError } from '../use-case-error.ts';

/** Only this and the client hold the key. */
interface Access {
  readonly url: string;
  readonly key: string;
}

export interface ServiceAccounts extends Accounts, AsyncDisposable {
  /** Names of all configured accounts. */
  readonly names: readonly string[];
  /** @throws {UseCaseError} that says what is missing. */
  need(name: string): Account;
}

export interface AccountsOptions {
  /** Receives every call. */
  readonly observe?: ((call: ObservedCall) => void) | undefined;
  /** Whether to record calls without an answer, to show them to people; default true. */
  readonly recordsReach?: boolean | undefined;
}

/** The part of a runtime that accounts need. */
export type AccountSources = Configuration & {
  readonly redis: Pick<RedisServer, 'connect'>;
  readonly ledger: Pick<Ledger, 'keys'>;
  /** As in `Runtime`. */
  readonly notify: (message: string) => void;
  readonly traces?: { readonly call: TraceCall } | undefined;
};

/** Connects to nothing before the first use. */
export function openAccounts(sources: AccountSources, options: AccountsOptions = {}): ServiceAccounts {
  const { environment, settings } = sources;
  const opened = new Map<string, Account>();
  const hasDefault = environment.apiUrl !== undefined && environment.apiKey !== undefined;
  const names = [...(hasDefault ? [defaultAccount] : []), ...Object.keys(settings.accounts)];

  function need(name: string): Account {
    const known = opened.get(name);
    if (known) return known;
    const account = openAccount(sources, name, options);
    opened.set(name, account);
    return account;
  }

  return {
    names,
    several: names.length > 1,
    need,
    find: (name) => (names.includes(name) ? attempt(() => need(name)) : undefined),
    stopWaiting() {
      for (const { rateLimits } of opened.values()) rateLimits.close();
    },
    async cutOff() {
      await Promise.all([...opened.values()].map(({ client }) => client.cutOff()));
    },
    async [Symbol.asyncDispose]() {
      for (const { rateLimits, client } of opened.values()) {
        rateLimits.close();
        await client.close();
      }
    },
  };
}

/** An account with an unreadable key counts as not configured, so that jobs of other accounts go on. */
function attempt<T>(need: () => T): T | undefined {
  try {
    return need();
  } catch (error) {
    if (error instanceof UseCaseError) return undefined;
    throw error;
  }
}

/** Workers serve all accounts: reports a bad one before they start. @throws {UseCaseError} */
export function requireAccounts(accounts: ServiceAccounts): void {
  if (accounts.names.length === 0) accounts.need(defaultAccount);
  for (const name of accounts.names) accounts.need(name);
}

/** @throws {UseCaseError} for an unknown name. */
export function nameOfAccount(configuration: Configuration, name = defaultAccount): string {
  if (name !== defaultAccount && accountOf(configuration.settings, name) === undefined) {
    throw unknownAccount(configuration, name);
  }
  return name;
}

/** All readable keys: no page may show one. */
export function keysOfAccounts({ environment, settings }: Configuration): readonly string[] {
  const keys = Object.keys(settings.accounts).map((name) => attempt(() => readKey(settings, name)));
  return [environment.apiKey, ...keys].filter((key) => key !== undefined);
}

/** @throws {UseCaseError} `settings_invalid` for an unreadable key. */
function readKey(settings: Settings, name: string): string {
  return asUseCase(() => readAccountKey(settings, name));
}

/** Rate limits of an account: its own, or else the common ones. */
export function rateLimitsOf(settings: Settings, name: string): Settings['rateLimits'] {
  return accountOf(settings, name)?.rateLimits ?? settings.rateLimits;
}

function readAccess(configuration: Configuration, name: string): Access {
  if (name === defaultAccount) return readDefault(configuration);
  const { settings } = configuration;
  const account = accountOf(settings, name);
  if (!account) throw unknownAccount(configuration, name);
  return { url: serviceUrl(account.url) ?? account.url, key: readKey(settings, name) };
}

function unknownAccount({ environment, settings }: Configuration, name: string): UseCaseError {
  const known = [defaultAccount, ...Object.keys(settings.accounts)].join(', ');
  return new UseCaseError('account_unknown', `there is no account "${name}" in the settings`, {
    cure: environment.configFile
      ? `Known accounts: ${known}. Add it to "accounts" in the settings file.`
      : 'Give a settings file (CAMPAIGNS_CONFIG) with this account under "accounts".',
  });
}

function readDefault({ environment, settings }: Configuration): Access {
  const others = Object.keys(settings.accounts);
  const instead = others.length > 0 ? [hint('otherAccount', { accounts: others })] : [];
  if (environment.apiUrl === undefined) {
    throw new UseCaseError('account_incomplete', 'CREATOR_API_URL is not set', {
      cure: ['Set it to the base address of the service.', hint('sandbox'), ...instead],
    });
  }
  if (environment.apiKey === undefined) {
    throw new UseCaseError('account_incomplete', 'CREATOR_API_KEY is not set', {
      cure: [
        'Set it to the API key of the service, or set CREATOR_API_KEY_FILE to a file with the key.',
        ...instead,
      ],
    });
  }
  return { url: environment.apiUrl, key: environment.apiKey };
}

function openAccount(
  sources: AccountSources,
  name: string,
  { observe, recordsReach = true }: AccountsOptions,
): Account {
  const { settings, ledger } = sources;
  const { keys } = ledger;
  const { api, retry } = settings;
  const { url, key } = readAccess(sources, name);
  const redis = sources.redis.connect('rate-limits');
  const rates = rateLimitsOf(settings, name);
  const rateLimits = new RateLimits({ redis, prefix: keys.prefix, account: name, rateLimits: rates, retry });
  const reach = recordsReach ? new ServiceReach({ redis, keys, account: name, host: hostname() }) : undefined;
  const client = createServiceClient({
    baseUrl: url,
    apiKey: key,
    timeoutMs: api.timeout,
    templates: api,
    pageSize: api.pageSize,
    codes: api.codes,
    storageConnector: storageConnector(settings),
    trace: sources.traces?.call,
    observe(call) {
      observe?.(call);
      if (call.kind === 'unanswered') reach?.failed(call.reason ?? '');
      else reach?.answered(call.date);
      if (call.kind === 'answered') rateLimits.answered(call.operation);
    },
    skipped: tellOfSkipped(sources.notify),
    smallerPages: tellOfSmallerPages(sources.notify),
  });
  return { name, client, rateLimits, reach };
}

/** Reports skipped entries once for each operation, and again only if a page has more of them, because polls repeat. */
function tellOfSkipped(notify: AccountSources['notify']): (found: SkippedEntries) => void {
  const told = new Map<string, number>();
  return ({ operation, skipped, sent }) => {
    if (skipped <= (told.get(operation) ?? 0)) return;
    told.set(operation, skipped);
    notify(
      `${operation}: ${skipped} of ${sent} entries of the answer are skipped, because they lack an id or status`,
    );
  };
}

function tellOfSmallerPages(notify: AccountSources['notify']): (found: SmallerPages) => void {
  return ({ operation, refused, accepted }) =>
    notify(
      `${operation}: the service refused pages of ${refused} entries and accepts ${accepted}; the setting api.pageSize saves these calls`,
    );
}

/**
 * Restricts the addresses of presigned URLs: a service, or somebody who poses as it, must not direct uploads into the runner's
 * own network.
 * @returns a function that creates a connector for undici, with a timeout in milliseconds. Its errors are those of the client.
 */
export function storageConnector({ media }: Settings): (timeoutMs: number) => buildConnector.connector {
  const policy = new AddressPolicy(media.allowPrivateAddresses);
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
