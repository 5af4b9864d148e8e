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
/** Year first, in Chinese, Japanese or Korean, or with separators, as in `2027. 1. 15.` */
const named = /^(?:中?[華华]?民[國国] ?)?(\d{3,4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日号號일]/;
const yearFirst = /^(\d{3,4})([-/.]) ?(\d{1,2})\2 ?(\d{1,2})(?:\.(?=\s|$))?(?!\d)/;
/** `令和9年1月15日`, `R9.1.15`: the present era of Japan. */
const reiwa = /^(?:令和|R) ?(\d{1,2})[年./-] ?(\d{1,2})[月./-] ?(\d{1,2})日?(?!\d)/i;
/** Two digits behind the name of a month are a year if they are no hour, or if the time of day follows. */
const yearBehind = String.raw`(\d{4}|(?:2[4-9]|[3-9]\d)(?=$)|\d{2}(?=,? (?:(?:um|at|à|às|a las|pukul|jam) )?\d{1,2} ?(?:[:.h時时点點]|[ap]\.?m|uhr)))(?!\d)`;
const nameOfMonth = String.raw`([\p{L}\p{M}.]{3,14})`;
/** `14 Mar 2027`, `14. März 2027`, `14 de marzo de 2027`, `Mar 14, 2027`, `14 Mar 27 10:00`. */
const dayAndName = new RegExp(
  String.raw`^(\d{1,2})(?:\.|st|nd|rd|th|er)? (?:de )?${nameOfMonth},? (?:de )?${yearBehind}`,
  'iu',
);
const nameAndDay = new RegExp(String.raw`^${nameOfMonth} (\d{1,2})(?:st|nd|rd|th)?,? ${yearBehind}`, 'iu');
/** `25-Dec-27`, as spreadsheet programs show dates. */
const nameBetween = /^(\d{1,2})-(\p{L}{3,12})\.?-(\d{4}|\d{2})(?!\d)/iu;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
/** `24.12.`, `24/12`, `12月24日`. */
const withoutYear = /^(\d{1,2})([/.])(\d{1,2})\.?(?=\s|$)/;
/** `5 avril`, `Mar 14`. */
const dayAndNameAlone = new RegExp(
  String.raw`^(\d{1,2})(?:\.|st|nd|rd|th|er)? (?:de )?${nameOfMonth}(?=[\s,]|$)`,
  'iu',
);
const nameAndDayAlone = new RegExp(String.raw`^${nameOfMonth} (\d{1,2})(?:st|nd|rd|th)?(?=[\s,]|$)`, 'iu');
const namedWithoutYear = /^(\d{1,2})[月월] ?(\d{1,2})[日号일]/;
/** `ngày 14 tháng 3 năm 2027`, in Vietnamese. */
const dayAndNumber = /^(?:ngày )?(\d{1,2}) (?:tháng|thg) (\d{1,2})(?:,? (?:năm )?(\d{4}))?(?!\d)/iu;

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
  const cjk = named.exec(text);
  if (cjk) return existing('only', cjk[0], [cjk[1], cjk[2], cjk[3]]);
  const era = reiwa.exec(text);
  if (era) return existing('only', era[0], [era[1], era[2], era[3]], 'Reiwa');
  const year = yearFirst.exec(text);
  if (year) return existing('only', year[0], [year[1], year[3], year[4]]);
  const numbered = dayAndNumber.exec(text);
  if (numbered) return existing('only', numbered[0], [numbered[3], numbered[2], numbered[1]]);
  const day = dayAndName.exec(text);
  if (day) return existing('only', day[0], [day[3], monthOf(day[2]), day[1]]);
  const between = nameBetween.exec(text);
  if (between) return existing('only', between[0], [between[3], monthOf(between[2]), between[1]]);
  const month = nameAndDay.exec(text);
  if (month) return existing('only', month[0], [month[3], monthOf(month[1]), month[2]]);
  const last = yearLast.exec(text);
  if (last) return datesWithYearLast(last);
  const cjkShort = namedWithoutYear.exec(text);
  if (cjkShort) return existing('only', cjkShort[0], [undefined, cjkShort[1], cjkShort[2]]);
  const dayAlone = dayAndNameAlone.exec(text);
  if (dayAlone) return existing('only', dayAlone[0], [undefined, monthOf(dayAlone[2]), dayAlone[1]]);
  const monthAlone = nameAndDayAlone.exec(text);
  if (monthAlone) return existing('only', monthAlone[0], [undefined, monthOf(monthAlone[1]), monthAlone[2]]);
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
