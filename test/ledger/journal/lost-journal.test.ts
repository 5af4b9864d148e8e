import { statSync, truncateSync } from 'node:fs';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { ledgerOn, stepStart } from '../../support/ledger.ts';
import { durable, incrementalFile, redisNode } from '../../support/redis/redis-topologies.ts';

it('a process that has not seen the entries that were lost waits for those that have', async () => {
  const server = await redisNode(temporaryFolder(), { onTestFinished }, durable);
  const connect = (retryMs: number): Redis => {
    const redis = new Redis({
      port: server.port,
      maxRetriesPerRequest: null,
      retryStrategy: () => retryMs,
    });
    redis.on('error', () => undefined);
    onTestFinished(() => redis.disconnect());
    return redis;
  };
  // The one that knows is the later to find the server again.
  const aware = ledgerOn(connect(1000), '{campaigns}');
  const unaware = ledgerOn(connect(20), '{campaigns}');
  const campaign = await aware.campaign(1);
  await aware.admit(campaign, [0]);
  expect(await unaware.ledger.campaigns.sheetVersion(campaign)).toMatch(/ 0$/);
  const log = incrementalFile(server);
  const kept = statSync(log).size;
  const step = stepStart({ campaign, row: 0, revision: 0 });
  const sent = await aware.ledger.steps.start({ ...step, effect: 'post', token: 'a' });
  expect(sent).toMatchObject({ kind: 'go' });

  await server.stop('SIGKILL');
  truncateSync(log, kept);
  await server.restart();
  const again = await unaware.ledger.steps.start({ ...step, effect: 'post', token: 'b' });
  expect(again).toEqual({ kind: 'paused' });
  expect((await unaware.ledger.campaigns.find(campaign))?.pauseReason?.code).toBe('journal_behind');
});
