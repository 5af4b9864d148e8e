import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { openScene } from '../support/processes/scene.ts';
import { durable, redisNode } from '../support/redis/redis-topologies.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';

it('a user of Redis that may do no more than docs/redis.md names is enough for a run', async (test) => {
  const scene = await openScene(test);
  const { port } = await redisNode(scene.folder, test, {
    ...durable,
    'user runner': 'on >s3cret ~{campaigns}* &{campaigns}* +@all -@dangerous +info +config|get',
  });
  const env = { REDIS_URL: `redis://runner:s3cret@127.0.0.1:${port}` };
  const { code, stderr } = await scene.run(['run', scene.manifest([videoRow('1'), aiVideoRow('2')])], env);
  expect(code, stderr).toBe(0);
  expectAgreement(scene.sandbox, scene.results());
  const admin = new Redis({ port });
  test.onTestFinished(() => admin.disconnect());
  expect(await admin.acl('LOG')).toEqual([]);
});
