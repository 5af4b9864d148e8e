/** What a test and the admin address can see of a sandbox and do with it. */
import type { ApiKeys } from './admission.ts';
import { type CreatorProfileInput, creatorProfile } from './creators.ts';
import type { SandboxOperation } from './description/operations.ts';
import type { FaultRules } from './faults/rules.ts';
import type { Holds } from './faults/strike.ts';
import type { Notifications } from './notifications.ts';
import type { Surroundings } from './operations/operation.ts';
import type { Call, CallRecord } from './record.ts';

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

interface Parts {
  readonly addresses: { readonly url: string; readonly adminUrl: string };
  readonly apiKey: string;
  readonly clock: SandboxClock;
  readonly keys: ApiKeys;
  readonly notifications: Notifications;
  readonly rules: FaultRules;
  readonly holds: Holds;
  readonly record: CallRecord;
  readonly surroundings: Surroundings;
  readonly close: () => Promise<void>;
}

/** A running sandbox. Dispose of it at the end (`await using`). */
export type Sandbox = ReturnType<typeof controlsOf>;

export function controlsOf(parts: Parts) {
  const { addresses, apiKey, clock, keys, notifications, rules, holds, record, surroundings, close } = parts;
  const { store, storage, firstLooks } = surroundings;
  return {
    /** Origin of the service, without a slash at the end. */
    get url(): string {
      return addresses.url;
    },
    /** Origin of the admin address. */
    get adminUrl(): string {
      return addresses.adminUrl;
    },
    /** The key with all permissions. */
    apiKey,
    faults: rules,
    clock,
    keys,
    /** What arrived at `/notifications` of the admin address. */
    notifications,
    /** The calls so far, in order; of one operation, or all. */
    calls: (operation?: Call['operation']) => record.list(operation),
    /** How often each operation was called. */
    counts: () => record.counts(),
    /** Resolves when the operation was called that often since the start or the last reset. */
    whenCalled: (operation: Call['operation'], count?: number) => record.whenCalled(operation, count),
    /** All effects of the calls so far. */
    effects: () => store.effects(),
    /** Resolves when `hold` faults hold that many calls at once. */
    whenHeld: (operation?: SandboxOperation, count?: number) => holds.whenHeld(operation, count),
    /** How many calls are held. */
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
      for (const creator of creators.map((one) => creatorProfile.parse(one))) store.putCreator(creator);
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
