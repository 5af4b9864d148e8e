import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Announcement, WorkerState } from '../../src/ledger/presence.ts';
import type { PeriodicWatch } from '../../src/processors/periodic-jobs.ts';
import { Pulse } from '../../src/processors/pulse.ts';
import { RedisClock } from '../../src/redis/clock.ts';

const noon = Date.UTC(2026, 5, 1, 12);
const hour = 3_600_000;

/** A machine and its pulse, whose heartbeats only come when somebody asks. */
async function openPulse() {
  const at = { wall: noon, steady: 0, redis: noon };
  const redis = {
    /** What is told at each heartbeat. */
    told: [] as WorkerState[],
    /** Happens between the answer of Redis and its arrival. */
    onTheWay: undefined as (() => void) | undefined,
    refuses: false,
  };
  const announcement: Announcement = {
    async beat(state = {}) {
      redis.told.push(state);
      if (redis.refuses) throw new Error('OOM');
      const answer = { at: at.redis, askedAt: at.steady };
      const { onTheWay } = redis;
      redis.onTheWay = undefined;
      onTheWay?.();
      return { format: 1, time: { ...answer, cameAt: at.steady }, runs: [] };
    },
    async withdraw() {},
  };
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const pulse = new Pulse({
    announcement,
    clock: new RedisClock(
      () => at.wall,
      () => at.steady,
    ),
    periodic: { names: [], look: async () => undefined } as unknown as PeriodicWatch,
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    everyMs: 2 ** 31 - 1,
    atWork: () => 3,
    onFormat: () => undefined,
  });
  await pulse.start();
  onTestFinished(() => pulse.stop());
  return { at, redis, pulse, lines };
}

it('as long as the clock is right, jobs are taken without asking Redis', async () => {
  const { at, redis, pulse } = await openPulse();
  at.wall += 10_000;
  at.steady += 10_000;
  expect(pulse.isOpen).toBe(true);
  expect(redis.told).toEqual([{ atWork: 3 }]);
});

it('after a jump, Redis is asked before the next job, and others are told', async () => {
  const { at, redis, pulse, lines } = await openPulse();
  at.wall += hour;
  expect(pulse.isOpen).toBe(false);
  let isOpened = false;
  const opened = pulse.opened().then(() => {
    isOpened = true;
  });
  await new Promise(setImmediate);
  expect(isOpened).toBe(false);
  expect(pulse.clockAheadMs).toBe(hour);
  expect(redis.told.at(-1)).toEqual({ atWork: 3, clockAheadMs: hour });
  expect(lines.map(({ level }) => level)).toEqual([50]);
  at.wall -= hour;
  // The next heartbeat.
  await pulse.beat();
  await opened;
  expect(redis.told.at(-1)).toEqual({ atWork: 3 });
  expect(pulse.clockAheadMs).toBeUndefined();
  expect(pulse.isOpen).toBe(true);
  expect(lines.map(({ level }) => level)).toEqual([50, 40]);
});

it('workers that ask at once share one question', async () => {
  const { at, redis, pulse } = await openPulse();
  at.wall += 5000;
  await Promise.all([pulse.opened(), pulse.opened(), pulse.opened()]);
  expect(redis.told).toHaveLength(2);
  expect(pulse.isOpen).toBe(true);
});

it('a machine that was suspended goes on, also if an answer was on its way', async () => {
  const { at, redis, pulse, lines } = await openPulse();
  redis.onTheWay = () => {
    at.wall += hour;
    at.redis += hour;
  };
  await pulse.beat();
  expect(pulse.isOpen).toBe(true);
  expect(lines).toEqual([]);
});

it('while Redis refuses heartbeats, a right clock stops nothing, and a wrong one everything', async () => {
  const { at, redis, pulse } = await openPulse();
  redis.refuses = true;
  at.wall += 5000;
  await pulse.opened();
  at.wall += hour;
  void pulse.opened();
  await new Promise(setImmediate);
  expect(pulse.clockAheadMs).toBe(hour + 5000);
});

it('a stop lets those go that wait', async () => {
  const { at, pulse } = await openPulse();
  at.wall += hour;
  const opened = pulse.opened();
  await new Promise(setImmediate);
  await pulse.stop();
  await opened;
  expect(pulse.isOpen).toBe(false);
});
