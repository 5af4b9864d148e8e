/** Numbers and times as pages show them; times also in the region of a creator. */
import { LRUCache } from 'lru-cache';
import { toTemporalInstant } from 'temporal-polyfill';
import type { Pace } from '../../app/campaigns/progress/pace.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { describeSize } from '../../manifest/printable.ts';
import { describeRange, thousands } from '../../manifest/wording.ts';
import type { PageRequest } from '../request.ts';

const kinds = {
  clock: { hour: '2-digit', minute: '2-digit' },
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  weekdayAndYear: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  dayOfMonth: { day: 'numeric' },
  longDay: { day: 'numeric', month: 'long' },
  day: { day: 'numeric', month: 'short' },
  dayAndYear: { day: 'numeric', month: 'short', year: 'numeric' },
  iso: { year: 'numeric', month: '2-digit', day: '2-digit' },
  offset: { timeZoneName: 'shortOffset' },
  year: { year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** `24 KB`; the unit stays with its number. */
export function size(bytes: number): string {
  return describeSize(bytes).replace(' ', '\u00a0');
}

/** Cached, because creating a format is slow and few zones are in use. */
const formats = new Map<string, Intl.DateTimeFormat>();
const formatsKept = 100;

function format(zone: string, kind: keyof typeof kinds): Intl.DateTimeFormat {
  const key = `${kind} ${zone}`;
  let known = formats.get(key);
  if (known === undefined) {
    if (formats.size >= formatsKept) formats.clear();
    known = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...kinds[kind] });
    formats.set(key, known);
  }
  return known;
}

/** Cached, because a table shows the same days many times. */
const texts = new LRUCache<string, string>({ max: 2000 });

