/** An operator who works on the ledger of a scene without a process for each command: fast enough to act during a run. */
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import type { TestContext } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import type { RetryRuntime } from '../../../src/app/campaigns/retry/retry.ts';
import type { DecisionRuntime } from '../../../src/app/decisions/decision.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { openPrivateRedis } from '../../../src/platform/redis/private/server.ts';
import { CampaignViews } from '../../../src/processors/runner/campaign-view.ts';
import { Queues } from '../../../src/queues/queues.ts';
import type { Scene } from './scene.ts';

export type Operator = DecisionRuntime &
  RetryRuntime & { readonly redis: Redis } & Pick<Runtime, 'environment'>;

/** It keeps a private Redis of the scene until the test ends. */
export async function openOperator(
  test: Pick<TestContext, 'onTestFinished'>,
  { dataDir, namespace }: Scene,
): Promise<Operator> {
  const server = namespace ? undefined : await openPrivateRedis(dataDir, () => undefined);
  const redis = namespace?.redis ?? (server?.connections.connect('operator') as Redis);
  const prefix = namespace?.prefix ?? '{campaigns}';
  const ledger = createLedger({ redis, prefix });
  const queues = new Queues({ connection: redis, prefix, attempts: 5 });
  test.onTestFinished(async () => {
    await queues.close();
    await server?.close();
  });
  return {
    redis,
    environment: { dataDir } as Runtime['environment'],
    ledger,
    queues,
    views: new CampaignViews(ledger),
    settings: checkSettings({}),
    service: { isConfigured: false, need: noService },
    log: pino({ level: 'silent' }),
    now: Date.now,
  };
}

function noService(): never {
  throw new Error('an operator asks the service nothing');
}
