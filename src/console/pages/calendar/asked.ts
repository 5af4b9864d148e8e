/** Reads the address of the calendar. */
import type { CalendarQuery } from '../../../campaigns/calendar/calendar.ts';
import { addDays } from '../../../campaigns/calendar/schedule.ts';
import { isoDay } from '../../parts/numbers/numbers.ts';
import type { PageRequest } from '../../request.ts';

export const daysShown = 14;
/** In place of a zone in the address: each row's own. */
export const ownZones = 'row';
export const closeMinutes = [5, 15, 30, 60, 120] as const;
const longestFilter = 200;
const minuteMs = 60_000;

export interface Asked extends CalendarQuery {
  readonly ownZones: boolean;
  readonly today: string;
  /** The day whose posts are listed. */
  readonly day: string;
  /** Whether to list all creators of that day, and all collisions. */
  readonly all: boolean;
}

/** @throws {UseCaseError} `date_invalid`. */
export function readAsked({ query, now, zone, runtime }: PageRequest): Asked {
  const text = (name: string) => query.get(name)?.trim().slice(0, longestFilter) || undefined;
  const today = isoDay(now, zone);
  const from = addDays(text('from') ?? monday(today), 0).toString();
  const near = Number(query.get('near'));
  const tooCloseMs =
    Number.isFinite(near) && near > 0
      ? Math.min(near, 24 * 60) * minuteMs
      : runtime.settings.calendar.collision;
  const last = addDays(from, daysShown - 1).toString();
  const isShown = (day: string) => day >= from && day <= last;
  const day = text('day') ?? (isShown(today) ? today : from);
  return {
    from,
    days: daysShown,
    zone,
    ownZones: query.get('zone') === ownZones,
    tooCloseMs,
    campaign: text('campaign'),
    creator: text('creator'),
    today,
    day: isShown(day) ? day : from,
    all: query.get('all') === '1',
  };
}

/** The Monday of a day's week. */
export function monday(day: string): string {
  const { dayOfWeek } = addDays(day, 0);
  return addDays(day, 1 - dayOfWeek).toString();
}

/** The address of the calendar with some fields changed; an empty value removes a field. */
export function addressOf(
  { link, query }: PageRequest,
  changes: Readonly<Record<string, string>>,
  hash = '',
): string {
  const next = new URLSearchParams([...query].filter(([, value]) => value !== ''));
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return link(`/calendar${text === '' ? '' : `?${text}`}${hash}`);
}
