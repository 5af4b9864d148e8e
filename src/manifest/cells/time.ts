/** Reads times as people write them in a sheet. Refuses times with two possible meanings. */
import { hint } from '../problems/hint.ts';
import { type Fault, showValue } from '../problems/problem.ts';
import { isSpan, mayEndSpan, span } from './time-span.ts';
import { type OtherYear, otherYear, readWritten, two, type WrittenTime } from './written-time.ts';
import type { Zone } from './zone.ts';

export interface TimeFault extends Fault {
  /** The part at fault, if the other one is clear. */
  readonly part?: 'date' | 'time' | undefined;
}

type TimeReading = { readonly at: number } | { readonly fault: TimeFault };

const example = 'Write it as 2026-12-01 10:00 with a time zone, or as 2026-12-01T10:00:00+08:00.';

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

function inGap(zone: string): TimeFault {
  return {
    code: 'time_in_gap',
    problem: `this time does not exist in ${zone}: the clocks go forward over it`,
    fix: 'Choose a time before or after the clock change, or add an offset.',
    part: 'time',
  };
}

function inOverlap(zone: string): TimeFault {
  return {
    code: 'time_in_overlap',
    problem: `this time exists twice in ${zone}: the clocks go back over it`,
    fix: 'Add the offset, as in 2026-10-25T02:30:00+01:00.',
    part: 'time',
  };
}

const impossibleDate: TimeFault = {
  code: 'impossible_time',
  problem: 'this date does not exist',
  fix: example,
  part: 'date',
};

const impossibleClock: TimeFault = {
  code: 'impossible_time',
  problem: 'this time of day does not exist',
  fix: 'Write the time of day in 24 hours, as in 18:30.',
  part: 'time',
};

const impossibleOffset: TimeFault = {
  code: 'impossible_time',
  problem: 'this offset does not exist',
  fix: 'Offsets go from -14:00 to +14:00.',
};

const zoneless: TimeFault = {
  code: 'zoneless_time',
  problem: 'the time has no time zone',
  fix: [
    'Fill in scheduled_tz (such as Asia/Shanghai), or add an offset to the time.',
    hint('timezone', { zone: 'Asia/Shanghai' }),
  ],
};

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

/** Problems of times that people fix in another way than the others. */
export const yearMissing = 'the year is missing';
export const noTimeYet = 'there is no time yet';
export const noTime = 'this is not a valid time';

/** Explains why a text is not a valid time: names the part that is unclear. */
function describeForm(text: string, found: readonly WrittenTime[]): TimeFault {
  const [first, ...others] = found;
  if (first === undefined) return describeText(text);
  if (first.other !== undefined && others.length === 0) return describeYear(first, first.other);
  if (first.time === undefined) return describeHour(first);
  if (others.length > 0) {
    const problem = 'it is unclear which number is the day and which is the month';
    return { code: 'ambiguous_time', problem, fix: `Put the year first. ${example}`, part: 'date' };
  }
  if (first.year === undefined) {
    const fix = 'Write the year too, as in 2026-12-24 18:30.';
    return { code: 'invalid_time', problem: yearMissing, fix, part: 'date' };
  }
  if (first.time === '') {
    const fix = 'Write the time of day too, as in 18:30.';
    return { code: 'invalid_time', problem: 'the time of day is missing', fix, part: 'time' };
  }
  const reading = readTime(`${dateOf(first)} ${first.time}`, null);
  if ('fault' in reading && reading.fault === span) return span;
  const written = `Write it as ${dateOf(first)} ${first.time} if that is meant.`;
  const problem = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}$/.test(first.date)
    ? 'the year has only two digits'
    : /\d ?[ap]\.?m\.?$/i.test(text)
      ? 'the time is in 12 hours, with AM or PM'
      : 'the date is in words';
  return { code: 'invalid_time', problem, fix: written };
}

/** Whether planners write this for a time that is still open. */
export function isNoTime(text: string): boolean {
  return /^(?:tb[acd]|to be (?:confirmed|decided|defined|announced)|n\/?a|open|offen|待定|未定|[?？]{1,3}|[-–—]{1,3})$/i.test(
    text,
  );
}

function describeYear(written: WrittenTime, { calendar, year }: OtherYear): TimeFault {
  const meant = `${dateOf(written)} ${written.time ?? written.rest}`.trim();
  return {
    code: 'other_calendar',
    problem: `${year} is a year of the ${calendar} calendar: ${written.year} in the Gregorian one`,
    fix: `Write it as ${meant} if that is meant.`,
    part: 'date',
  };
}

/** The date is clear, but not what follows it. */
function describeHour({ rest }: WrittenTime): TimeFault {
  if (isNoTime(rest)) {
    const fix = 'Write the time of day, as in 18:30, or skip the row until it is known.';
    return {
      code: 'invalid_time',
      problem: `the time of day is not known yet: ${showValue(rest)}`,
      fix,
      part: 'time',
    };
  }
  if (/^\d{1,2}:\d{2}(?::\d{2})?$/.test(rest)) return impossibleClock;
  if (isSpan(rest.replace(/^[T,]/, '').trim())) return span;
  return {
    code: 'invalid_time',
    problem: `the time of day is unclear: ${showValue(rest)}`,
    fix: 'Write the time of day in 24 hours, as in 18:30.',
    part: 'time',
  };
}

function describeText(text: string): TimeFault {
  if (/^\d+([.,]\d+)?$/.test(text)) {
    const problem = 'this is a plain number, the way a spreadsheet program stores a date';
    return { code: 'invalid_time', problem, fix: `Format the column as text. ${example}` };
  }
  if (/^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b/.test(text)) {
    const problem = 'there is no such date, or it is unclear which number is the day and which is the month';
    return { code: 'ambiguous_time', problem, fix: `Put the year first. ${example}`, part: 'date' };
  }
  if (isNoTime(text)) {
    const fix = 'Write the time, skip the row until it is known, or clear the cell to post now.';
    return { code: 'invalid_time', problem: noTimeYet, fix, part: 'date' };
  }
  if (/^\d{1,2}:\d{2}(?::\d{2})?$/.test(text)) {
    return { code: 'invalid_time', problem: 'the date is missing', fix: example, part: 'date' };
  }
  return { code: 'invalid_time', problem: noTime, fix: example };
}

function dateOf({ year = 0, month, day }: WrittenTime): string {
  return `${year}-${two(month)}-${two(day)}`;
}
