/** The schedule of the nightly scrape: shown, set, removed, and in words. */

import type { Scrape } from '../../ledger/videos/scrapes.ts';
import { findYearlyDoubt } from '../../manifest/cells/zone.ts';
import { printable } from '../../manifest/printable.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { asSentence } from '../../manifest/wording.ts';
import { toleratedMs } from '../../platform/redis/clock.ts';
import { type Cron, nextTime, type ScrapeSchedule } from '../../queues/scrape.ts';
import { isTimeZone } from '../../service/contract/time-zone.ts';
import { isoTimeOrNull } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { describeScrape } from './describe.ts';
import type { VideoCommandDocument } from './documents.ts';
import { hasScrapeWorkers } from './scrape.ts';

export interface ScheduleStatus {
  /** Undefined: nothing is scheduled. */
  readonly schedule: ScrapeSchedule | undefined;
  readonly scrapes: readonly Scrape[];
  readonly hasWorkers: boolean;
}

const shownScrapes = 10;

export async function showSchedule(runtime: Pick<Runtime, 'ledger' | 'queues'>): Promise<ScheduleStatus> {
  const { ledger, queues } = runtime;
  const [schedule, scrapes, hasWorkers] = await Promise.all([
    (await queues.scrapes()).scheduled(),
    ledger.videos.scrapes.list(shownScrapes),
    hasScrapeWorkers(ledger),
  ]);
  return { schedule, scrapes, hasWorkers };
}

/** By any schedule, even if no scrape has ended; in the past while one is due, runs or was stopped. @returns Unix epoch, ms. */
export function dueSince(status: Pick<ScheduleStatus, 'schedule' | 'scrapes'>): number | undefined {
  const { schedule, scrapes } = status;
  // What ran before a new schedule was not due by it.
  if (!schedule?.hasRun) return schedule?.next;
  const ofAll = scrapes.filter(({ campaign }) => campaign === undefined);
  const ended = ofAll.find(({ state }) => state === 'ended');
  // A worker whose clock is a little ahead begins a night early.
  if (ended) return nextTime(ended.startedAt + toleratedMs, schedule);
  return ofAll.at(-1)?.startedAt ?? schedule.next;
}

export function describeSchedule(status: ScheduleStatus): VideoCommandDocument<'videos schedule'> {
  const { schedule, scrapes, hasWorkers } = status;
  const next = isoTimeOrNull(schedule?.next);
  return {
    schedule: schedule
      ? { cron: schedule.pattern, tz: schedule.tz, next, note: doubtOfSchedule(schedule) }
      : null,
    scrapes: scrapes.map(describeScrape),
    hasWorkers,
  };
}

/** Why the zone of a schedule may not be the one that is meant, with what to do; `null` if it surely is. */
export function doubtOfSchedule({ tz, next }: Pick<Cron, 'tz'> & { readonly next?: number | undefined }) {
  const doubt = next === undefined ? null : findYearlyDoubt(tz, next);
  return doubt && `${asSentence(doubt.problem)} ${doubt.fix}`;
}

/** Every night at this time. */
export const usualTime = '02:00';

const timeOfDay = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const daily = /^([0-5]?\d) ([01]?\d|2[0-3]) \* \* \*$/;

/** The pattern of "every night at". @param time `03:00`. @throws {UseCaseError} `schedule_invalid`. */
export function nightlyAt(time: string): string {
  const [, hour, minute] = timeOfDay.exec(time.trim()) ?? [];
  if (hour !== undefined && minute !== undefined) return `${Number(minute)} ${Number(hour)} * * *`;
  throw new UseCaseError('schedule_invalid', `"${time}" is not a time of day`, {
    fix: 'Write it as hours and minutes, for example 03:00.',
  });
}