/** @param kind format whose text is the same throughout a minute. */
function textOf(
  at: number,
  zone: string,
  kind: keyof typeof kinds,
  make: (format: Intl.DateTimeFormat) => string = (own) => own.format(at),
): string {
  const key = `${Math.floor(at / 60_000)} ${kind} ${zone}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = make(format(zone, kind));
  texts.set(key, text);
  return text;
}

/** `15:42`. @param at Unix epoch, milliseconds. */
export function clock(at: number, zone: string): string {
  return textOf(at, zone, 'clock');
}

/** `15:42:07`, for lists where the order matters. Seconds are the same in every zone. */
export function clockWithSeconds(at: number, zone: string): string {
  const seconds = Math.floor(at / 1000) - Math.floor(at / 60_000) * 60;
  return `${clock(at, zone)}:${String(seconds).padStart(2, '0')}`;
}

/** `Fri 12 Mar`, with the year if it is not the present one. */
export function day(at: number, zone: string, now: number): string {
  const sameYear = yearOf(at, zone) === yearOf(now, zone);
  return textOf(at, zone, sameYear ? 'weekday' : 'weekdayAndYear').replace(',', '');
}

/** `12`, the day of the month. */
export function dayOfMonth(at: number, zone: string): string {
  return textOf(at, zone, 'dayOfMonth');
}

/** `12 March`. */
export function longDay(at: number, zone: string): string {
  return textOf(at, zone, 'longDay');
}

/** `12 Mar`, with the year if it is not the present one. */
export function dayAndMonth(at: number, zone: string, now: number): string {
  return textOf(at, zone, yearOf(at, zone) === yearOf(now, zone) ? 'day' : 'dayAndYear');
}

/** `15:42` today, else `Fri 12 Mar, 15:42`. */
export function moment(at: number, zone: string, now: number): string {
  const date = day(at, zone, now);
  return date === day(now, zone, now) ? clock(at, zone) : `${date}, ${clock(at, zone)}`;
}

/** `2027-03-12`, for the address of a page. */
export function isoDay(at: number, zone: string): string {
  return textOf(at, zone, 'iso', (own) => {
    const parts = own.formatToParts(at);
    const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
    return `${part('year')}-${part('month')}-${part('day')}`;
  });
}

/** `UTC+8`: the offset at that time. */
export function offset(at: number, zone: string): string {
  return textOf(at, zone, 'offset', (own) => {
    const name = own.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
    return name.replace('GMT', 'UTC');
  });
}

function yearOf(at: number, zone: string): string {
  return textOf(at, zone, 'year');
}

/** Whether `Intl` knows this time zone. */
export function isZone(name: string): boolean {
  try {
    return format(name, 'year') !== undefined;
  } catch {
    return false;
  }
}

/** The same unit for both: `11.8 of 18.4 GB`. */
export function sizeOf(bytes: number, all: number): string {
  const [unit, size] =
    all < 1e6 ? (['KB', 1000] as const) : all < 1e9 ? (['MB', 1e6] as const) : (['GB', 1e9] as const);
  const short = (value: number) => thousands(Math.round((value / size) * 10) / 10);
  return `${short(bytes)} of ${short(all)} ${unit}`;
}

/** `19 to 27 min left`. */
export function timeLeft({ remaining: { least, most } }: Pace): string {
  return `${describeRange(least, most)} left`;
}

/** `ends between 16:01 and 16:09`; empty while there is no estimate. */
export function endsBetween({ remaining: { least, most } }: Pace, now: number, zone: string): string {
  if (most === undefined) return '';
  const [from, to] = [moment(now + least, zone, now), moment(now + most, zone, now)];
  return from === to ? `ends about ${from}` : `ends between ${from} and ${to}`;
}

/** The request with the zone of the campaign's sheet, unless its address names a zone. */
export function inZoneOf(request: PageRequest, { timezone }: Pick<Campaign, 'timezone'>): PageRequest {
  return timezone === null || request.query.has('zone') ? request : { ...request, zone: timezone };
}

/** As `inZoneOf`, for a page of several campaigns: if their sheets have one zone, all pages show their times in it. */
export function inCommonZone(
  request: PageRequest,
  campaigns: readonly Pick<Campaign, 'timezone'>[],
): PageRequest {
  const [zone = null, ...others] = new Set(campaigns.map(({ timezone }) => timezone));
  return others.length > 0 ? request : inZoneOf(request, { timezone: zone });
}

/** `Asia/Shanghai (UTC+8)`, `UTC`. */
export function namedZone(zone: string, now: number): string {
  return zone === 'UTC' ? zone : `${zone} (${offset(now, zone)})`;
}

/** `times in Asia/Shanghai (UTC+8)`. */
export function timesIn({ zone, now }: Pick<PageRequest, 'zone' | 'now'>): string {
  return `times in ${namedZone(zone, now)}`;
}

/** Regions with one legal time, although the time zone database has several zones. */
const oneTime: Readonly<Record<string, string>> = { CN: 'Asia/Shanghai' };

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const zonesOf = new Map<string, readonly string[]>();

/** `Thu 12 Mar, 17:00 in Thailand`. @param region ISO 3166-1, two letters. @returns undefined for an unknown region. */
export function timeInRegion(at: number, region: string | undefined, now: number): string | undefined {
  const found = regionAt(at, region);
  if (found === undefined) return undefined;
  const { name, zone } = found;
  return zone === undefined
    ? `${name}, several time zones`
    : `${day(at, zone, now)}, ${clock(at, zone)} in ${name}`;
}

/** How far the clocks of a region are from those of a zone: `Thailand, 1 h earlier`; `Thailand, the same time`. */
export function aheadInRegion(at: number, region: string | undefined, zone: string): string | undefined {
  const found = regionAt(at, region);
  if (found === undefined) return undefined;
  if (found.zone === undefined) return `${found.name}, several time zones`;
  const minutes = (offsetAt(at, found.zone) - offsetAt(at, zone)) / 60_000;
  if (minutes === 0) return `${found.name}, the same time`;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const parts = [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])];
  return `${found.name}, ${parts.join(' ')} ${minutes > 0 ? 'later' : 'earlier'}`;
}

/** The zone is undefined if clocks within the region differ at this moment. */
function regionAt(
  at: number,
  region: string | undefined,
): { readonly name: string; readonly zone: string | undefined } | undefined {
  const code = region?.trim().toUpperCase() ?? '';
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  const name = names.of(code);
  const [zone, ...others] = zonesIn(code);
  if (name === undefined || zone === undefined) return undefined;
  const isOne = others.every((other) => offsetAt(at, other) === offsetAt(at, zone));
  return { name, zone: isOne ? zone : undefined };
}

/** Cached: there are at most about 700 codes of two letters. */
function zonesIn(code: string): readonly string[] {
  let zones = zonesOf.get(code);
  if (zones === undefined) {
    const one = oneTime[code];
    const locale = new Intl.Locale(`und-${code}`) as Intl.Locale & {
      getTimeZones?: () => string[] | undefined;
    };
    zones = one === undefined ? (locale.getTimeZones?.() ?? []) : [one];
    zonesOf.set(code, zones);
  }
  return zones;
}

/** Milliseconds that a zone is ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  return toTemporalInstant.call(new Date(at)).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}
