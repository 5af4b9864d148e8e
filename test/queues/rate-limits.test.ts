import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RateLimitBook } from '../../src/queues/rate-limit-book.ts';
import { type Permission, RateLimits } from '../../src/queues/rate-limits.ts';
import { redisNamespace } from '../support/redis/redis.ts';

const operation = 'createCreatorPost';
const retry = { base: 1000, cap: 60_000 };

/** Rate limits as several processes have them: each on a connection of its own, all of one namespace. */
function openRateLimits(count: number, rateLimit: { rate: number; per: number; burst: number }) {
  const space = redisNamespace();
  const all = Array.from({ length: count }, () => {
    const redis = space.connect();
    const rateLimits = new RateLimits({
      redis,
      prefix: space.prefix,
      rateLimits: { default: rateLimit },
      retry,
    });
    onTestFinished(() => rateLimits.close());
    return rateLimits;
  });
  const [one = fail(), two = one] = all;
  return { one, two, all, ...space };
}

function fail(): never {
  throw new Error('at least one');
}

/** Calls as often as it may, so many at a time, until the time is over. @returns when each permit was granted, in ms. */
async function callAllTheTime(
  rateLimits: RateLimits,
  atOnce: number,
  forMs: number,
): Promise<readonly number[]> {
  const granted: number[] = [];
  const end = performance.now() + forMs;
  const caller = async () => {
    while (performance.now() < end) {
      const permit = await rateLimits.take(operation, 60_000);
      if (permit.granted && performance.now() < end) granted.push(performance.now());
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return granted;
}

/** The most that fell into any window of that length. */
function mostWithin(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  let most = 0;
  let first = 0;
  sorted.forEach((time, index) => {
    while (time - (sorted[first] ?? time) > windowMs) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}

describe('a rate limit that several processes share', () => {
  it.for([
    ['many calls', { rate: 400, per: 1000, burst: 40 }],
    ['few calls', { rate: 20, per: 1000, burst: 2 }],
    ['a burst as large as the rate', { rate: 100, per: 1000, burst: 100 }],
    ['so many calls that leases grow', { rate: 2000, per: 1000, burst: 1000 }],
  ] as const)('never grants more than rate and burst allow: %s', async ([, rateLimit]) => {
    const { all } = openRateLimits(3, rateLimit);
    const times = (await Promise.all(all.map((rateLimits) => callAllTheTime(rateLimits, 20, 1300)))).flat();
    expect(times.length).toBeGreaterThan(rateLimit.burst);
    for (const windowMs of [100, 500, 1000]) {
      // What was granted at one moment may be seen a moment later, by a busy process.
      const tolerated = (rateLimit.rate * (windowMs + 50)) / rateLimit.per + rateLimit.burst;
      expect(mostWithin(times, windowMs)).toBeLessThanOrEqual(tolerated);
    }
  });

  it('is one for each operation', async () => {
    const { one } = openRateLimits(1, { rate: 1, per: 60_000, burst: 1 });
    expect(await one.take('createCreatorPost', 0)).toEqual({ granted: true });
    expect(await one.take('createFileUpload', 0)).toEqual({ granted: true });
    expect(await one.take('createCreatorPost', 0)).toMatchObject({ granted: false });
  });

  it('tells callers that would wait too long when to ask again', async () => {
    const { one } = openRateLimits(1, { rate: 1, per: 10_000, burst: 1 });
    await one.take(operation, 0);
    const { waitMs } = (await one.take(operation, 2000)) as Extract<Permission, { granted: false }>;
    expect(waitMs).toBeGreaterThan(9000);
    expect(waitMs).toBeLessThanOrEqual(10_000);
  });

  it('lets callers that would wait too long ask again before the line is empty', async () => {
    const { one } = openRateLimits(1, { rate: 5, per: 1000, burst: 2 });
    const longestWaitMs = 2000;
    const taken = Array.from({ length: 32 }, () => one.take(operation, longestWaitMs));
    const last = (await taken.at(-1)) as Extract<Permission, { granted: false }>;
    expect(last).toMatchObject({ granted: false });
    expect(last.waitMs).toBeLessThan(longestWaitMs);
    expect(last.waitMs).toBeGreaterThan(longestWaitMs / 4);
  });

  it('gets back a permit that was not used, and lends it to the next', async () => {
    const { one } = openRateLimits(1, { rate: 1, per: 60_000, burst: 1 });
    for (const isUsed of [false, true]) {
      const permit = await one.take(operation, 0);
      if (!permit.granted) throw new Error('no permit');
      using held = permit;
      if (isUsed) held.use();
    }
    expect(await one.take(operation, 0)).toMatchObject({ granted: false });
  });

  it('gives permits that are over after two seconds', async () => {
    const { one } = openRateLimits(1, { rate: 10, per: 1000, burst: 10 });
    const permit = await one.take(operation, 0);
    const granted = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(granted + 1000);
    const early = permit.granted && permit.isOver;
    clock.mockReturnValue(granted + 2000);
    const late = permit.granted && permit.isOver;
    clock.mockRestore();
    expect([early, late]).toEqual([false, true]);
  });

  it('does not get back what has flown in since a permit was granted', async () => {
    const { one } = openRateLimits(1, { rate: 1, per: 60_000, burst: 1 });
    const permit = await one.take(operation, 0);
    if (!permit.granted) throw new Error('no permit');
    const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 45_000);
    permit[Symbol.dispose]();
    later.mockRestore();
    const { waitMs } = (await one.take(operation, 0)) as Extract<Permission, { granted: false }>;
    // A quarter of the permit went back.
    expect(waitMs).toBeGreaterThan(40_000);
    expect(waitMs).toBeLessThan(50_000);
  });

  it('turns waiters away when it closes', async () => {
    const { one } = openRateLimits(1, { rate: 1, per: 10_000, burst: 1 });
    await one.take(operation, 0);
    const waiting = one.take(operation, 60_000);
    one.close();
    expect(await waiting).toMatchObject({ granted: false });
  });

  it('follows a rate that is set in Redis while it runs', async () => {
    const { one, redis, prefix } = openRateLimits(1, { rate: 1000, per: 1000, burst: 1000 });
    await redis.hset(`${prefix}:rate-limits`, operation, '0.1 1');
    expect(await one.take(operation, 1000)).toEqual({ granted: true });
    expect(await one.take(operation, 1000)).toMatchObject({ granted: false });
  });
});

describe('a 429', () => {
  const plenty = { rate: 1000, per: 1000, burst: 1000 };

  it('pauses the operation in all processes, as long as Retry-After asks', async () => {
    const { one, two } = openRateLimits(2, plenty);
    expect(await one.throttled(operation, 5000)).toEqual({ pauseMs: 5000, forMs: 0 });
    for (const rateLimits of [one, two]) {
      const { waitMs } = (await rateLimits.take(operation, 1000)) as Extract<Permission, { granted: false }>;
      expect(waitMs).toBeGreaterThan(4000);
    }
    expect(await two.take('createFileUpload', 0)).toEqual({ granted: true });
  });

  it('without Retry-After pauses for the base, or half of it', async () => {
    const { one } = openRateLimits(1, plenty);
    const { pauseMs: pause } = await one.throttled(operation, undefined);
    expect(pause).toBeGreaterThanOrEqual(retry.base / 2);
    expect(pause).toBeLessThanOrEqual(retry.base);
  });

  it('that answers a call from before the pause does not lengthen it', async () => {
    const { one, two } = openRateLimits(2, plenty);
    const { pauseMs: pause } = await one.throttled(operation, undefined);
    expect((await two.throttled(operation, undefined)).pauseMs).toBeLessThanOrEqual(pause);
  });

  it('shrinks the rate limit in all processes', async () => {
    const { one, two, redis, prefix } = openRateLimits(2, { rate: 100, per: 1000, burst: 4 });
    await one.throttled(operation, 1);
    const book = new RateLimitBook({
      redis,
      prefix,
      rateLimits: { default: { rate: 100, per: 1000, burst: 4 } },
    });
    const [status] = await book.read([operation]);
    // It begins at half, and recovers within a minute.
    expect(status?.share).toBeGreaterThanOrEqual(0.5);
    expect(status?.share).toBeLessThan(1);
    const times = await callAllTheTime(two, 10, 500);
    const tolerated = 100 * (status?.share ?? 1) * 1.2 * 0.55 + 4;
    expect(mostWithin(times, 500)).toBeLessThanOrEqual(tolerated);
  });
});
