/** The accounts of the service that settings and environment name: each gets a client and budgets when it is first needed. */
import { hostname } from 'node:os';
import { defaultAccount, serviceUrl } from '../../config/access.ts';
import { readAccountKey } from '../../config/load.ts';
import type { Settings } from '../../config/schema.ts';
import type { SkippedEntries } from '../api/caller.ts';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from '../api/client.ts';
import { NotConfiguredError } from '../api/errors.ts';
import type { ObservedCall } from '../api/transport.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ServiceReach } from '../ledger/service-reach.ts';
import type { Account, Accounts } from '../processors/frame/accounts.ts';
import { Budgets } from '../queues/budgets.ts';
import type { RedisServer } from '../redis/server.ts';
import { asUseCase, type Configuration } from './configuration.ts';
import { UseCaseError } from './use-case-error.ts';

/** Where an account is called, and how often. The key is here and in the client, and nowhere else. */
interface Access {
  readonly url: string;
  readonly key: string;
  readonly budgets: Settings['budgets'];
}

export interface ServiceAccounts extends Accounts, AsyncDisposable {
  /** Names of all accounts that are configured. */
  readonly names: readonly string[];
  /** @throws {UseCaseError} saying what is missing of it. */
  need(name: string): Account;
}

export interface AccountsOptions {
  /** Is told of every call, too. */
  readonly observe?: ((call: ObservedCall) => void) | undefined;
  /** Whether calls without an answer are shown to whoever watches; true unless given. */
  readonly recordsReach?: boolean | undefined;
}

/** The part of a runtime that accounts are opened with. */
export type AccountSources = Configuration & {
  readonly redis: Pick<RedisServer, 'connect'>;
  readonly ledger: Pick<Ledger, 'keys'>;
  /** As in `Runtime`. */
  readonly notify: (message: string) => void;
};

/** Opens no connection yet. */
export function openAccounts(sources: AccountSources, options: AccountsOptions = {}): ServiceAccounts {
  const { environment, settings } = sources;
  const opened = new Map<string, Account>();
  const hasDefault = environment.apiUrl !== undefined && environment.apiKey !== undefined;
  const names = [...(hasDefault ? [defaultAccount] : []), ...Object.keys(settings.accounts)];

  function need(name: string): Account {
    const known = opened.get(name);
    if (known) return known;
    const account = openAccount(sources, { name, ...options, ...readAccess(sources, name) });
    opened.set(name, account);
    return account;
  }

  return {
    names,
    several: names.length > 1,
    need,
    find: (name) => (names.includes(name) ? attempt(() => need(name)) : undefined),
    stopWaiting() {
      for (const { budgets } of opened.values()) budgets.close();
    },
    async cutOff() {
      await Promise.all([...opened.values()].map(({ client }) => client.cutOff()));
    },
    async [Symbol.asyncDispose]() {
      for (const { budgets, client } of opened.values()) {
        budgets.close();
        await client.close();
      }
    },
  };
}

/** An account whose key is not to be had is as good as not configured: jobs of the others go on. */
function attempt<T>(need: () => T): T | undefined {
  try {
    return need();
  } catch (error) {
    if (error instanceof UseCaseError) return undefined;
    throw error;
  }
}

/** For workers, which serve all accounts: what is wrong with one is told before they begin. @throws {UseCaseError} */
export function requireAccounts(accounts: ServiceAccounts): void {
  if (accounts.names.length === 0) accounts.need(defaultAccount);
  for (const name of accounts.names) accounts.need(name);
}

/** @throws {UseCaseError} for a name that is not configured. */
export function nameOfAccount(configuration: Configuration, name = defaultAccount): string {
  if (name !== defaultAccount && !(name in configuration.settings.accounts)) {
    throw unknownAccount(configuration, name);
  }
  return name;
}

/** All keys that can be had: what is shown to people must hold none of them. */
export function keysOfAccounts({ environment, settings }: Configuration): readonly string[] {
  const keys = Object.keys(settings.accounts).map((name) => attempt(() => readKey(settings, name)));
  return [environment.apiKey, ...keys].filter((key) => key !== undefined);
}

