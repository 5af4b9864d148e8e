import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { openScene } from '../support/processes/scene.ts';
import { socketIn, startLedgerRedis } from '../support/redis/redis-server.ts';

it('a ledger of another format is refused with exit code 2, and what to do', async (test) => {
  const folder = temporaryFolder(test);
  const { url } = await startLedgerRedis(test, folder);
  const redis = new Redis({ path: socketIn(folder) });
  test.onTestFinished(() => redis.disconnect());
  const scene = await openScene(test, { env: { REDIS_URL: url } });
  await redis.hset('{campaigns}:format', 'version', '99');
  const refused = await scene.run(['list']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('its own Redis');
});
