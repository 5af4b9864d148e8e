import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { openScene } from '../support/processes/scene.ts';
import { durable, redisNode } from '../support/redis/redis-topologies.ts';
import { videoRow } from '../support/sheets/rows.ts';

it('two deployments with prefixes of their own share a Redis, and see nothing of each other', async (test) => {
  const south = await openScene(test);
  const north = await openScene(test);
  const users = Object.fromEntries(
    ['north', 'south'].map((name) => [
      `user ${name}`,
      `on >s3cret ~{${name}}* &{${name}}* +@all -@dangerous +info +config|get`,
    ]),
  );
  const { port } = await redisNode(south.folder, test, { ...durable, ...users });
  const redisOf = (name: string) => ({
    REDIS_URL: `redis://${name}:s3cret@127.0.0.1:${port}`,
    CAMPAIGNS_PREFIX: name,
  });
  const env = { north: redisOf('north'), south: redisOf('south') };

  const imported = await south.run(['import', south.manifest([videoRow('1')])], env.south);
  expect(imported.code, imported.stderr).toBe(0);
  const run = await north.run(['run', north.manifest([videoRow('2')])], env.north);
  expect(run.code, run.stderr).toBe(0);
  expectAgreement(north.sandbox, north.results());
  expect(south.sandbox.effects().posts).toEqual([]);
  const listed = await south.run(['list', '--json'], env.south);
  expect(JSON.parse(listed.stdout).campaigns).toMatchObject([{ id: 'c1', state: 'running' }]);
  const again = await south.run(['run'], env.south);
  expect(again.code, again.stderr).toBe(0);
  expectAgreement(south.sandbox, south.results());

  const admin = new Redis({ port });
  test.onTestFinished(() => admin.disconnect());
  expect(await admin.acl('LOG')).toEqual([]);
});