/** @throws {UseCaseError} `settings_invalid` when it cannot be read. */
function readKey(settings: Settings, name: string): string {
  return asUseCase(() => readAccountKey(settings, name));
}

/** Budgets of an account: its own, else those of all. */
export function budgetsOf(settings: Settings, name: string): Settings['budgets'] {
  return settings.accounts[name]?.budgets ?? settings.budgets;
}

function readAccess(configuration: Configuration, name: string): Access {
  const { settings } = configuration;
  const budgets = budgetsOf(settings, name);
  if (name === defaultAccount) return { ...readDefault(configuration), budgets };
  const account = settings.accounts[name];
  if (!account) throw unknownAccount(configuration, name);
  return { url: serviceUrl(account.url) ?? account.url, key: readKey(settings, name), budgets };
}

function unknownAccount({ environment, settings }: Configuration, name: string): UseCaseError {
  const known = [defaultAccount, ...Object.keys(settings.accounts)].join(', ');
  return new UseCaseError('account_unknown', `there is no account "${name}" in the settings`, {
    cure: environment.configFile
      ? `There are: ${known}. Add it to "accounts" in the settings file.`
      : 'Name a settings file that has it under "accounts" with --config or CAMPAIGNS_CONFIG.',
  });
}

function readDefault({ environment, settings }: Configuration): Pick<Access, 'url' | 'key'> {
  const others = Object.keys(settings.accounts);
  const cureOf = (cure: string) =>
    others.length > 0
      ? `${cure}\nOr take an account of the settings with --account: ${others.join(', ')}`
      : cure;
  if (environment.apiUrl === undefined) {
    throw new UseCaseError('account_incomplete', 'CREATOR_API_URL is not set', {
      cure: cureOf('Give the base address of the service, or try things out with: campaigns sandbox'),
    });
  }
  if (environment.apiKey === undefined) {
    throw new UseCaseError('account_incomplete', 'CREATOR_API_KEY is not set', {
      cure: cureOf(
        'Give the API key of the service in CREATOR_API_KEY, or a file that holds it in CREATOR_API_KEY_FILE.',
      ),
    });
  }
  return { url: environment.apiUrl, key: environment.apiKey };
}

interface AccountToOpen extends Access, AccountsOptions {
  readonly name: string;
}

function openAccount(sources: AccountSources, { name, url, key, ...options }: AccountToOpen): Account {
  const { api, retry } = sources.settings;
  const { keys } = sources.ledger;
  const redis = sources.redis.connect('budgets');
  const budgets = new Budgets({ redis, prefix: keys.prefix, account: name, budgets: options.budgets, retry });
  const { observe, recordsReach = true } = options;
  const reach = recordsReach ? new ServiceReach({ redis, keys, account: name, host: hostname() }) : undefined;
  const client = connectClient({
    baseUrl: url,
    apiKey: key,
    timeoutMs: api.timeout,
    templates: api,
    observe(call) {
      observe?.(call);
      if (call.kind === 'unanswered') reach?.failed(call.reason ?? '');
      else reach?.answered();
      if (call.kind === 'answered') budgets.answered(call.operation);
    },
    skipped: tellOfSkipped(sources.notify),
  });
  return { name, client, budgets };
}

/** Tells of entries that are left out once for each operation, and again where a page has more of them: polls repeat. */
function tellOfSkipped(notify: AccountSources['notify']): (found: SkippedEntries) => void {
  const told = new Map<string, number>();
  return ({ operation, skipped, sent }) => {
    if (skipped <= (told.get(operation) ?? 0)) return;
    told.set(operation, skipped);
    notify(
      `${operation}: ${skipped} of ${sent} entries of the answer are left out, because they lack an id or status`,
    );
  };
}

/** @throws {UseCaseError} for a template of the settings that cannot work. */
function connectClient(options: ServiceClientOptions): ServiceClient {
  try {
    return createServiceClient(options);
  } catch (error) {
    if (!(error instanceof NotConfiguredError)) throw error;
    throw new UseCaseError('service_not_configured', error.message, { cure: error.cure, cause: error });
  }
}
