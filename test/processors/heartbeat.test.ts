import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Announcement, WorkerState } from '../../src/ledger/presence.ts';
import { RedisClock } from '../../src/platform/redis/clock.ts';
import { Heartbeat } from '../../src/processors/heartbeat.ts';

const noon = Date.UTC(2026, 5, 1, 12);
const hour = 3_600_000;

/** A machine and its heartbeat, whose heartbeats only come when somebody asks. */
async function openPulse() {
  const at = { wall: noon, steady: 0, redis: noon };
  const redis = {
    /** What is told at each heartbeat. */
    told: [] as WorkerState[],
    refuses: false,
  };
  const announcement: Announcement = {
    async beat(state = {}) {
      redis.told.push(state);
      if (redis.refuses) throw new Error('OOM');
      const time = { at: at.redis, askedAt: at.steady, cameAt: at.steady };
      return { time, due: ['rescuer'] };
    },
    async withdraw() {},
  };
  const added: string[] = [];
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const heartbeat = new Heartbeat({
    announcement,
    clock: new RedisClock(
      () => at.wall,
      () => at.steady,
    ),
    periodic: [{ name: 'rescuer', everyMs: 14_000 }],
    onDue: async ({ name }) => void added.push(name),
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    everyMs: 2 ** 31 - 1,
    running: () => 3,
  });
  await heartbeat.start();
  onTestFinished(() => heartbeat.stop());
  return { at, redis, heartbeat, lines, added };
}

it('as long as the clock is right, jobs are taken without asking Redis', async () => {
  const { at, redis, heartbeat } = await openPulse();
  at.wall += 10_000;
  at.steady += 10_000;
  expect(heartbeat.isOpen).toBe(true);
  expect(redis.told).toEqual([{ atWork: 3 }]);
});

it('a wrong clock is found at a heartbeat: no job is taken until it is right', async () => {
  const { at, redis, heartbeat, lines } = await openPulse();
  at.wall += hour;
  await heartbeat.beat();
  expect(heartbeat.isOpen).toBe(false);
  expect(heartbeat.clockAheadMs).toBe(hour);
  const opened = heartbeat.opened();
  expect(redis.told.at(-1)).toEqual({ atWork: 3, clockAheadMs: hour });
  expect(lines.map(({ level }) => level)).toEqual([50]);
  at.wall -= hour;
  await heartbeat.beat();
  await opened;
  expect(heartbeat.clockAheadMs).toBeUndefined();
  expect(heartbeat.isOpen).toBe(true);
  expect(lines.map(({ level }) => level)).toEqual([50, 40]);
});

it('a machine that was suspended goes on', async () => {
  const { at, heartbeat, lines } = await openPulse();
  at.wall += hour;
  at.redis += hour;
  await heartbeat.beat();
  expect(heartbeat.isOpen).toBe(true);
  expect(lines).toEqual([]);
});

it('a job that is due is added, also by a process whose clock is wrong', async () => {
  const { at, heartbeat, added } = await openPulse();
  at.wall += hour;
  await heartbeat.beat();
  expect(added.length).toBeGreaterThan(1);
});

it('while Redis refuses heartbeats, a right clock stops nothing', async () => {
  const { redis, heartbeat } = await openPulse();
  redis.refuses = true;
  await heartbeat.beat().catch(() => undefined);
  expect(heartbeat.isOpen).toBe(true);
});

it('a stop lets those go that wait', async () => {
  const { at, heartbeat } = await openPulse();
  at.wall += hour;
  await heartbeat.beat();
  const opened = heartbeat.opened();
  await heartbeat.stop();
  await opened;
  expect(heartbeat.isOpen).toBe(false);
});
