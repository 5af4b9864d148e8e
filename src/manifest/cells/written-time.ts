/** Every reading of a time as people write it: with names of months, clocks of 12 hours, two possible days, no year, or the year of another calendar. */
import { monthOf, withoutWeekday } from './date-words.ts';
import { clockOf, longestTime } from './time-of-day.ts';

/** The order of the numbers of a date. `only`: a single reading is possible. */
export type DateReading = 'only' | 'day-first' | 'month-first' | 'year-first';

export interface WrittenTime extends WrittenDate {
  /** `18:00` or `18:00:30`, with its offset if it has one; empty if there is none, undefined if it cannot be read. */
  readonly time: string | undefined;
  /** What is written behind the date. */
  readonly rest: string;
  /** Whether the date is in numbers with a year of four digits, and the time in 24 hours, so that nothing is to be asked. */
  readonly isPlain: boolean;
}

interface WrittenDate {
  readonly order: DateReading;
  /** Gregorian; undefined if it is not written. */
  readonly year: number | undefined;
  /** The year as written, if it is of another calendar. */
  readonly other: OtherYear | undefined;
  readonly month: number;
  readonly day: number;
  readonly date: string;
}

/** The basic form of ISO 8601. */
const basic = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/i;
/** Two digits behind the name of a month are a year if they are no hour, or if the time of day follows. */
const yearBehind = String.raw`(?<year>\d{4}|(?:2[4-9]|[3-9]\d)(?=$)|\d{2}(?=,? (?:(?:um|at|à|às|a las|pukul|jam) )?\d{1,2} ?(?:[:.h時时点點]|[ap]\.?m|uhr)))(?!\d)`;
const nameOfMonth = String.raw`(?<name>[\p{L}\p{M}.]{3,14})`;
const dayThenName = String.raw`^(?<day>\d{1,2})(?:\.|st|nd|rd|th|er)? (?:de )?${nameOfMonth}`;
const nameThenDay = String.raw`^${nameOfMonth} (?<day>\d{1,2})(?:st|nd|rd|th)?`;
/** Forms of a date with a single reading: the first one counts that a text begins with. */
const forms: readonly RegExp[] = [
  // Year first, in Chinese, Japanese or Korean, or with separators, as in `2027. 1. 15.`
  /^(?:中?[華华]?民[國国] ?)?(?<year>\d{3,4})[年년] ?(?<month>\d{1,2})[月월] ?(?<day>\d{1,2})[日号號일]/,
  // `令和9年1月15日`, `R9.1.15`: the present era of Japan.
  /^(?:令和|R) ?(?<reiwa>\d{1,2})[年./-] ?(?<month>\d{1,2})[月./-] ?(?<day>\d{1,2})日?(?!\d)/i,
  /^(?<year>\d{3,4})([-/.]) ?(?<month>\d{1,2})\2 ?(?<day>\d{1,2})(?:\.(?=\s|$))?(?!\d)/,
  // `ngày 14 tháng 3 năm 2027`, in Vietnamese.
  /^(?:ngày )?(?<day>\d{1,2}) (?:tháng|thg) (?<month>\d{1,2})(?:,? (?:năm )?(?<year>\d{4}))?(?!\d)/iu,
  // `14 Mar 2027`, `14. März 2027`, `14 de marzo de 2027`, `14 Mar 27 10:00`.
  new RegExp(`${dayThenName},? (?:de )?${yearBehind}`, 'iu'),
  // `25-Dec-27`, as spreadsheet programs show dates.
  /^(?<day>\d{1,2})-(?<name>\p{L}{3,12})\.?-(?<year>\d{4}|\d{2})(?!\d)/iu,
  // `Mar 14, 2027`.
  new RegExp(`${nameThenDay},? ${yearBehind}`, 'iu'),
  // `12月24日`, `5 avril`, `Mar 14`.
  /^(?<month>\d{1,2})[月월] ?(?<day>\d{1,2})[日号일]/,
  new RegExp(String.raw`${dayThenName}(?=[\s,]|$)`, 'iu'),
  new RegExp(String.raw`${nameThenDay}(?=[\s,]|$)`, 'iu'),
];
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
/** `24.12.`, `24/12`. */
const withoutYear = /^(\d{1,2})([/.])(\d{1,2})\.?(?=\s|$)/;

/** Every reading; none if the text does not begin with a date. */
export function readWritten(text: string): readonly WrittenTime[] {
  // Turns full-width digits and colons into ASCII.
  const plain = text
    .slice(0, longestTime + 1)
    .normalize('NFKC')
    .trim()
    .replace(basic, '$1-$2-$3 $4:$5');
  if (plain.length > longestTime) return [];
  const later = withoutWeekday(plain);
  // `Mar` is Tuesday in French and Spanish, and March.
  const dated = datesOf(later).length > 0 ? later : plain;
  const found = datesOf(dated);
  const [first] = found;
  if (first === undefined) return [];
  const rest = dated.slice(first.date.length).trim();
  const clock = clockOf(rest);
  const hasPlainDate =
    /^\d{4}\D|\D\d{4}$/.test(first.date) && !/[\p{Script=Latin}\p{Script=Thai}]/u.test(first.date);
  const isOnly = first.order === 'only' && first.other === undefined;
  const isPlain = hasPlainDate && isOnly && dated === plain && clock?.half === undefined;
  return found.map((date) => ({ ...date, time: clock?.time, rest, isPlain }));
}