/** The time of a pattern that is "every night at"; undefined for any other. */
export function timeOfNightly(pattern: string): string | undefined {
  const [, minute, hour] = daily.exec(pattern.trim()) ?? [];
  return minute && hour && `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

/** @param given five fields, or six with seconds; default zone: that of the settings, or UTC. @throws {UseCaseError} `schedule_invalid`. */
export async function setSchedule(
  { queues, settings, now }: Runtime,
  given: { readonly [Key in keyof Cron]?: string | undefined } = {},
): Promise<void> {
  const { pattern = nightlyAt(usualTime), tz = settings.timezone ?? 'UTC' } = given;
  const cron = { pattern, tz };
  requireCron(cron, now());
  await (await queues.scrapes()).schedule(cron);
}

/** Ends the nightly scrape. @returns whether there was a schedule. */
export async function removeSchedule({ queues }: Pick<Runtime, 'queues'>): Promise<boolean> {
  return (await queues.scrapes()).unschedule();
}

/** @throws {UseCaseError} `schedule_invalid`. */
function requireCron({ pattern, tz }: Cron, now: number): void {
  if (!isTimeZone(tz)) {
    const fix = 'Write it as an IANA name, for example Asia/Shanghai.';
    throw new UseCaseError('schedule_invalid', `there is no time zone ${tz}`, { fix });
  }
  const fix =
    'Write it as minute, hour, day, month and weekday, for example "0 2 * * *" for every night at 02:00.';
  const why = faultOf(pattern.trim().split(/\s+/), (fields) => isDue(fields.join(' '), tz, now));
  if (why === undefined) return;
  throw new UseCaseError('schedule_invalid', `"${pattern}" is not a schedule: ${why}`, { fix });
}

function isDue(pattern: string, tz: string, now: number): boolean {
  try {
    return nextTime(now, { pattern, tz }) !== undefined;
  } catch {
    return false;
  }
}

const cronFields = [
  ['second', '0 to 59'],
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day', '1 to 31'],
  ['month', '1 to 12, or JAN to DEC'],
  ['weekday', '0 to 7, or SUN to SAT'],
] as const;

/** What is wrong with a pattern: the field that cannot be read even alone. */
function faultOf(
  fields: readonly string[],
  isRead: (fields: readonly string[]) => boolean,
): string | undefined {
  if (fields.length !== 5 && fields.length !== 6) return 'it needs five fields';
  if (isRead(fields)) return undefined;
  const named = cronFields.slice(-fields.length);
  const alone = (index: number) => fields.map((text, at) => (at === index ? text : '*'));
  const wrong = fields.findIndex((_text, index) => !isRead(alone(index)));
  const [name, allowed] = named[wrong] ?? [];
  if (name === undefined) return 'no day has such a date';
  return `its ${name} is "${printable(fields[wrong] ?? '')}"; it may be ${allowed}, lists such as 1,3, and *`;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const someDays: Readonly<Record<string, string>> = {
  '1,2,3,4,5': 'on weekdays',
  '0,6': 'on weekends',
  '0,1,2,3,4,5,6': '',
};
/** The usual schedules are at night: until this hour. */
const nightHours = 6;
/** More times are not listed. */
const mostTimes = 4;

/** `every night at 03:00 (Europe/Berlin)`. @returns undefined for a pattern that takes more words than people read. */
export function cronInWords({ pattern, tz }: Cron): string | undefined {
  const fields = pattern.length > 100 ? [] : pattern.trim().split(/\s+/);
  const [minute = '', hour = '', day, month, weekday = ''] = fields.length === 6 ? fields.slice(1) : fields;
  if (fields.length === 6 && fields[0] !== '0') return undefined;
  if (day !== '*' || month !== '*') return undefined;
  const days = weekday === '*' ? [] : [...new Set(numbersOf(weekday, 7)?.map((each) => each % 7))].sort();
  const [minutes, hours] = [numbersOf(minute, 59), numbersOf(hour, 23)];
  if (!minutes || !hours || (days.length === 0 && weekday !== '*')) return undefined;
  if (minutes.length * hours.length > mostTimes) return undefined;
  const two = (value: number) => String(value).padStart(2, '0');
  const times = hours.flatMap((h) => minutes.map((m) => `${two(h)}:${two(m)}`));
  const names = someDays[days.join()] ?? `every ${listed(days.map((each) => weekdays[each] ?? ''))}`;
  const daily = hours.every((each) => each < nightHours) ? 'every night' : 'every day';
  return `${days.length === 0 || names === '' ? daily : names} at ${listed(times)} (${tz})`;
}

/** The numbers of `1`, `8,20` or `1-5`; undefined for anything else. */
function numbersOf(field: string, most: number): readonly number[] | undefined {
  const found = field.split(',').map((part) => {
    const { first = '', last = first } = /^(?<first>\d{1,2})(?:-(?<last>\d{1,2}))?$/.exec(part)?.groups ?? {};
    if (first === '' || Number(last) > most || Number(last) < Number(first)) return undefined;
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index);
  });
  const known = found.flatMap((each) => each ?? []);
  return found.includes(undefined) ? undefined : known;
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
}
