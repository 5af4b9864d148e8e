import { expect, it } from 'vitest';
import { testLedger } from '../support/ledger.ts';
import { keysOf } from '../support/redis/redis.ts';

const facts = { host: 'hall', pid: 7, version: '1.2.3', queues: ['post'], since: Date.UTC(2026, 5, 1) };

it('every process sees a worker as alive after its announcement', async () => {
  const { ledger } = testLedger();
  await ledger.presence.announce(facts).beat();
  const [worker, ...others] = await ledger.presence.workers();
  expect(worker).toMatchObject({ ...facts, isAlive: true });
  expect(others).toEqual([]);
});

it('a worker that stops normally leaves nothing behind', async () => {
  const { ledger, redis, prefix } = testLedger();
  const worker = ledger.presence.announce(facts);
  await worker.beat();
  await worker.withdraw();
  expect(await ledger.presence.workers()).toEqual([]);
  expect(await keysOf(redis, prefix)).toEqual([]);
});

it('a silent worker is shown with the time since its last heartbeat', async () => {
  const { ledger, redis } = testLedger();
  await ledger.presence.announce(facts).beat();
  const [worker] = await ledger.presence.workers();
  await redis.zincrby(ledger.keys.workers, -40_000, worker?.id ?? '');
  const [silent] = await ledger.presence.workers();
  expect(silent).toMatchObject({ host: 'hall', pid: 7, isAlive: false });
  expect(silent?.seenMsAgo).toBeGreaterThanOrEqual(40_000);
});

it('two workers with the same machine and process id are distinguished', async () => {
  const { ledger } = testLedger();
  await ledger.presence.announce({ ...facts, since: 2 }).beat();
  await ledger.presence.announce({ ...facts, since: 1 }).beat();
  expect((await ledger.presence.workers()).map(({ since }) => since)).toEqual([1, 2]);
});

it('a long silent worker is forgotten at the next announcement', async () => {
  const { ledger, redis } = testLedger();
  await ledger.presence.announce(facts).beat();
  const [worker] = await ledger.presence.workers();
  await redis.zincrby(ledger.keys.workers, -3_600_000, worker?.id ?? '');
  await ledger.presence.announce({ ...facts, pid: 8 }).beat();
  expect((await ledger.presence.workers()).map(({ pid }) => pid)).toEqual([8]);
});

it('a run that was killed is forgotten as soon as it is silent; a worker is missed', async () => {
  const { ledger, redis } = testLedger();
  await ledger.presence.announce(facts).beat();
  await ledger.presence.announce({ ...facts, pid: 8, isRun: true }).beat();
  const [worker, run] = await ledger.presence.workers();
  const left = (id = '') => redis.pttl(ledger.keys.worker(id));
  expect(await left(run?.id)).toBeLessThanOrEqual(16_000);
  expect(await left(worker?.id)).toBeGreaterThan(16_000);
  // Its record has expired.
  await redis.del(ledger.keys.worker(run?.id ?? ''));
  expect((await ledger.presence.workers()).map(({ pid }) => pid)).toEqual([7]);
});

it('tells how many jobs a worker runs', async () => {
  const { ledger } = testLedger();
  await ledger.presence.announce(facts).beat({ atWork: 7 });
  expect(await ledger.presence.workers()).toMatchObject([{ atWork: 7 }]);
});

it('a heartbeat is answered with the time of Redis, within its own time', async () => {
  const { ledger, redis } = testLedger();
  const [before] = await redis.time();
  const { time } = await ledger.presence.announce(facts).beat();
  const [after] = await redis.time();
  expect(time.at).toBeGreaterThanOrEqual(Number(before) * 1000);
  expect(time.at).toBeLessThan(Number(after) * 1000 + 1000);
  expect(time.cameAt).toBeGreaterThanOrEqual(time.askedAt);
});

it('of all that ask, one is told in each period that a periodic job is due', async () => {
  const { ledger, redis } = testLedger();
  const jobs = [
    { name: 'rescuer', everyMs: 60_000 },
    { name: 'outbox', everyMs: 0 },
  ];
  const [one, other] = [ledger.presence.announce(facts), ledger.presence.announce({ ...facts, pid: 8 })];
  expect((await one.beat({}, jobs)).due).toEqual(['rescuer', 'outbox']);
  expect((await other.beat({}, jobs)).due).toEqual(['outbox']);
  await redis.hincrby(ledger.keys.periodicTaken, 'rescuer', -60_000);
  expect((await other.beat({}, jobs)).due).toEqual(['rescuer', 'outbox']);
  expect((await one.beat({}, jobs)).due).toEqual(['outbox']);
});

it('a periodic job is due after the clock of Redis was put back', async () => {
  const { ledger, redis } = testLedger();
  await redis.hset(ledger.keys.periodicTaken, 'rescuer', Date.now() + 3_600_000);
  const { due } = await ledger.presence.announce(facts).beat({}, [{ name: 'rescuer', everyMs: 60_000 }]);
  expect(due).toEqual(['rescuer']);
});

it.for(['', '1', '-1 5', '1e3 5', `${'9'.repeat(16)} 1`, '5 5 5'])(
  'a last run stored as %j is taken for none',
  async (text) => {
    const { ledger, redis } = testLedger();
    await redis.hset(ledger.keys.periodic, 'rescuer', text);
    expect((await ledger.periodic.last(['rescuer'])).runs).toEqual([undefined]);
  },
);
