/** An operator who works on the ledger of a scene without a process for each command: fast enough to act during a run. */
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import type { TestContext } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import type { DecisionRuntime } from '../../../src/campaigns/decisions/decision.ts';
import type { RetryRuntime } from '../../../src/campaigns/retry/retry.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { CampaignViews } from '../../../src/processors/runner/campaign-view.ts';
import { Queues } from '../../../src/queues/queues.ts';
import { openPrivateRedis } from '../../../src/redis/private/server.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Scene } from './scene.ts';

const prefix = '{campaigns}';

export type Operator = DecisionRuntime &
  RetryRuntime & { readonly redis: Redis } & Pick<Runtime, 'environment'>;

/** It keeps the private Redis of the scene until the test ends. */
export async function openOperator(
  test: Pick<TestContext, 'onTestFinished'>,
  { dataDir }: Scene,
): Promise<Operator> {
  const server = await openPrivateRedis(dataDir, () => undefined);
  const redis = server.connections.connect('operator');
  const ledger = createLedger({ redis, prefix });
  const queues = new Queues({ connection: redis, prefix, attempts: 5 });
  test.onTestFinished(async () => {
    await queues.close();
    await server.close();
  });
  return {
    redis,
    environment: { dataDir } as Runtime['environment'],
    ledger,
    queues,
    views: new CampaignViews(ledger),
    settings: checkSettings({}),
    accounts: { find: () => undefined, need: noAccount },
    log: pino({ level: 'silent' }),
    now: Date.now,
  };
}

function noAccount(): never {
  throw new Error('an operator asks the service nothing');
}
