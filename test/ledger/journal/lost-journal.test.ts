import { statSync, truncateSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { NotConfirmedError } from '../../../src/platform/redis/durability.ts';
import { waitUntil } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { ledgerOn, stepStart, type TestLedger } from '../../support/ledger.ts';
import { durable, incrementalFile, redisNode } from '../../support/redis/redis-topologies.ts';

/** A server that can lose the end of its append-only file, and ledgers on it. */
async function forgetfulServer() {
  const server = await redisNode(temporaryFolder(), { onTestFinished }, durable);
  return {
    ledger(retryMs: number): TestLedger {
      const redis = new Redis({
        port: server.port,
        maxRetriesPerRequest: null,
        retryStrategy: () => retryMs,
      });
      redis.on('error', () => undefined);
      onTestFinished(() => redis.disconnect());
      return ledgerOn(redis, '{campaigns}');
    },
    freeze: () => process.kill(server.pid, 'SIGSTOP'),
    /** @returns a function that ends the server, and starts it with the data of now. */
    keep() {
      const log = incrementalFile(server);
      const kept = statSync(log).size;
      return async () => {
        await server.stop('SIGKILL');
        truncateSync(log, kept);
        await server.restart();
      };
    },
  };
}

function start({ ledger }: TestLedger, campaign: string, row: number, token: string) {
  const step = stepStart({ campaign, row, revision: 0 });
  return ledger.steps.start({ ...step, effect: 'post', token });
}

async function pausedFor({ ledger }: TestLedger, campaign: string): Promise<string | undefined> {
  return (await ledger.campaigns.find(campaign))?.pauseReason?.code;
}

it('a process that has not seen the entries that were lost waits for those that have', async () => {
  const server = await forgetfulServer();
  // The one that knows is the later to find the server again.
  const aware = server.ledger(1000);
  const unaware = server.ledger(20);
  const campaign = await aware.campaign(1);
  await aware.admit(campaign, [0]);
  expect(await unaware.ledger.campaigns.sheetVersion(campaign)).toMatch(/ 0$/);
  const goBack = server.keep();
  expect(await start(aware, campaign, 0, 'a')).toMatchObject({ kind: 'go' });

  await goBack();
  expect(await start(unaware, campaign, 0, 'b')).toEqual({ kind: 'paused' });
  expect(await pausedFor(unaware, campaign)).toBe('journal_behind');
});

it('a start that was under way when the server went back sends nothing, and hides no loss', async () => {
  const server = await forgetfulServer();
  const [machine, other] = [server.ledger(20), server.ledger(20)];
  const campaign = await machine.campaign(4);
  await machine.admit(campaign, [0, 1, 2, 3]);
  // Has waited for the first look at the server.
  expect(await start(machine, campaign, 0, 'kept')).toMatchObject({ kind: 'go' });
  const goBack = server.keep();
  expect(await start(other, campaign, 1, 'lost')).toMatchObject({ kind: 'go' });
  server.freeze();
  const underWay = Promise.allSettled([
    start(machine, campaign, 2, 'second'),
    start(machine, campaign, 3, 'third'),
  ]);
  // They are sent with what was seen before.
  await turn();
  await turn();
  // It gets to know of the other entry just before the end.
  machine.ledger.journal.see(other.ledger.journal.seen);
  other.redis.disconnect();

  await goBack();
  const notSent = { status: 'rejected', reason: expect.any(NotConfirmedError) };
  expect(await underWay).toEqual([notSent, notSent]);
  await waitUntil(async () => (await pausedFor(machine, campaign)) === 'journal_behind', 'the pause');
});