/** Days from the first of Excel to the epoch. */
const epochInExcel = 25_569;
const minutesOfDay = 1440;

/** A date and time of day as the number that a spreadsheet program stores, of the years 2020 to 2069; undefined for any other text. */
export function readSerial(text: string): WrittenTime | undefined {
  if (!/^\d{5}[.,]\d{1,17}$/.test(text)) return undefined;
  const days = Number(text.replace(',', '.')) - epochInExcel;
  const at = new Date(Math.round(days * minutesOfDay) * 60_000);
  const year = at.getUTCFullYear();
  if (year < 2020 || year > 2069) return undefined;
  const time = at.toISOString().slice(11, 16);
  const [month, day] = [at.getUTCMonth() + 1, at.getUTCDate()];
  return { order: 'only', year, other: undefined, month, day, date: text, time, rest: '', isPlain: false };
}

function datesOf(text: string): readonly WrittenDate[] {
  for (const form of forms) {
    const found = form.exec(text);
    if (found?.groups === undefined) continue;
    const { year, reiwa, month = monthOf(found.groups.name), day } = found.groups;
    return existing('only', found[0], [reiwa ?? year, month, day], reiwa === undefined ? undefined : 'Reiwa');
  }
  const last = yearLast.exec(text);
  if (last) return datesWithYearLast(last);
  const short = withoutYear.exec(text);
  if (short === null) return [];
  const [date, one, separator, other] = short;
  const dayFirst = existing('day-first', date, [undefined, other, one]);
  return onlyOne(
    separator === '.' ? dayFirst : [...dayFirst, ...existing('month-first', date, [undefined, one, other])],
  );
}

function datesWithYearLast([
  date,
  one = '',
  separator,
  two = '',
  last = '',
]: RegExpExecArray): readonly WrittenDate[] {
  return onlyOne([
    ...existing('day-first', date, [last, two, one]),
    // Dates with dots and a four-digit year begin with the day.
    ...(separator === '.' && last.length === 4 ? [] : existing('month-first', date, [last, one, two])),
    // If all have two digits, the first may be the year too.
    ...(last.length === 2 && one.length === 2 ? existing('year-first', date, [one, two, last]) : []),
  ]);
}

function onlyOne(found: readonly WrittenDate[]): readonly WrittenDate[] {
  const days = new Set(found.map(({ year = 2000, month, day }) => Date.UTC(year, month, day)));
  const [only] = found;
  return only !== undefined && days.size === 1 ? [{ ...only, order: 'only' }] : found;
}

/** Empty for a day that does not exist. @param parts year, month, day. */
function existing(
  order: DateReading,
  date: string,
  [given, ...parts]: readonly (string | undefined)[],
  era?: 'Reiwa',
): readonly WrittenDate[] {
  const [month = 0, day = 0] = parts.map(Number);
  const other = era ? { calendar: era, year: Number(given) } : otherYear(given ?? '');
  const year = other ? gregorian(other) : yearOf(given);
  // A year of three digits is none of ours.
  if ((year !== undefined && year < 1000) || month < 1 || month > 12 || day < 1) return [];
  // Without a year, 29 February may exist.
  if (day > new Date(Date.UTC(year ?? 2000, month, 0)).getUTCDate()) return [];
  return [{ order, date, year, other, month, day }];
}

function yearOf(digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined;
  return digits.length === 2 ? Number(digits) + 2000 : Number(digits);
}

/** Years of other calendars whose months and days are the Gregorian ones: only the year has to be converted. */
export interface OtherYear {
  readonly calendar: 'Buddhist' | 'Minguo' | 'Reiwa';
  /** As that calendar counts it. */
  readonly year: number;
}

/** The Gregorian year in which each calendar has its year 0. */
const zeros = { Buddhist: -543, Minguo: 1911, Reiwa: 2018 } as const;

/** Gregorian years that a post, or its plan, may have. */
const first = 1990;
const last = 2150;
/** Two digits from here on are a year of the Buddhist calendar (Thai sheets write 69 for 2569), not one that is decades away. */
const firstShort = 60;

function gregorian({ calendar, year }: OtherYear): number {
  return year + zeros[calendar];
}

/** Undefined for the Gregorian one. No other year can be meant: as Gregorian years they are centuries away. */
export function otherYear(digits: string): OtherYear | undefined {
  const number = Number(digits);
  const isShort = digits.length === 2;
  if (isShort && number < firstShort) return undefined;
  const found: OtherYear = isShort
    ? { calendar: 'Buddhist', year: 2500 + number }
    : { calendar: digits.length === 3 ? 'Minguo' : 'Buddhist', year: number };
  const year = gregorian(found);
  return year >= first && year <= last ? found : undefined;
}
