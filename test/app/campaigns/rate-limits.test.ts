import { expect, it, onTestFinished } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { changeRateLimit, readRateLimits } from '../../../src/app/campaigns/rate-limits.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { Queues } from '../../../src/queues/queues.ts';
import { RateLimitBook } from '../../../src/queues/rate-limit-book.ts';
import { redisNamespace } from '../../support/redis/redis.ts';

const operation = 'createCreatorPost';

function openTools(): Parameters<typeof changeRateLimit>[0] {
  const { redis, prefix } = redisNamespace();
  const queues = new Queues({ connection: redis, prefix, attempts: 1 });
  onTestFinished(() => queues.close());
  const { rateLimits: rates } = checkSettings({ rateLimits: { default: { rate: 5, per: '1s', burst: 5 } } });
  const rateLimits = new RateLimitBook({ redis, prefix, rateLimits: rates });
  return { queues, ledger: createLedger({ redis, prefix }), rateLimits };
}

async function rateLimitOf(runtime: Parameters<typeof readRateLimits>[0]) {
  return (await readRateLimits(runtime)).find((shown) => shown.operation === operation)?.rateLimit;
}

it('a rate limit that is lowered and raised again has a second of the new rate as its burst', async () => {
  const runtime = openTools();
  await changeRateLimit(runtime, operation, { perSecond: 0.5 }, 'ann');
  expect(await rateLimitOf(runtime)).toEqual({ perSecond: 0.5, burst: 1 });
  await changeRateLimit(runtime, operation, { perSecond: 20 }, 'ann');
  expect(await rateLimitOf(runtime)).toEqual({ perSecond: 20, burst: 20 });
});

it('a burst that is asked for is the one of the rate limit', async () => {
  const rateLimit = { perSecond: 20, burst: 2 };
  expect(await changeRateLimit(openTools(), operation, rateLimit, 'ann')).toEqual(rateLimit);
});

it('an operation that does not exist is refused, with the nearest name', async () => {
  await expect(
    changeRateLimit(openTools(), 'createCreatorPosts', { perSecond: 1 }, 'ann'),
  ).rejects.toMatchObject({
    code: 'operation_unknown',
    fix: `Did you mean ${operation}?`,
  });
});
