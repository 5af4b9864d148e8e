import { expect, it, onTestFinished } from 'vitest';
import { RateLimitBook, rateLimitKey } from '../../src/queues/rate-limit-book.ts';
import { RateLimits } from '../../src/queues/rate-limits.ts';
import { redisNamespace } from '../support/redis/redis.ts';

const operation = 'createCreatorPost';

/** The rate limits of two processes, and the book as a third one reads it. */
function openBook(rateLimit = { rate: 300, per: 60_000, burst: 5 }) {
  const { redis, prefix, connect } = redisNamespace();
  const options = { prefix, rateLimits: { default: rateLimit } };
  const open = () => {
    const opened = new RateLimits({ ...options, redis: connect(), retry: { base: 1000, cap: 60_000 } });
    onTestFinished(() => opened.close());
    return opened;
  };
  const book = new RateLimitBook({ ...options, redis });
  const read = async () => (await book.read([operation]))[0];
  return { rateLimits: open(), another: open(), book, read, redis, prefix };
}

it('shows the settings where nothing has happened', async () => {
  const { read } = openBook();
  expect(await read()).toEqual({
    operation,
    rateLimit: { perSecond: 5, burst: 5 },
    isChanged: false,
    share: 1,
    pausedMs: 0,
    waitMs: 0,
    throttledForMs: undefined,
    shortMsAgo: undefined,
    usedPerSecond: 0,
  });
});

it('tells the calls that all processes made in the last minute', async () => {
  const { rateLimits, another, read } = openBook({ rate: 6000, per: 60_000, burst: 200 });
  for (const one of [rateLimits, another, rateLimits, another]) {
    for (let call = 0; call < 30; call += 1) expect(await one.take(operation, 0)).toEqual({ granted: true });
  }
  const calls = ((await read())?.usedPerSecond ?? 0) * 60;
  // Up to 20 calls of each process are known at its next permit only. A minute that begins meanwhile takes a little off.
  expect(calls).toBeGreaterThan(60);
  expect(calls).toBeLessThanOrEqual(120);
});

it('a changed rate limit wins over the settings in a process that runs, until it is reset', async () => {
  const { rateLimits, book, read } = openBook({ rate: 1, per: 600_000, burst: 1 });
  await rateLimits.take(operation, 0);
  expect(await rateLimits.take(operation, 0)).toMatchObject({ granted: false });
  await book.change(operation, { perSecond: 1000, burst: 10 });
  expect(await read()).toMatchObject({ rateLimit: { perSecond: 1000, burst: 10 }, isChanged: true });
  expect(await rateLimits.take(operation, 1000)).toEqual({ granted: true });
  expect(await book.reset()).toEqual(new Map([[operation, { perSecond: 1000, burst: 10 }]]));
  expect(await read()).toMatchObject({ rateLimit: { burst: 1 }, isChanged: false });
});

it('a raised rate limit serves callers already in line', async () => {
  const { rateLimits, book } = openBook({ rate: 1, per: 60_000, burst: 1 });
  await rateLimits.take(operation, 0);
  const waiting = rateLimits.take(operation, 120_000);
  await book.change(operation, { perSecond: 1000, burst: 10 });
  expect(await waiting).toEqual({ granted: true });
});

it('a raised rate limit is not refused to many who ask at once because of what it was before', async () => {
  const { rateLimits, book } = openBook({ rate: 1, per: 60_000, burst: 1 });
  await book.change(operation, { perSecond: 1000, burst: 10 });
  const permits = await Promise.all(Array.from({ length: 8 }, () => rateLimits.take(operation, 2000)));
  expect(permits).toEqual(Array.from({ length: 8 }, () => ({ granted: true })));
});

it('reset of one operation leaves the others changed', async () => {
  const { book } = openBook();
  await book.change(operation, { perSecond: 1, burst: 1 });
  await book.change('createFileUpload', { perSecond: 1, burst: 1 });
  expect([...(await book.reset(operation)).keys()]).toEqual([operation]);
  expect([...(await book.reset()).keys()]).toEqual(['createFileUpload']);
  expect((await book.reset()).size).toBe(0);
});

it('a rate limit that calls wait for differs from one that has enough', async () => {
  const { rateLimits, read } = openBook({ rate: 1, per: 600_000, burst: 1 });
  await rateLimits.take(operation, 0);
  expect((await read())?.shortMsAgo).toBeUndefined();
  await rateLimits.take(operation, 0);
  const status = await read();
  expect(status?.shortMsAgo).toBeLessThan(60_000);
  expect(status?.waitMs).toBeGreaterThan(500_000);
  expect(status?.waitMs).toBeLessThanOrEqual(600_000);
});

it('a 429 is told with its pause, and with what it leaves of the rate limit', async () => {
  const { rateLimits, read } = openBook();
  await rateLimits.throttled(operation, 60_000);
  const status = await read();
  expect(status).toMatchObject({ share: 0.5 });
  expect(status?.pausedMs).toBeGreaterThan(30_000);
  expect(status?.throttledForMs).toBeGreaterThanOrEqual(0);
});

it('the time of only 429 counts from the first one until another answer', async () => {
  const { rateLimits, read, redis, prefix } = openBook();
  await rateLimits.throttled(operation, 1);
  await redis.hincrbyfloat(rateLimitKey(prefix, operation), 'since', -600_000);
  expect((await rateLimits.throttled(operation, 1)).forMs).toBeGreaterThanOrEqual(600_000);
  rateLimits.answered(operation);
  expect((await rateLimits.throttled(operation, 1)).forMs).toBeLessThan(600_000);
  expect((await read())?.throttledForMs).toBeLessThan(600_000);
});

it('a process that has met no 429 itself ends the count as well, by the answer that it gets', async () => {
  const { rateLimits, read, another } = openBook({ rate: 1000, per: 1000, burst: 10 });
  await another.throttled(operation, 1);
  await rateLimits.take(operation, 5000);
  rateLimits.answered(operation);
  expect((await read())?.throttledForMs).toBeUndefined();
});

it('keeps the times in which an operation paused; pauses close to each other are one', async () => {
  const { rateLimits, book, redis, prefix } = openBook();
  await rateLimits.throttled(operation, 2000);
  await rateLimits.throttled(operation, 5000);
  const [one, ...others] = await book.pauses();
  expect(others).toEqual([]);
  const lasted = (one?.to ?? 0) - (one?.from ?? 0);
  expect(lasted).toBeGreaterThanOrEqual(5000);
  const earlier = [[1000, 2000]];
  await redis.hset(`${prefix}:holds`, operation, JSON.stringify(earlier));
  await rateLimits.throttled(operation, 1000);
  expect((await book.pauses()).map(({ operation: of, from }) => [of, from === 1000])).toEqual([
    [operation, true],
    [operation, false],
  ]);
});
