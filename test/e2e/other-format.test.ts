import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { openScene } from '../support/processes/scene.ts';
import { socketIn, startLedgerRedis } from '../support/redis/redis-server.ts';

describe('a ledger is refused with exit code 2, and what to do, if', { timeout: 60_000 }, () => {
  it.for([
    { what: 'a newer program has converted it', version: '99', told: 'Use that version' },
    { what: 'no released program has written it', version: '3', told: 'never released' },
    { what: 'it has campaigns, and no number', version: undefined, told: 'never released' },
  ])('$what', async ({ version, told }, test) => {
    const folder = temporaryFolder(test);
    const { url } = await startLedgerRedis(test, folder);
    const redis = new Redis({ path: socketIn(folder) });
    test.onTestFinished(() => redis.disconnect());
    const scene = await openScene(test, { env: { REDIS_URL: url } });
    if (version === undefined) await redis.zadd('{campaigns}:campaigns', 1, 'c1');
    else await redis.hset('{campaigns}:format', 'version', version);
    const refused = await scene.run(['list']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(told);
  });
});
