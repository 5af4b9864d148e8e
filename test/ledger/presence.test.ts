import { expect, it } from 'vitest';
import { testLedger } from '../support/ledger.ts';
import { keysOf } from '../support/redis.ts';

const facts = { host: 'hall', pid: 7, version: '1.2.3', queues: ['post'], since: Date.UTC(2026, 5, 1) };

it('a worker is alive from its announcement on, for everybody', async () => {
  const { ledger } = testLedger();
  await ledger.presence.announce(facts);
  const [worker, ...others] = await ledger.presence.workers();
  expect(worker).toMatchObject({ ...facts, isAlive: true });
  expect(others).toEqual([]);
});

it('one that stops in order leaves nothing behind', async () => {
  const { ledger, redis, prefix } = testLedger();
  const withdraw = await ledger.presence.announce(facts);
  await withdraw();
  expect(await ledger.presence.workers()).toEqual([]);
  expect(await keysOf(redis, prefix)).toEqual([]);
});

it('one that went silent is told with the time since', async () => {
  const { ledger, redis } = testLedger();
  await ledger.presence.announce(facts);
  const [worker] = await ledger.presence.workers();
  await redis.zincrby(ledger.keys.workers, -40_000, worker?.id ?? '');
  const [silent] = await ledger.presence.workers();
  expect(silent).toMatchObject({ host: 'hall', pid: 7, isAlive: false });
  expect(silent?.seenMsAgo).toBeGreaterThanOrEqual(40_000);
});

it('two of one machine and process id, one after the other, are told apart', async () => {
  const { ledger } = testLedger();
  await ledger.presence.announce({ ...facts, since: 2 });
  await ledger.presence.announce({ ...facts, since: 1 });
  expect((await ledger.presence.workers()).map(({ since }) => since)).toEqual([1, 2]);
});

it('one that has been silent for long is forgotten with the next announcement', async () => {
  const { ledger, redis } = testLedger();
  await ledger.presence.announce(facts);
  const [worker] = await ledger.presence.workers();
  await redis.zincrby(ledger.keys.workers, -3_600_000, worker?.id ?? '');
  await ledger.presence.announce({ ...facts, pid: 8 });
  expect((await ledger.presence.workers()).map(({ pid }) => pid)).toEqual([8]);
});
