/** The options of a sandbox, and what a test can see and do with it. */
import type { Clock, SandboxClock } from './clocks/clock.ts';
import type { SandboxOperation } from './description/operations.ts';
import type { FaultRules } from './faults/rules.ts';
import type { ApiKeys, KeyPermissions } from './keys.ts';
import type { Notifications } from './notifications.ts';
import type { Rates } from './rates.ts';
import type { Call } from './record.ts';
import type { CreatorProfile, CreatorProfileInput } from './store/creators.ts';
import type { Effects } from './store/store.ts';

export type { Clock, SandboxClock } from './clocks/clock.ts';
export type { ApiOperationId, SandboxOperation } from './description/operations.ts';
export type { FaultRules, FaultState, Matchable } from './faults/rules.ts';
export type { Fault, FaultInput } from './faults/schema.ts';
export type { ApiKeys, KeyPermissions } from './keys.ts';
export type { Notification, Notifications } from './notifications.ts';
export type { Rates } from './rates.ts';
export type { Call } from './record.ts';
export type { StoredCover } from './store/covers.ts';
export type { CreatorProfile, CreatorProfileInput } from './store/creators.ts';
export type { StoredFile } from './store/files.ts';
export type { StoredSchedule } from './store/generations.ts';
export type { StoredPost } from './store/posts.ts';
export type { ShowcaseAddition } from './store/showcase.ts';
export type { Effects } from './store/store.ts';

/** Options of `startSandbox`. */
export interface SandboxOptions {
  /** Port on loopback; 0, the default, picks a free one. */
  readonly port?: number | undefined;
  readonly adminPort?: number | undefined;
  /** SQLite file; without one everything is in memory. Large uploads go to the folder `<file>.files`. */
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

/** A running sandbox. Dispose of it at the end (`await using`). */
export interface Sandbox extends AsyncDisposable {
  /** Origin of the service, without a slash at the end. */
  readonly url: string;
  /** Origin of the admin address. */
  readonly adminUrl: string;
  /** The key with all permissions. */
  readonly apiKey: string;
  readonly faults: FaultRules;
  readonly clock: SandboxClock;
  readonly keys: ApiKeys;
  /** What arrived at `/notifications` of the admin address. */
  readonly notifications: Notifications;
  /** The calls so far, in order; of one operation, or all. */
  calls(operation?: Call['operation']): Call[];
  /** How often each operation was called. */
  counts(): Record<string, number>;
  /** Resolves when the operation was called that often since the start or the last reset. */
  whenCalled(operation: Call['operation'], count?: number): Promise<void>;
  /** All effects of the calls so far. */
  effects(): Effects;
  /** Resolves when `hold` faults hold that many calls at once. */
  whenHeld(operation?: SandboxOperation, count?: number): Promise<void>;
  /** How many calls are held. */
  held(operation?: SandboxOperation): number;
  /** Releases held calls. @returns how many. */
  release(operation?: SandboxOperation): number;
  /** Makes posts older by milliseconds, so that their videos have a past that can be looked up. */
  backdate(postIds: readonly string[], milliseconds: number): void;
  creators(): CreatorProfile[];
  /** Adds creators, or replaces those with the same `id`. @throws {z.ZodError} */
  putCreators(creators: readonly CreatorProfileInput[]): void;
  /** Forgets calls, effects, notifications and faults, and releases held calls. Creators and keys stay. */
  reset(): void;
  /** Closes open connections and stops listening. */
  close(): Promise<void>;
}
