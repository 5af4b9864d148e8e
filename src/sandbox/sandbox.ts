/** The service, locally: starts it, and lets a test see into it and disturb it. */

import { adminListener } from './admin.ts';
import { type Clock, SandboxClock } from './clock.ts';
import { documents } from './documents.ts';
import { Downloads } from './downloads.ts';
import { Endpoints } from './endpoints.ts';
import { Holds } from './faults/holds.ts';
import { FaultRules } from './faults/rules.ts';
import { GenerationClock } from './generation-clock.ts';
import { ApiKeys, type KeyPermissions } from './keys.ts';
import { type Listener, listen } from './listener.ts';
import type { SandboxOperation } from './operations.ts';
import { RateLimits, type Rates } from './rates.ts';
import { type Call, CallRecord } from './record.ts';
import { seedCreators, seedProducts } from './seed/creators.ts';
import { seedKeys } from './seed/keys.ts';
import { Service } from './service.ts';
import { Storage } from './storage.ts';
import { type CreatorProfile, type CreatorProfileInput, creatorProfile } from './store/creators.ts';
import { type Effects, openStore, type Store } from './store/store.ts';

export interface SandboxOptions {
  /** Ports on loopback; 0, the default, takes a free one. */
  readonly port?: number | undefined;
  readonly adminPort?: number | undefined;
  /** SQLite file; without one everything is in memory. Large uploads go to the folder `<file>.files`. */
  readonly data?: string | undefined;
  /** How many times faster generations and publishing go than at a leisurely pace (an image 20 s, a video 10 s a second). */
  readonly speed?: number | undefined;
  /** The key that may do everything; `sandbox-key` by default. */
  readonly apiKey?: string | undefined;
  /** More keys. */
  readonly keys?: Readonly<Record<string, KeyPermissions>> | undefined;
  /** More creators, or others under the ids of the seed. */
  readonly creators?: readonly CreatorProfileInput[] | undefined;
  /** Calls per second; none by default. */
  readonly rates?: Rates | undefined;
  /** Milliseconds that a presigned URL is good for; 15 minutes by default. */
  readonly presignLifetime?: number | undefined;
  /** The most that a page holds; 50 by default. */
  readonly maxPageSize?: number | undefined;
  /** How many calls the record keeps at least; 100,000 by default. */
  readonly keepCalls?: number | undefined;
  readonly clock?: Clock | undefined;
}

export interface Sandbox extends AsyncDisposable {
  /** Origin of the service, without a slash at the end. */
  readonly url: string;
  /** Origin of the admin address. */
  readonly adminUrl: string;
  /** The key that may do everything. */
  readonly apiKey: string;
  readonly faults: FaultRules;
  readonly clock: SandboxClock;
  readonly keys: ApiKeys;
  /** The calls so far, in the order they came; of one operation, or all. */
  calls(operation?: Call['operation']): Call[];
  /** How often each operation was called. */
  counts(): Record<string, number>;
  /** Resolves as soon as the operation has been called that often since the start or the last reset. */
  whenCalled(operation: Call['operation'], count?: number): Promise<void>;
  /** Everything that calls have brought about. */
  effects(): Effects;
  /** Resolves as soon as that many calls are held by `hold` faults at once. */
  whenHeld(operation?: SandboxOperation, count?: number): Promise<void>;
  /** How many calls are held. */
  held(operation?: SandboxOperation): number;
  /** Lets held calls go on; answers how many. */
  release(operation?: SandboxOperation): number;
  creators(): CreatorProfile[];
  /** Adds creators, or replaces those of the same `id`. @throws {z.ZodError} */
  putCreators(creators: readonly CreatorProfileInput[]): void;
  /** Forgets calls, effects and faults, and lets held calls go. Creators and keys stay. */
  reset(): void;
  /** Breaks off what is open and stops listening. */
  close(): Promise<void>;
}

/** Starts a sandbox. It listens when the promise resolves. @throws when a port is taken or the file cannot be opened. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = new SandboxClock(options.clock);
  const store = openStore(options.data, clock.now());
  seed(store, options.creators ?? []);
  const apiKey = options.apiKey ?? 'sandbox-key';
  const keys = new ApiKeys({ ...seedKeys, [apiKey]: 'all', ...options.keys });
  const rules = new FaultRules();
  const holds = new Holds();
  const record = new CallRecord(options.keepCalls ?? 100_000, store.lastEffect);
  const speed = options.speed ?? 1;
  const generationClock = new GenerationClock(speed);
  const storage = new Storage(store.files, clock, store.secret, options.data && `${options.data}.files`);
  const closing = new AbortController();

  // The addresses are known only once both servers listen, and no call comes before that.
  const addresses = { url: '', adminUrl: '' };
  const surroundings = {
    store,
    storage,
    clock,
    generationClock,
    speed,
    get url() {
      return addresses.url;
    },
    maxPageSize: options.maxPageSize ?? 50,
    presignLifetime: options.presignLifetime ?? 15 * 60_000,
  };
  const downloads = new Downloads(store, clock, generationClock);
  const rates = new RateLimits(options.rates ?? {}, clock);
  const service = new Service({
    endpoints: new Endpoints(surroundings, downloads, keys, rates),
    record,
    rules,
    holds,
    clock,
    documents: documents(() => addresses),
    decoy: () => `${addresses.adminUrl}/decoy`,
    closing: closing.signal,
  });

  const listeners: Listener[] = [];
  const close = async () => {
    closing.abort();
    for (const listener of listeners) await listener[Symbol.asyncDispose]();
    await storage[Symbol.asyncDispose]();
    store[Symbol.dispose]();
  };
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  const sandbox: Sandbox = {
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
    calls: (operation) => record.list(operation),
    counts: () => record.counts(),
    whenCalled: (operation, count) => record.whenCalled(operation, count),
    effects: () => store.effects(),
    whenHeld: (operation, count) => holds.whenHeld(operation, count),
    held: (operation) => holds.count(operation),
    release: (operation) => holds.release(operation),
    creators: () => store.creators.all(),
    putCreators: (creators) => store.creators.put(creators.map((creator) => creatorProfile.parse(creator))),
    reset: () => {
      rules.clear();
      holds.release();
      record.reset();
      store.reset();
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
  try {
    const open = async (port: number, handle: Parameters<typeof listen>[1]) => {
      const listener = await listen(port, handle);
      listeners.push(listener);
      return listener.url;
    };
    addresses.url = await open(options.port ?? 0, service.handle);
    addresses.adminUrl = await open(options.adminPort ?? 0, adminListener(sandbox, record));
  } catch (error) {
    await closeOnce();
    throw error;
  }
  return sandbox;
}

function seed(store: Store, more: readonly CreatorProfileInput[]): void {
  if (store.creators.isEmpty()) {
    store.creators.put(seedCreators());
    for (const { id, productIds } of seedProducts) store.showcases.seed(id, productIds);
  }
  store.creators.put(more.map((creator) => creatorProfile.parse(creator)));
}
