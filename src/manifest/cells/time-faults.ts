/** What is wrong with texts that are no times, and what to write instead. */

import { timeZoneName } from '../../service/contract/time-zone.ts';
import { hint } from '../problems/hint.ts';
import { type Fault, showValue } from '../problems/problem.ts';
import { longestTime, two } from './time-of-day.ts';
import { endsSpan, span, startOfSpan } from './time-span.ts';
import { type OtherYear, readSerial, readWritten, type WrittenTime } from './written-time.ts';

export interface TimeFault extends Fault {
  /** The part at fault, if the other one is clear. */
  readonly part?: 'date' | 'time' | undefined;
}

const example = 'Write it as 2026-12-01 10:00 with a time zone, or as 2026-12-01T10:00:00+08:00.';

export function inGap(zone: string): TimeFault {
  return {
    code: 'time_in_gap',
    problem: `this time does not exist in ${zone}: the clocks go forward over it`,
    fix: 'Choose a time before or after the clock change, or add an offset.',
    part: 'time',
  };
}

export function inOverlap(zone: string): TimeFault {
  return {
    code: 'time_in_overlap',
    problem: `this time exists twice in ${zone}: the clocks go back over it`,
    fix: 'Add the offset, as in 2026-10-25T02:30:00+01:00.',
    part: 'time',
  };
}

export const impossibleDate: TimeFault = {
  code: 'impossible_time',
  problem: 'this date does not exist',
  fix: example,
  part: 'date',
};

export const impossibleClock: TimeFault = {
  code: 'impossible_time',
  problem: 'this time of day does not exist',
  fix: 'Write the time of day on the 24-hour clock, as in 18:30.',
  part: 'time',
};

export const impossibleOffset: TimeFault = {
  code: 'impossible_time',
  problem: 'this offset does not exist',
  fix: 'Offsets go from -14:00 to +14:00.',
  part: 'time',
};

export const zoneless: TimeFault = {
  code: 'zoneless_time',
  problem: 'the time has no time zone',
  fix: [
    'Fill in scheduled_tz (such as Asia/Shanghai), or add an offset to the time.',
    hint('timezone', { zone: 'Asia/Shanghai' }),
  ],
};

/** Problems of times that people fix in another way than the others. */
export const yearMissing = 'the year is missing';
const noTimeYet = 'there is no time yet';
export const lacksTime = 'there is no time, but nearly all other rows have one';
const noHourYet = 'the time of day is not known yet';
export const noTime = 'this is not a valid time';

/** Whether a problem says that the time is still open: the post is hardly meant for now. */
export function isOpenTime(problem: string): boolean {
  return problem === noTimeYet || problem === lacksTime || problem.startsWith(noHourYet);
}

/** Explains why a text is not a valid time: names the part that is unclear. */
export function describeForm(text: string, found: readonly WrittenTime[]): TimeFault {
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
  if (endsSpan(first.time)) return span;
  const problem = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}$/.test(first.date)
    ? 'the year has only two digits'
    : /\d ?[ap]\.? ?m\.?$|[上下]午|午[前後]|오[전후]/i.test(text)
      ? 'the time is on the 12-hour clock, with AM or PM'
      : 'the date is in words';
  return { code: 'invalid_time', problem, fix: ifMeant(first) };
}

function ifMeant(written: WrittenTime): string {
  return `If you mean ${dateOf(written)} ${written.time}, write that.`;
}

const ending = /[ .!?？]{1,5}$/;

/** In the languages of headers. */
const openTimes: ReadonlySet<string> = new Set(
  (
    'tba,tbc,tbd,to be confirmed,to be decided,to be defined,to be announced,na,n/a,open,pending,待定,未定,待确认,' +
    'offen,noch offen,folgt,zu bestätigen,à confirmer,a confirmer,à définir,a définir,à venir,à valider,à préciser,en attente,' +
    'por confirmar,por definir,pendiente,a definir,a confirmar,pendente,da confermare,da definire,belum,belum pasti,menyusul,' +
    'chưa có,chờ xác nhận,รอยืนยัน,ยังไม่กำหนด,調整中,미정'
  ).split(','),
);

/** What they begin with: nearly every other text is known by its first word. */
const firstWords: ReadonlySet<string> = new Set(Array.from(openTimes, (text) => text.split(' ', 1)[0] ?? ''));

/** Whether planners write this for a time that is still open, or for its date. */
export function isNoTime(text: string): boolean {
  if (text.length > longestTime) return false;
  const all = text.normalize('NFC').toLowerCase();
  const [first = ''] = all.split(' ', 1);
  if (!firstWords.has(first.replace(ending, '')) && !isMark(first)) return false;
  const plain = all.replace(/ \d{1,2}[:h]\d{0,2}$/, '');
  if (isOpenText(plain)) return true;
  // Date and time of day are open, each in a column of its own.
  return plain
    .split(' ')
    .some(
      (_, at, words) =>
        at > 0 && [words.slice(0, at), words.slice(at)].every((each) => isOpenText(each.join(' '))),
    );
}

