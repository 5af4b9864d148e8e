/** What a sandbox is started with, and what it lets a test see and do. */
import type { Clock, SandboxClock } from './clock.ts';
import type { FaultRules } from './faults/rules.ts';
import type { ApiKeys, KeyPermissions } from './keys.ts';
import type { SandboxOperation } from './operations.ts';
import type { Rates } from './rates.ts';
import type { Call } from './record.ts';
import type { CreatorProfile, CreatorProfileInput } from './store/creators.ts';
import type { Effects } from './store/store.ts';

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
