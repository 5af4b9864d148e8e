/**
 * Rate limits: those of the settings, shown to people, and changed while campaigns run. A change overrides the settings in
 * every process, from its next call on, until it is reset. The scripts in `lua/` use the same keys.
 */
import type { Redis } from 'ioredis';
import type { Settings } from '../../config/schema.ts';

/** Calls per second, and calls at once. */
export interface CallRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Hash: tokens of a rate limit, and its pause and share after a 429. */
export function rateLimitKey(prefix: string, operation: string): string {
  return `${prefix}:rate-limit:${operation}`;
}

export interface RateLimitStatus {
  readonly operation: string;
  /** The changed rate limit, else that of the settings. */
  readonly rateLimit: CallRate;
  readonly isChanged: boolean;
  /** Share of the rate limit that is left after a 429, 1/16 to 1. It recovers. */
  readonly share: number;
  /** Milliseconds until a pause after a 429 is over; 0 for none. */
  readonly pausedMs: number;
  /** Milliseconds until the next call may begin; 0 for at once. */
  readonly waitMs: number;
  /** Milliseconds for which every answer was 429; undefined when the last one was not. */
  readonly throttledForMs: number | undefined;
  /** Milliseconds since a call last had to wait for its permit; undefined when none had to recently. */
  readonly shortMsAgo: number | undefined;
  /** Calls per second over the last minute. */
  readonly usedPerSecond: number;
}

/** A lost share recovers within a minute after the pause (`take-rate-limit.lua`). */
const recoveryMs = 60_000;
const minuteMs = 60_000;

export interface RateLimitBookOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly rateLimits: Settings['rateLimits'];
}

export class RateLimitBook {
  protected readonly redis: Redis;
  /** Hash: operation to its changed rate limit, as `rate burst` (calls per second, calls at once). */
  protected readonly changedKey: string;
  /** Hash: operation to the JSON of its last pauses after a 429. */
  protected readonly pausesKey: string;
  readonly #prefix: string;
  readonly #rateLimits: Settings['rateLimits'];

  constructor({ redis, prefix, rateLimits }: RateLimitBookOptions) {
    this.redis = redis;
    this.changedKey = `${prefix}:rate-limits`;
    this.pausesKey = `${prefix}:holds`;
    this.#prefix = prefix;
    this.#rateLimits = rateLimits;
  }

  protected bucketKey(operation: string): string {
    return rateLimitKey(this.#prefix, operation);
  }

  configured(operation: string): CallRate {
    const rateLimit = this.#rateLimits[operation] ?? this.#rateLimits.default;
    if (!rateLimit) throw new TypeError('rate limits need a default');
    return { perSecond: (rateLimit.rate * 1000) / rateLimit.per, burst: rateLimit.burst };
  }

  /** Status of the rate limits of these operations, in their order. */
  async read(operations: readonly string[]): Promise<readonly RateLimitStatus[]> {
    const [changed, [seconds, micros], buckets] = await Promise.all([
      this.redis.hgetall(this.changedKey),
      this.redis.time(),
      Promise.all(operations.map((operation) => this.redis.hgetall(this.bucketKey(operation)))),
    ]);
    const now = Number(seconds) * 1000 + Number(micros) / 1000;
    return operations.map((operation, index) => {
      const override = parseRateLimit(changed[operation]);
      const rateLimit = override ?? this.configured(operation);
      return {
        operation,
        rateLimit,
        isChanged: override !== undefined,
        ...readBucket(buckets[index] ?? {}, rateLimit, now),
      };
    });
  }

  /** The last pauses of operations after a 429, by their begin. Unix epoch, milliseconds. */
  async pauses() {
    const stored = await this.redis.hgetall(this.pausesKey);
    return Object.entries(stored)
      .flatMap(([operation, json]) =>
        (JSON.parse(json) as [number, number][]).map(([from, to]) => ({ operation, from, to })),
      )
      .sort((one, other) => one.from - other.from);
  }

  /** Rate limits that override the settings at present, by operation. */
  async changed(): Promise<Settings['rateLimits']> {
    const stored = await this.redis.hgetall(this.changedKey);
    const rates: Settings['rateLimits'] = {};
    for (const [operation, text] of Object.entries(stored)) {
      const rateLimit = parseRateLimit(text);
      if (rateLimit) rates[operation] = { rate: rateLimit.perSecond, per: 1000, burst: rateLimit.burst };
    }
    return rates;
  }

  /** The rate limit in force: the changed one, else that of the settings. */
  async current(operation: string): Promise<CallRate> {
    const changed = await this.redis.hget(this.changedKey, operation);
    return parseRateLimit(changed ?? undefined) ?? this.configured(operation);
  }

  async change(operation: string, { perSecond, burst }: CallRate): Promise<void> {
    await this.redis.hset(this.changedKey, operation, `${perSecond} ${burst}`);
  }

  /** Returns to the settings. @param operation all unless given. @returns the rate limits that had been changed, by operation. */
  async reset(operation?: string): Promise<ReadonlyMap<string, CallRate>> {
    const all = Object.entries(await this.redis.hgetall(this.changedKey));
    const changed = operation === undefined ? all : all.filter(([name]) => name === operation);
    if (changed.length > 0) await this.redis.hdel(this.changedKey, ...changed.map(([name]) => name));
    return new Map(changed.map(([name, text]) => [name, parseRateLimit(text) ?? this.configured(name)]));
  }
}

function parseRateLimit(text: string | undefined): CallRate | undefined {
  const [perSecond, burst] = (text ?? '').split(' ').map(Number);
  return perSecond && burst ? { perSecond, burst } : undefined;
}

function readBucket(
  bucket: Readonly<Record<string, string>>,
  { perSecond, burst }: CallRate,
  now: number,
): Omit<RateLimitStatus, 'operation' | 'rateLimit' | 'isChanged'> {
  const pausedUntil = Number(bucket.until ?? 0);
  const pausedMs = Math.max(0, Math.ceil(pausedUntil - now));
  const share = Math.min(1, Number(bucket.share ?? 1) + Math.max(0, now - pausedUntil) / recoveryMs);
  const perMs = (perSecond * share) / 1000;
  const tokens = Number(bucket.tokens ?? burst) + Math.max(0, now - Number(bucket.at ?? now)) * perMs;
  return {
    share,
    pausedMs,
    waitMs: Math.max(pausedMs, Math.ceil((1 - tokens) / perMs), 0),
    throttledForMs: bucket.since === undefined ? undefined : Math.max(0, now - Number(bucket.since)),
    shortMsAgo: bucket.short === undefined ? undefined : Math.max(0, now - Number(bucket.short)),
    usedPerSecond: usedPerSecond(bucket.used, now),
  };
}

/** The calls of this minute, and of the last one as far as it lies within 60 seconds (`take-rate-limit.lua`). */
function usedPerSecond(used: string | undefined, now: number): number {
  const [of = 0, count = 0, before = 0] = (used ?? '').split(' ').map(Number);
  const minutes = now / minuteMs;
  const age = Math.floor(minutes) - of;
  const ofThis = age === 0 ? count : 0;
  const ofLast = age === 0 ? before : age === 1 ? count : 0;
  return (ofThis + ofLast * (1 - (minutes % 1))) / 60;
}
