import { describe, expect, it } from 'vitest';
import { nextTime } from '../../src/queues/scrape.ts';
import { hourMs, ownClock } from '../support/own-clock.ts';
import { openQueues } from '../support/queues.ts';

/** The next times of a pattern, in UTC. */
function timesOf(pattern: string, tz: string, from: string, count: number): readonly string[] {
  const times: string[] = [];
  for (let at = Date.parse(from); times.length < count; ) {
    at = nextTime(at, { pattern, tz }) ?? Number.NaN;
    times.push(new Date(at).toISOString().slice(0, 16));
  }
  return times;
}

describe('a nightly schedule', () => {
  it.each([
    // The hour from 2 to 3 is left out on 29 March.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', ['28T01:30', '29T01:30', '30T00:30', '31T00:30']],
    // The hour from 2 to 3 comes twice on 25 October.
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00Z', ['24T00:30', '25T00:30', '26T01:30', '27T01:30']],
    ['0 2 * * *', 'America/New_York', '2026-03-07T00:00Z', ['07T07:00', '08T07:00', '09T06:00', '10T06:00']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T00:00Z', ['31T05:30', '01T05:30', '02T06:30', '03T06:30']],
    // Half an hour is left out on 4 October.
    [
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-02T00:00Z',
      ['02T15:45', '03T15:45', '04T15:15', '05T15:15'],
    ],
    // Midnight is left out on 6 September.
    ['0 0 * * *', 'America/Santiago', '2026-09-04T12:00Z', ['05T04:00', '06T04:00', '07T03:00', '08T03:00']],
    ['0 2 * * *', 'Asia/Shanghai', '2026-03-28T00:00Z', ['28T18:00', '29T18:00', '30T18:00']],
  ])('%s in %s is due once a night across a change of clocks', (pattern, tz, from, expected) => {
    const times = timesOf(pattern, tz, from, expected.length);
    expect(times.map((time) => time.slice(8))).toEqual(expected);
  });

  it('that is hourly is due every hour of the day that has 25', () => {
    const times = timesOf('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30Z', 4);
    expect(times.map((time) => time.slice(8))).toEqual(['25T00:00', '25T01:00', '25T02:00', '25T03:00']);
  });

  it.each([
    ['0 25 * * *', 'UTC'],
    ['whenever', 'UTC'],
    ['0 2 * * *', 'Mars/Olympus'],
  ])('%s in %s cannot be read', (pattern, tz) => {
    expect(() => nextTime(0, { pattern, tz })).toThrow();
  });
});

describe('a next night that a wrong clock put off', () => {
  const cron = { pattern: '0 2 * * *', tz: 'UTC' };

  it('is scheduled anew', async () => {
    const { queues, redis, prefix } = openQueues();
    await (await queues.scrapes()).schedule(cron);
    const right = (await (await queues.scrapes()).scheduled())?.next ?? 0;
    const clock = ownClock();
    clock.shiftMs = 36 * hourMs;
    await (await queues.scrapes()).schedule(cron);
    expect((await (await queues.scrapes()).scheduled())?.next).toBeGreaterThan(right);
    clock.shiftMs = 0;
    expect(await (await queues.scrapes()).repairSchedule(right - hourMs)).toBe(true);
    expect((await (await queues.scrapes()).scheduled())?.next).toBe(right);
    expect(await redis.zcard(`${prefix}:scrape:delayed`)).toBe(1);
  });

  it('stays if it is right, or if the one before is due in a moment and may have begun', async () => {
    const { queues } = openQueues();
    await (await queues.scrapes()).schedule(cron);
    const next = (await (await queues.scrapes()).scheduled())?.next ?? 0;
    expect(await (await queues.scrapes()).repairSchedule(next - hourMs)).toBe(false);
    expect(await (await queues.scrapes()).repairSchedule(next - 24 * hourMs - 30_000)).toBe(false);
    expect(await (await queues.scrapes()).repairSchedule(next - 24 * hourMs - 90_000)).toBe(true);
  });

  it('is not added where none is scheduled', async () => {
    const { queues } = openQueues();
    expect(await (await queues.scrapes()).repairSchedule(Date.now())).toBe(false);
    expect(await (await queues.scrapes()).scheduled()).toBeUndefined();
  });
});