/** In the languages of headers. */
const partsOfDay: ReadonlySet<string> = new Set(
  (
    'morning,noon,midday,lunch,lunchtime,afternoon,evening,night,primetime,eod,morgens,vormittags,mittags,nachmittags,abends,nachts,' +
    'früh,morgen,vormittag,mittag,nachmittag,abend,matin,matinée,midi,après-midi,soir,soirée,mañana,mediodía,tarde,noche,' +
    'manhã,noite,mattina,mattino,pomeriggio,sera,serata,pagi,siang,sore,petang,malam,tengah hari,sáng,trưa,chiều,tối,đêm,' +
    'เช้า,เที่ยง,บ่าย,เย็น,ค่ำ,早上,早晨,上午,中午,下午,傍晚,晚上,夜晚,朝,午前,昼,午後,夕方,夜,晩,아침,오전,점심,오후,저녁,밤'
  ).split(','),
);
const beforePart =
  /^(?:(?:in the|at|early|late|am|früher|später|dans|en fin de|en|le|la|l'|por|de|à|pela|in|di|al|nel|buổi|ตอน|ช่วง)\s?)+(?=\p{L})/u;

/** `evening`: a part of the day, but no time. */
function isPartOfDay(text: string): boolean {
  const plain = text.normalize('NFC').toLowerCase().replace(ending, '');
  return partsOfDay.has(plain) || partsOfDay.has(plain.replace(beforePart, ''));
}

function isOpenText(plain: string): boolean {
  return openTimes.has(plain.replace(ending, '')) || isMark(plain);
}

function isMark(plain: string): boolean {
  return /^(?:[?？]{1,3}|[-–—]{1,3})$/.test(plain);
}

function describeYear(written: WrittenTime, { calendar, year }: OtherYear): TimeFault {
  const meant = `${dateOf(written)} ${written.time ?? written.rest}`.trim();
  return {
    code: 'other_calendar',
    problem: `${year} is a year of the ${calendar} calendar: ${written.year} in the Gregorian one`,
    fix: `If you mean ${meant}, write that.`,
    part: 'date',
  };
}

function openHour(rest: string): TimeFault {
  const fix = 'Write the time of day, as in 18:30, or skip the row until it is known.';
  return { code: 'invalid_time', problem: `${noHourYet}: ${showValue(rest)}`, fix, part: 'time' };
}

/** The date is clear, but not what follows it. */
function describeHour(written: WrittenTime): TimeFault {
  const { rest } = written;
  if (isNoTime(rest) || isPartOfDay(rest)) return openHour(rest);
  if (/^\d{1,2}:\d{2}(?::\d{2})?$/.test(rest)) return impossibleClock;
  if (startOfSpan(rest.replace(/^[T,]/, '').trim()) !== undefined) return span;
  const zone = describeZone(written);
  if (zone !== undefined) return zone;
  return {
    code: 'invalid_time',
    problem: `the time of day is unclear: ${showValue(rest)}`,
    fix: 'Write the time of day on the 24-hour clock, as in 18:30.',
    part: 'time',
  };
}

/** `19:30 CET`, `7:30 PM (PST)`, `19:30 Europe/Berlin`: a zone has a column of its own. */
function describeZone(written: WrittenTime): TimeFault | undefined {
  const words = written.rest.split(' ');
  const name = words.pop()?.replace(/^\(|\)$/g, '') ?? '';
  if (!/^[A-Z]{2,5}$|^[A-Z][a-z]{1,20}\/[A-Z]/.test(name)) return undefined;
  const [reading] = readWritten(`${dateOf(written)} ${words.join(' ')}`);
  if (written.year === undefined || !reading?.time) return undefined;
  const zone = timeZoneName(name) === undefined ? 'the name of its zone, such as Asia/Shanghai,' : name;
  return {
    code: 'invalid_time',
    problem: `the time ends with the zone ${showValue(name)}`,
    fix: `Write the time as ${reading.time}, and ${zone} in scheduled_tz.`,
    part: 'time',
  };
}

function describeText(text: string): TimeFault {
  if (/^\d+([.,]\d+)?$/.test(text)) {
    const problem = 'this is a plain number, the way a spreadsheet program stores a date';
    const meant = readSerial(text);
    const fix = meant ? ifMeant(meant) : `Format the column as text. ${example}`;
    return { code: 'invalid_time', problem, fix };
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
  return isPartOfDay(text) ? openHour(text) : { code: 'invalid_time', problem: noTime, fix: example };
}

export function dateOf({ year = 0, month, day }: WrittenTime): string {
  return `${year}-${two(month)}-${two(day)}`;
}
