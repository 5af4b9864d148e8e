/** Reads times as people write them in a sheet. Refuses times with two possible meanings. */
import {
  dateOf,
  describeForm,
  impossibleClock,
  impossibleDate,
  impossibleOffset,
  inGap,
  inOverlap,
  type TimeFault,
  zoneless,
} from './time-faults.ts';
import { mayEndSpan, span } from './time-span.ts';
import { otherYear, readWritten } from './written-time.ts';
import type { Zone } from './zone.ts';

type TimeReading = { readonly at: number } | { readonly fault: TimeFault };

const timeOfDay = String.raw`(?:[Tt]|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?$`;

/** Year first, so that the date is unambiguous; `-` or `/` within the date, `T` or a space before the time. */
const yearFirst = new RegExp(`^(\\d{4})([-/])(\\d{1,2})\\2(\\d{1,2})${timeOfDay}`);
/** The basic form of ISO 8601. The empty group stands for the separator. */
const basicForm =
  /^(\d{4})()(\d{2})(\d{2})[Tt](\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;
/** Year last: which number is the day is told by dots, or by being over 12. */
const yearLast = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})${timeOfDay}`);

/** @param zone of the row or the settings; `null` for none. @returns Unix epoch, ms, or what is wrong with the text. */
export function readTime(text: string, zone: Zone | null): TimeReading {
  const wall = readUsualForm(text);
  if (wall !== null) return zone === null ? { fault: zoneless } : inZone(wall, zone);
  const match = yearFirst.exec(text) ?? withYearFirst(yearLast.exec(text)) ?? basicForm.exec(text);
  if (match === null) return readWords(text, zone);
  const [, year = '', , month, day, hour, minute, second, fraction, offset] = match;
  if (otherYear(year) !== undefined) return { fault: inOtherCalendar(text) };
  const local = wallTime(
    Number(year),
    Number(month),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second ?? 0),
  );
  if (local === null) {
    const isOfDay = Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59;
    return { fault: isOfDay ? impossibleClock : impossibleDate };
  }
  const milliseconds = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
  if (offset !== undefined) {
    const reading = atOffset(local + milliseconds, offset);
    // Programs write seconds, or a T.
    if (second !== undefined || /t/i.test(text)) return reading;
    const inOwn = zone === null ? undefined : inZone(local, zone);
    if (inOwn !== undefined && 'at' in inOwn && 'at' in reading && inOwn.at === reading.at) return reading;
    const isEnd = mayEndSpan(Number(hour) * 60 + Number(minute), offset, inOwn !== undefined);
    return isEnd ? { fault: span } : reading;
  }
  return zone === null ? { fault: zoneless } : inZone(local + milliseconds, zone);
}

/** `2026-12-01 10:00`, as most are, without a regular expression (3 % of a check); `null` for anything else. */
function readUsualForm(text: string): number | null {
  if (text.length !== 16 || text[4] !== '-' || text[7] !== '-' || text[10] !== ' ' || text[13] !== ':')
    return null;
  // Later years are of another calendar.
  if (text.charCodeAt(1) > 0x30 && text.startsWith('2')) return null;
  const year = digits(text, 0) * 100 + digits(text, 2);
  const local = wallTime(year, digits(text, 5), digits(text, 8), digits(text, 11), digits(text, 14), 0);
  return Number.isNaN(local) ? null : local;
}

function digits(text: string, position: number): number {
  const tens = text.charCodeAt(position) - 0x30;
  const units = text.charCodeAt(position + 1) - 0x30;
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : Number.NaN;
}

/** The parts of a date with its year last, in the order of a date with its year first; `null` if the day cannot be told. */
function withYearFirst(match: readonly string[] | null): readonly (string | undefined)[] | null {
  if (match === null) return null;
  const [whole, one, separator, other, year, ...time] = match;
  if (separator === '.' || Number(one) > 12) return [whole, year, separator, other, one, ...time];
  return Number(other) > 12 ? [whole, year, separator, one, other, ...time] : null;
}

/** The wall-clock time as if it were UTC; `null` if the date or the time of day does not exist. */
function wallTime(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | null {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
  if (day > 28 && day > daysIn(year, month)) return null;
  // `Date.UTC` moves years below 100 to the 20th century.
  return year < 1000 ? null : Date.UTC(year, month - 1, day, hour, minute, second);
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function atOffset(local: number, offset: string): TimeReading {
  if (offset === 'Z' || offset === 'z') return { at: local };
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', ''));
  if (hours > 14 || minutes > 59) return { fault: impossibleOffset };
  const shift = (hours * 60 + minutes) * 60_000;
  return { at: offset.startsWith('-') ? local + shift : local - shift };
}

function inZone(local: number, zone: Zone): TimeReading {
  const time = zone.resolve(local);
  if (time.kind === 'instant') return { at: time.at };
  return { fault: time.kind === 'gap' ? inGap(zone.name) : inOverlap(zone.name) };
}

/** Reads `24.12.2026 9 Uhr` and `2027年3月14日 20:00`, which have one meaning. */
function readWords(text: string, zone: Zone | null): TimeReading {
  const found = readWritten(text);
  const [first] = found;
  if (first?.isPlain && first.time) return readTime(`${dateOf(first)} ${first.time}`, zone);
  return { fault: describeForm(text, found) };
}

/** A date that may not exist in the other calendar, although it does as it is written. */
function inOtherCalendar(text: string): TimeFault {
  const found = readWritten(text);
  return found.length === 0 ? impossibleDate : describeForm(text, found);
}
