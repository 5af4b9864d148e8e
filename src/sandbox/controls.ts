/** What a test and the admin address can see of a sandbox and do with it. */
import { type CreatorProfileInput, creatorProfile } from './creators.ts';
import type { SandboxOperation } from './description/operations.ts';
import type { Parts } from './parts.ts';
import type { Call } from './record.ts';

/** A running sandbox. Dispose of it at the end (`await using`). */
export type Sandbox = ReturnType<typeof controlsOf>;

export function controlsOf(parts: Parts, close: () => Promise<void>) {
  const { addresses, apiKey, clock, keys, notifications, rules, holds, record, surroundings } = parts;
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
