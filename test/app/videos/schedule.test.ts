import { describe, expect, it } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { cronInWords, dueSince, setSchedule } from '../../../src/app/videos/schedule.ts';
import { hasScrapeWorkers } from '../../../src/app/videos/scrape.ts';
import type { Scrape } from '../../../src/ledger/videos/scrapes.ts';
import type { Cron } from '../../../src/queues/scrape.ts';

type Runtime = Parameters<typeof setSchedule>[0];

/** A runtime that remembers its schedule. */
function open(timezone: string | null) {
  const kept: Cron[] = [];
  const queues = { scrapes: async () => ({ schedule: async (cron: Cron) => void kept.push(cron) }) };
  const settings = checkSettings({ timezone });
  return { kept, runtime: { queues, settings, now: () => Date.UTC(2026, 0, 1) } as unknown as Runtime };
}

it.each([
  [null, {}, { pattern: '0 2 * * *', tz: 'UTC' }],
  ['Asia/Shanghai', {}, { pattern: '0 2 * * *', tz: 'Asia/Shanghai' }],
  ['Asia/Shanghai', { pattern: '30 3 * * 1', tz: 'UTC' }, { pattern: '30 3 * * 1', tz: 'UTC' }],
])('with the zone %s in the settings, %j is scheduled as %j', async (timezone, given, expected) => {
  const { kept, runtime } = open(timezone);
  await setSchedule(runtime, given);
  expect(kept).toEqual([expected]);
});

it.each([
  [{ tz: 'Mars/Base' }, 'there is no time zone Mars/Base'],
  [{ tz: '+08:00' }, 'there is no time zone +08:00'],
  [{ pattern: '0 2 * *' }, '"0 2 * *" is not a schedule: it needs five fields'],
  [{ pattern: '0 0 30 2 *' }, '"0 0 30 2 *" is not a schedule: no day has such a date'],
  [
    { pattern: '0 99 * * *' },
    '"0 99 * * *" is not a schedule: its hour is "99"; it may be 0 to 23, lists such as 1,3, and *',
  ],
  [
    { pattern: '0 2 * * someday' },
    '"0 2 * * someday" is not a schedule: its weekday is "someday"; it may be 0 to 7, or SUN to SAT, lists such as 1,3, and *',
  ],
])('%j is refused in our own words', async (given, message) => {
  const { kept, runtime } = open(null);
  await expect(setSchedule(runtime, given)).rejects.toMatchObject({ code: 'schedule_invalid', message });
  expect(kept).toEqual([]);
});

it.each([
  [{ isAlive: true, queues: ['post', 'scrape'] }, true],
  [{ isAlive: false, queues: ['scrape'] }, false],
  [{ isAlive: true, queues: ['post'] }, false],
])('whether a worker such as %j carries scrapes out: %s', async (worker, expected) => {
  const presence = { workers: async () => [worker] };
  const ledger = { presence, findRefusal: async () => undefined } as unknown as Runtime['ledger'];
  expect(await hasScrapeWorkers(ledger)).toBe(expected);
});

describe('figures of all videos are due', () => {
  const at = (day: number, hour = 2) => Date.UTC(2026, 0, day, hour);
  const schedule = { pattern: '0 2 * * *', tz: 'UTC', next: at(9), hasRun: true };
  const scrape = (state: Scrape['state'], startedAt: number, campaign?: string) =>
    ({ state, startedAt, campaign }) as Scrape;

  it.each<[string, readonly Scrape[], number]>([
    ['the night after one has ended', [scrape('ended', at(8))], at(9)],
    ['the night after, if a clock began it a moment early', [scrape('ended', at(8) - 2000)], at(9)],
    ['since a night that was stopped', [scrape('stopped', at(8)), scrape('ended', at(7))], at(8)],
    ['since a night that still runs', [scrape('running', at(8)), scrape('ended', at(7))], at(8)],
    [
      'since the first night if none has ever ended',
      [scrape('stopped', at(8)), scrape('stopped', at(7))],
      at(7),
    ],
    [
      'whatever was looked up for one campaign',
      [scrape('ended', at(8, 9), 'c1'), scrape('ended', at(7))],
      at(8),
    ],
  ])('%s', (_when, scrapes, due) => {
    expect(dueSince({ schedule, scrapes })).toBe(due);
  });

  it('by a new schedule at its first night, whatever ran before', () => {
    const scrapes = [scrape('ended', at(1))];
    expect(dueSince({ schedule: { ...schedule, hasRun: false }, scrapes })).toBe(at(9));
    expect(dueSince({ schedule: undefined, scrapes })).toBeUndefined();
  });
});

it.each([
  ['0 3 * * *', 'every night at 03:00 (Europe/Berlin)'],
  ['30 14 * * *', 'every day at 14:30 (Europe/Berlin)'],
  ['0 0 2 * * *', 'every night at 02:00 (Europe/Berlin)'],
  ['0 8,20 * * 1-5', 'on weekdays at 08:00 and 20:00 (Europe/Berlin)'],
  ['0 4 * * 1,4', 'every Monday and Thursday at 04:00 (Europe/Berlin)'],
  ['0 4 * * 6-7', 'on weekends at 04:00 (Europe/Berlin)'],
  ['0 4 * * 0-7', 'every night at 04:00 (Europe/Berlin)'],
  ['*/5 * * * *', undefined],
  ['0 4 1 * *', undefined],
  ['0 4 * * 1#2', undefined],
  ['<b>', undefined],
])('the schedule %s reads as %s', (pattern, said) => {
  expect(cronInWords({ pattern, tz: 'Europe/Berlin' })).toBe(said);
});
