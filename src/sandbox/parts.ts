/** The options of a sandbox, its parts, and what a test and the admin address can do with them. */
import { ApiKeys, type KeyPermissions, RateLimits, type Rates } from './admission.ts';
import { type CreatorProfileInput, creatorProfile } from './creators.ts';
import type { SandboxOperation } from './description/operations.ts';
import { FaultRules } from './faults/rules.ts';
import { type Call, CallRecord, Holds, Notifications } from './record.ts';
import { Storage } from './storage.ts';
import { Store } from './store.ts';

/** Unix epoch, milliseconds. */
export interface Clock {
  now(): number;
}

/** Everything in the sandbox that depends on time (expiry, generations, publishing) reads this clock, which can be set ahead. */
export class SandboxClock implements Clock {
  readonly #base: Clock;
  #ahead = 0;

  constructor(base: Clock = Date) {
    this.#base = base;
  }

  now(): number {
    return this.#base.now() + this.#ahead;
  }

  /** Jumps ahead by milliseconds, or back with a negative number. @returns the new time. */
  advance(milliseconds: number): number {
    this.#ahead += milliseconds;
    return this.now();
  }
}

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
  readonly keys?: Readonly<Record<string, KeyPermissions>> | undefined;
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

/** The parts of a sandbox: what its operations use, and what controls it. */
export type Parts = ReturnType<typeof assemble>;

/** Wires the parts of a sandbox. Nothing listens yet. */
export function assemble(options: SandboxOptions) {
  const { data, apiKey = 'sandbox-key', speed = 1, strict = false } = options;
  const { maxPageSize = 50, refuseLargerPages = false, presignLifetime = 15 * 60_000 } = options;
  const clock = new SandboxClock(options.clock);
  const now = () => clock.now();
  const store = new Store(data, now());
  return {
    /** Origins, without a slash at the end. Filled in when both servers listen; no call comes before that. */
    url: '',
    adminUrl: '',
    clock,
    store,
    storage: new Storage(store, now, data && `${data}.files`),
    speed,
    strict,
    maxPageSize,
    refuseLargerPages,
    presignLifetime,
    /** Files that were given out and are not the result of a generation: what they are, by hash. */
    wrongAssets: new Map<string, string>(),
    /** When each video was looked up first, in milliseconds. */
    firstLooks: new Map<string, number>(),
    apiKey,
    keys: new ApiKeys({ [apiKey]: 'all', ...options.keys }),
    rates: new RateLimits(options.rates ?? {}),
    rules: new FaultRules(),
    holds: new Holds(),
    record: new CallRecord(options.keepCalls ?? 100_000, store.lastEffect),
    notifications: new Notifications(options.notifySecret, now),
    closing: new AbortController(),
  };
}

/** A running sandbox. Dispose of it at the end (`await using`). */
export type Sandbox = ReturnType<typeof controlsOf>;

export function controlsOf(parts: Parts, close: () => Promise<void>) {
  const { apiKey, clock, keys, notifications, rules, holds, record, store, storage, firstLooks } = parts;
  return {
    /** Origin of the service, without a slash at the end. */
    get url(): string {
      return parts.url;
    },
    get adminUrl(): string {
      return parts.adminUrl;
    },
    apiKey,
    faults: rules,
    clock,
    keys,
    /** What arrived at `/notifications` of the admin address. */
    notifications,
    /** The calls so far, in order; of one operation, or all. */
    calls: (operation?: Call['operation']) => record.list(operation),
    counts: () => record.counts(),
    /** Resolves when the operation was called that often since the start or the last reset. */
    whenCalled: (operation: Call['operation'], count?: number) => record.whenCalled(operation, count),
    effects: () => store.effects(),
    /** Resolves when `hold` faults hold that many calls at once. */
    whenHeld: (operation?: SandboxOperation, count?: number) => holds.whenHeld(operation, count),
    held: (operation?: SandboxOperation) => holds.count(operation),
    /** Releases held calls. @returns how many. */
    release: (operation?: SandboxOperation) => holds.release(operation),
    /** Makes posts older by milliseconds, so that their videos have a past that can be looked up. */
    backdate(postIds: readonly string[], milliseconds: number): void {
      for (const postId of postIds) {
        const post = store.posts.get(postId);
        if (post) store.posts.put({ ...post, at: post.at - milliseconds });
      }
    },
    creators: () => [...store.creators.values()],
    /** Adds creators, or replaces those with the same `id`. @throws {z.ZodError} */
    putCreators(creators: readonly CreatorProfileInput[]): void {
      for (const creator of creators.map((one) => creatorProfile.parse(one))) store.creators.put(creator);
    },
    /** Forgets calls, effects, notifications and faults, and releases held calls. Creators and keys stay. */
    reset(): void {
      rules.clear();
      holds.release();
      record.reset();
      firstLooks.clear();
      notifications.reset();
      store.reset();
      storage.reset();
    },
    /** Closes open connections and stops listening. */
    close,
    [Symbol.asyncDispose]: close,
  };
}
