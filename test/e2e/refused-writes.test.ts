import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it, type TestContext } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import type { TestProcess } from '../support/processes/child.ts';
import { type Fleet, fleetOn } from '../support/processes/fleet.ts';
import { openScene, type Scene, slowly } from '../support/processes/scene.ts';
import { durable, redisNode } from '../support/redis/redis-topologies.ts';
import { mixedRows } from '../support/sheets/rows.ts';

/** So slow that Redis refuses in the middle. */
const slower = {
  rateLimits: { ...slowly.rateLimits, createCreatorPost: { rate: 10, per: '1s', burst: 2 } },
};

interface Setting {
  readonly scene: Scene;
  readonly fleet: Fleet;
  readonly worker: TestProcess;
  readonly redis: Redis;
}

async function atWork(test: TestContext, port: number, scene: Scene): Promise<Setting> {
  const fleet = fleetOn(test, scene, `redis://127.0.0.1:${port}`);
  const redis = new Redis({ port });
  test.onTestFinished(() => redis.disconnect());
  const worker = await fleet.worker();
  await fleet.hand(mixedRows(40));
  await scene.sandbox.whenCalled('createCreatorPost', 8);
  return { scene, fleet, worker, redis };
}

/** It says so, sends nothing, and goes on by itself: all rows end, and what was known of them is not lost. */
async function expectRecovery(
  { scene, fleet, worker }: Setting,
  told: RegExp,
  recover: () => Promise<unknown>,
): Promise<void> {
  await worker.errorLine(told);
  // What was sent before is answered; its end is written down once Redis takes it.
  const sent = scene.sandbox.counts().createCreatorPost ?? 0;
  expect(sent).toBeLessThan(30);
  await recover();
  const results = await fleet.ended();
  expectAgreement(scene.sandbox, results);
  expect(results.rows.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(results.rows.filter(({ status }) => status === 'posted').length).toBeGreaterThanOrEqual(36);
}

describe.concurrent('Redis that takes no writes', () => {
  it('because its memory is full', async (test) => {
    const scene = await openScene(test, { settings: slower });
    const { port } = await redisNode(scene.folder, test, durable);
    const setting = await atWork(test, port, scene);
    await setting.redis.config('SET', 'maxmemory', '1mb');
    const refused = await scene.run(['pause', 'c1', '--json'], {
      REDIS_URL: `redis://127.0.0.1:${port}`,
      CAMPAIGNS_HASTE: '10',
    });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^Waiting up to 3 s .*\ncampaigns: Redis takes no writes: its memory is full; nothing was changed\n.*maxmemory/m,
      ),
    ]);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { exitCode: 2 } });
    await expectRecovery(setting, /takes no writes \(.*OOM.*nothing is sent until/, () =>
      setting.redis.config('SET', 'maxmemory', '0'),
    );
  });

  it('because its disk is full', async (test) => {
    const scene = await openScene(test, { settings: slower });
    const disk = join(scene.folder, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk], { stdio: 'pipe' });
    } catch {
      test.skip('this machine does not let us mount a small disk');
    }
    test.onTestFinished(() => void execFileSync('umount', ['-l', disk]));
    // `everysec`: with `always` Redis ends itself instead, which is told as an outage.
    const { port } = await redisNode(disk, test, { ...durable, appendfsync: 'everysec' });
    const setting = await atWork(test, port, scene);
    const filler = join(disk, 'filler');
    try {
      writeFileSync(filler, Buffer.alloc(8 << 20));
    } catch {
      // Full, as it should be.
    }
    await expectRecovery(setting, /takes no writes \(.*MISCONF.*nothing is sent until/, async () =>
      rmSync(filler),
    );
  });
});
