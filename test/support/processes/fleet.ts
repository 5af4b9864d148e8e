/** Several `campaigns worker` processes that share one Redis, as on several machines, and a campaign for them. */
import type { Redis } from 'ioredis';
import { expect, type TestContext } from 'vitest';
import type { Campaign } from '../../../src/ledger/campaigns/campaign.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { parseRedisAddress } from '../../../src/platform/redis/address.ts';
import { RedisConnections } from '../../../src/platform/redis/connections.ts';
import { waitUntil } from '../events.ts';
import { durable, redisNode } from '../redis/redis-topologies.ts';
import type { Cells, ResultSheet } from '../sheets/sheet.ts';
import type { TestProcess } from './child.ts';
import { openScene, type Scene, type SceneOptions } from './scene.ts';

export interface Fleet {
  readonly scene: Scene;
  readonly redis: Redis;
  /** For `REDIS_URL`. */
  readonly url: string;
  /** Starts a worker and waits until it takes jobs. @param env more environment, such as another route to Redis. */
  worker(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<TestProcess>;
  /** Starts several at once. */
  workers(count: number): Promise<readonly TestProcess[]>;
  /** Hands in a manifest of these rows with `campaigns import`. */
  hand(rows: readonly Cells[]): Promise<void>;
  /** Runs a command on the same Redis to its end. */
  run(args: readonly string[]): ReturnType<Scene['run']>;
  /** The campaign as it is in the ledger now. */
  campaign(): Promise<Campaign | undefined>;
  /** Waits until no row of the campaign waits or runs. @returns the results sheet. */
  ended(): Promise<ResultSheet>;
  /** The results sheet as it is now. */
  report(): Promise<ResultSheet>;
}

/** A fleet on its own single Redis server. */
export async function openFleet(test: TestContext, options: SceneOptions = {}): Promise<Fleet> {
  const scene = await openScene(test, options);
  const { port } = await redisNode(scene.folder, test, durable);
  return fleetOn(test, scene, `redis://127.0.0.1:${port}`);
}

/** A fleet on the Redis at `url`. */
export function fleetOn(test: TestContext, scene: Scene, url: string): Fleet {
  const env = { REDIS_URL: url };
  const connections = new RedisConnections(parseRedisAddress(url), () => undefined);
  test.onTestFinished(() => connections.close());
  const redis: Redis = connections.connect('test');
  const { campaigns } = createLedger({ redis, prefix: '{campaigns}' });

  async function worker(args: readonly string[] = [], own: Readonly<Record<string, string>> = {}) {
    const child = scene.start(['worker', ...args], { ...env, ...own });
    await child.errorLine(/worker started/);
    return child;
  }
  async function report(): Promise<ResultSheet> {
    const { code, stderr } = await scene.run(['report', 'c1', '--out', 'posts.results.csv'], env);
    expect(code, stderr).toBeOneOf([0, 3, 4]);
    return scene.results();
  }
  return {
    scene,
    redis,
    url,
    worker,
    workers: (count) => Promise.all(Array.from({ length: count }, () => worker())),
    async hand(rows) {
      const { code, stderr } = await scene.run(['import', scene.manifest(rows)], env);
      expect(code, stderr).toBe(0);
    },
    run: (args) => scene.run(args, env),
    campaign: () => campaigns.find('c1'),
    async ended() {
      await waitUntil(async () => (await campaigns.find('c1'))?.state === 'ended', 'the campaign to end');
      return report();
    },
    report,
  };
}
