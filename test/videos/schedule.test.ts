import { expect, it } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import type { Cron } from '../../src/queues/scrape.ts';
import { hasScrapeWorkers, setSchedule } from '../../src/videos/schedule.ts';

type Runtime = Parameters<typeof setSchedule>[0];

/** A runtime that remembers its schedule. */
function open(timezone: string | null) {
  const kept: Cron[] = [];
  const queues = { scrapes: { schedule: async (cron: Cron) => void kept.push(cron) } };
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
  { tz: 'Mars/Base' },
  { tz: '+08:00' },
  { pattern: '0 2 * *' },
  { pattern: '0 0 30 2 *' },
  { pattern: 'at night' },
])('%j is refused', async (given) => {
  const { kept, runtime } = open(null);
  await expect(setSchedule(runtime, given)).rejects.toMatchObject({ code: 'schedule_invalid' });
  expect(kept).toEqual([]);
});

it.each([
  [{ isAlive: true, queues: ['post', 'scrape'] }, true],
  [{ isAlive: false, queues: ['scrape'] }, false],
  [{ isAlive: true, queues: ['post'] }, false],
])('whether a worker such as %j carries scrapes out: %s', async (worker, expected) => {
  const presence = { workers: async () => [worker] };
  expect(await hasScrapeWorkers({ presence } as unknown as Runtime['ledger'])).toBe(expected);
});
