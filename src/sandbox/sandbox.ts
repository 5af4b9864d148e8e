/** Starts a local stand-in for the service, which tests can inspect and disturb. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adminApp } from './admin.ts';
import { ApiKeys, type KeyPermissions, RateLimits, type Rates } from './admission.ts';
import { type Clock, controlsOf, type Sandbox, SandboxClock } from './controls.ts';
import type { CreatorProfileInput } from './creators.ts';
import { FaultRules } from './faults/rules.ts';
import { Holds } from './faults/strike.ts';
import { Notifications } from './notifications.ts';
import { CallRecord } from './record.ts';
import { Service } from './service.ts';
import { Storage } from './storage.ts';
import { Store } from './store.ts';

export type { ApiKeys, KeyPermissions, Rates } from './admission.ts';
export type { Clock, Sandbox, SandboxClock } from './controls.ts';
export type { CreatorProfile, CreatorProfileInput } from './creators.ts';
export type { ApiOperationId, SandboxOperation } from './description/operations.ts';
export type { FaultRules, FaultState, Matchable } from './faults/rules.ts';
export type { Fault, FaultInput } from './faults/schema.ts';
export type { Notification, Notifications } from './notifications.ts';
export type { Call } from './record.ts';
export type {
  Effects,
  ShowcaseAddition,
  StoredCover,
  StoredFile,
  StoredPost,
  StoredSchedule,
} from './store.ts';

/** Options of `startSandbox`. */
export interface SandboxOptions {
  /** Port on loopback; 0, the default, picks a free one. */
  readonly port?: number | undefined;
  readonly adminPort?: number | undefined;
  /** SQLite file; without one everything is in memory. Uploads go to the folder `<file>.files`. */
  readonly data?: string | undefined;
  /** Speeds up generations and publishing. At 1, the default, an image takes 20 s and a video 10 s per second. */
  readonly speed?: number | undefined;
  /**
   * Refuses, with 400, also what the contract allows but a client hardly means: unknown fields, empty texts, a `scheduledAt` that
   * is past, a video by a creator without the permission, more than 100 outputs, a `SHOWCASE` anchor of a product that is not in
   * the showcase, and a generation's thumbnail in place of its result. By default these are accepted, and a post has `notes` of them.
   */
  readonly strict?: boolean | undefined;
  /** The key with all permissions; `sandbox-key` by default. */
  readonly apiKey?: string | undefined;
  /** More keys. */
  readonly keys?: Readonly<Record<string, KeyPermissions>> | undefined;
  /** More creators; one with the id of a seeded creator replaces it. */
  readonly creators?: readonly CreatorProfileInput[] | undefined;
  /** Limits in calls per second; none by default. */
  readonly rates?: Rates | undefined;
  /** How long a presigned URL is valid, in milliseconds; 15 minutes by default. */
  readonly presignLifetime?: number | undefined;
  /** Most entries on a page; 50 by default. */
  readonly maxPageSize?: number | undefined;
  /** Refuses to give larger pages (400); by default they are cut to `maxPageSize`. */
  readonly refuseLargerPages?: boolean | undefined;
  /** Calls that the record keeps at least; 100,000 by default. */
  readonly keepCalls?: number | undefined;
  /** Secret of the notifications that the admin address receives: base64, with or without `whsec_`. Without one, none is checked. */
  readonly notifySecret?: string | undefined;
  readonly clock?: Clock | undefined;
}

/** Starts a sandbox and listens. @throws when a port is taken or the file cannot be opened. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { apiKey = 'sandbox-key', speed = 1, strict = false, maxPageSize = 50, data } = options;
  const clock = new SandboxClock(options.clock);
  const now = () => clock.now();
  const store = new Store(data, now());
  const storage = new Storage(store, now, data && `${data}.files`);
  // Filled in when both servers listen; no call comes before that.
  const addresses = { url: '', adminUrl: '' };
  const surroundings = {
    store,
    storage,
    speed,
    strict,
    wrongAssets: new Map<string, string>(),
    get url() {
      return addresses.url;
    },
    maxPageSize,
    refuseLargerPages: options.refuseLargerPages ?? false,
    presignLifetime: options.presignLifetime ?? 15 * 60_000,
    firstLooks: new Map<string, number>(),
  };
  const keys = new ApiKeys({ [apiKey]: 'all', ...options.keys });
  const rules = new FaultRules();
  const holds = new Holds();
  const record = new CallRecord(options.keepCalls ?? 100_000, store.lastEffect);
  const notifications = new Notifications(options.notifySecret, now);
  const closing = new AbortController();
  const service = new Service({
    surroundings,
    adminUrl: () => addresses.adminUrl,
    keys,
    rates: new RateLimits(options.rates ?? {}),
    record,
    rules,
    holds,
    now,
    closing: closing.signal,
  });

  const servers: Server[] = [];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= (async () => {
      closing.abort();
      for (const server of servers) await stop(server);
      await storage[Symbol.asyncDispose]();
      store[Symbol.dispose]();
    })();
    return closed;
  };
  const controls = { addresses, apiKey, clock, keys, notifications, rules, holds, record, surroundings };
  const sandbox = controlsOf({ ...controls, close });
  sandbox.putCreators(options.creators ?? []);
  try {
    addresses.url = await listen(servers, options.port, service.app);
    addresses.adminUrl = await listen(servers, options.adminPort, adminApp(sandbox, record));
  } catch (error) {
    await close();
    throw error;
  }
  return sandbox;
}

/** The sandbox is for development, so only this machine can reach it. */
const loopback = '127.0.0.1';

/** Listens on the port; 0 picks a free one. @returns the origin. @throws when the port is taken. */
async function listen(servers: Server[], port = 0, handle: RequestListener): Promise<string> {
  // No time limits on requests: tests of slow callers need that.
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 }, handle);
  servers.push(server);
  server.listen(port, loopback);
  await once(server, 'listening');
  return `http://${loopback}:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
