/** Starts a local stand-in for the service, which tests can inspect and disturb. */
import type { RequestListener } from 'node:http';
import { adminListener } from './admin.ts';
import { SandboxClock } from './clocks/clock.ts';
import { documents } from './description/documents.ts';
import { Endpoints } from './description/endpoints.ts';
import { Downloads } from './downloads.ts';
import { Holds } from './faults/holds.ts';
import { FaultRules } from './faults/rules.ts';
import { type Listener, listen } from './http/listener.ts';
import type { Sandbox, SandboxOptions } from './interface.ts';
import { ApiKeys } from './keys.ts';
import { Notifications } from './notifications.ts';
import { RateLimits } from './rates.ts';
import { CallRecord } from './record.ts';
import { seedCreators, seedProducts } from './seed/creators.ts';
import { seedKeys } from './seed/keys.ts';
import { Service } from './service.ts';
import { Storage } from './storage.ts';
import { type CreatorProfileInput, creatorProfile } from './store/creators.ts';
import { openStore, type Store } from './store/store.ts';

export type * from './interface.ts';

/** Starts a sandbox and listens. @throws when a port is taken or the file cannot be opened. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const parts = assemble(options);
  const listeners: Listener[] = [];
  const close = async () => {
    parts.closing.abort();
    for (const listener of listeners) await listener[Symbol.asyncDispose]();
    await parts.storage[Symbol.asyncDispose]();
    parts.store[Symbol.dispose]();
  };
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  const sandbox = controlsOf(parts, closeOnce);
  const open = async (port: number, handle: RequestListener) => {
    const listener = await listen(port, handle);
    listeners.push(listener);
    return listener.url;
  };
  try {
    parts.addresses.url = await open(options.port ?? 0, parts.service.handle);
    parts.addresses.adminUrl = await open(options.adminPort ?? 0, adminListener(sandbox, parts.record));
  } catch (error) {
    await closeOnce();
    throw error;
  }
  return sandbox;
}

type Parts = ReturnType<typeof assemble>;

/** Wires the parts of a sandbox. Nothing listens yet. */
function assemble(options: SandboxOptions) {
  const clock = new SandboxClock(options.clock);
  const store = openStore(options.data, clock.now());
  seed(store, options.creators ?? []);
  const apiKey = options.apiKey ?? 'sandbox-key';
  const keys = new ApiKeys({ ...seedKeys, [apiKey]: 'all', ...options.keys });
  const rules = new FaultRules();
  const holds = new Holds();
  const record = new CallRecord(options.keepCalls ?? 100_000, store.lastEffect);
  const speed = options.speed ?? 1;
  const storage = new Storage(store.files, clock, store.secret, options.data && `${options.data}.files`);
  const closing = new AbortController();
  // Filled in when both servers listen; no call comes before that.
  const addresses = { url: '', adminUrl: '' };
  const wrongAssets = new Map<string, string>();
  const strict = options.strict ?? false;
  const surroundings = {
    store,
    storage,
    speed,
    strict,
    wrongAssets,
    get url() {
      return addresses.url;
    },
    maxPageSize: options.maxPageSize ?? 50,
    refuseLargerPages: options.refuseLargerPages ?? false,
    presignLifetime: options.presignLifetime ?? 15 * 60_000,
    firstLooks: new Map<string, number>(),
  };
  const downloads = new Downloads(store, clock, speed, wrongAssets);
  const rates = new RateLimits(options.rates ?? {}, clock);
  return {
    clock,
    store,
    apiKey,
    keys,
    rules,
    holds,
    record,
    storage,
    closing,
    addresses,
    firstLooks: surroundings.firstLooks,
    notifications: new Notifications(options.notifySecret, () => clock.now()),
    service: new Service({
      endpoints: new Endpoints(surroundings, downloads, keys, rates),
      record,
      rules,
      holds,
      clock,
      documents: documents(() => addresses, strict),
      decoy: () => `${addresses.adminUrl}/decoy`,
      closing: closing.signal,
    }),
  };
}

/** What tests and the admin address can look at and change. */
function controlsOf(
  { addresses, apiKey, clock, firstLooks, holds, keys, notifications, record, rules, store }: Parts,
  close: () => Promise<void>,
): Sandbox {
  return {
    get url() {
      return addresses.url;
    },
    get adminUrl() {
      return addresses.adminUrl;
    },
    apiKey,
    faults: rules,
    clock,
    keys,
    notifications,
    calls: (operation) => record.list(operation),
    counts: () => record.counts(),
    whenCalled: (operation, count) => record.whenCalled(operation, count),
    effects: () => store.effects(),
    whenHeld: (operation, count) => holds.whenHeld(operation, count),
    held: (operation) => holds.count(operation),
    release: (operation) => holds.release(operation),
    backdate: (postIds, milliseconds) => {
      for (const postId of postIds) store.posts.backdate(postId, milliseconds);
    },
    creators: () => store.creators.all(),
    putCreators: (creators) => store.creators.put(creators.map((creator) => creatorProfile.parse(creator))),
    reset: () => {
      rules.clear();
      holds.release();
      record.reset();
      firstLooks.clear();
      notifications.reset();
      store.reset();
      seedShowcases(store);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function seed(store: Store, more: readonly CreatorProfileInput[]): void {
  if (store.creators.isEmpty()) {
    store.creators.put(seedCreators());
    seedShowcases(store);
  }
  store.creators.put(more.map((creator) => creatorProfile.parse(creator)));
}

function seedShowcases(store: Store): void {
  for (const { id, productIds } of seedProducts) store.showcases.seed(id, productIds);
}
