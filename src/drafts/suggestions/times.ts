/**
 * Rewrites times that the check refuses, with the year first: with names of months, 12-hour clocks, or two possible days. If two readings
 * are possible, each is a suggestion.
 */
import { plural } from '../../runtime/wording.ts';
import type { DateOrder, SheetEvidence } from './evidence.ts';
import { type FaultyCell, rowsOf, type Suggestion, textOf } from './suggestion.ts';

/** Possible orders of the numbers, in words. */
const orders = {
  'day-first': 'day first',
  'month-first': 'month first',
  'year-first': 'year first',
} as const;
const orderNames = ['day-first', 'month-first', 'year-first'] as const;

interface ReadCell {
  readonly cell: FaultyCell;
  readonly time: WrittenTime;
}

/** @param cells with times that cannot be read, or whose day is ambiguous. */
export function suggestTimes(cells: readonly FaultyCell[], evidence: SheetEvidence): readonly Suggestion[] {
  const read = cells.flatMap((cell) => readWritten(textOf(cell)).map((time) => ({ cell, time })));
  const of = (order: Order) => read.filter(({ time }) => time.order === order);
  // A date alone does not help, because its time of day is unknown.
  const clear = of('only').filter(({ time }) => time.time !== '');
  return [...suggestClear(clear), ...orderNames.flatMap((order) => suggestOrder(of(order), order, evidence))];
}

function suggestClear(read: readonly ReadCell[]): readonly Suggestion[] {
  const [first] = read;
  if (first === undefined) return [];
  const { time } = first;
  const mends = read.map(mendOf);
  const said = `${dayOf(time)} ${time.year}, ${time.time}`;
  const where = mends.length === 1 ? ', 1 row' : `, and so in ${rowsOf(mends)}`;
  const evidence = 'Only one reading is possible. It is then written with the year first.';
  return [{ id: 'as-written', label: `Read ${textOf(first.cell)} as ${said}${where}`, evidence, mends }];
}

function suggestOrder(
  read: readonly ReadCell[],
  order: keyof typeof orders,
  evidence: SheetEvidence,
): readonly Suggestion[] {
  const [first] = read;
  if (first === undefined) return [];
  const { time } = first;
  const mends = read.map(mendOf);
  const year = order === 'year-first' || time.date.length < 10 ? ` ${time.year}` : '';
  const label = `${time.date} is ${dayOf(time)}${year} (${orders[order]}), ${rowsOf(mends)}`;
  return [{ id: order, label, evidence: evidenceOf(order, evidence), mends }];
}

function mendOf({ cell: { row, position }, time: { year, month, day, time } }: ReadCell) {
  const date = `${year}-${two(month)}-${two(day)}`;
  return { row, position, text: time === '' ? date : `${date} ${time}` };
}

function evidenceOf(order: Order, { dayFirst, monthFirst }: SheetEvidence): string {
  if (order === 'day-first' && dayFirst.rows > 0) return others(dayFirst, 'day');
  if (order === 'month-first' && monthFirst.rows > 0) return others(monthFirst, 'month');
  return 'Both are possible, so nothing is assumed.';
}

function others({ rows, example }: DateOrder, first: string): string {
  return `In ${plural(rows, 'other row')} the ${first} is first, as in ${example}.`;
}

/** `14 March`. */
function dayOf({ month, day }: WrittenTime): string {
  const at = new Date(Date.UTC(2000, month - 1, 1));
  return `${day} ${new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(at)}`;
}

/** `only`: a single reading is possible. */
type Order = 'only' | keyof typeof orders;

interface WrittenTime {
  readonly order: Order;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** `18:00` or `18:00:30`, with its offset if it has one; empty if there is no time of day. */
  readonly time: string;
  /** The date as it is written. */
  readonly date: string;
}

/** Longer texts are not times. */
const longest = 60;

/** Year first, in Chinese or Japanese, or with separators. */
const named = /^(\d{4})年 ?(\d{1,2})月 ?(\d{1,2})[日号]/;
const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/;
/** `14 Mar 2027`, `Mar 14, 2027`. */
const dayAndName = /^(\d{1,2})\.? ([a-z]{3,9})\.?,? (\d{4})(?!\d)/i;
const nameAndDay = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})(?!\d)/i;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const fullMonths =
  'january february march april may june july august september october november december'.split(' ');

/** Every possible reading of a time. @returns an empty array if it is not a date, or its time of day is ambiguous. */
function readWritten(text: string): readonly WrittenTime[] {
  // Turns full-width digits and colons into ASCII.
  const plain = text
    .slice(0, longest + 1)
    .normalize('NFKC')
    .trim();
  if (plain.length > longest) return [];
  const found = datesOf(plain);
  const [first] = found;
  if (first === undefined) return [];
  const time = timeOf(plain.slice(first.date.length));
  return time === undefined ? [] : found.map((date) => ({ ...date, time }));
}

type WrittenDate = Omit<WrittenTime, 'time'>;

function datesOf(text: string): readonly WrittenDate[] {
  const cjk = named.exec(text);
  if (cjk) return existing('only', cjk[0], [cjk[1], cjk[2], cjk[3]]);
  const year = yearFirst.exec(text);
  if (year) return existing('only', year[0], [year[1], year[3], year[4]]);
  const day = dayAndName.exec(text);
  if (day) return existing('only', day[0], [day[3], monthOf(day[2]), day[1]]);
  const month = nameAndDay.exec(text);
  if (month) return existing('only', month[0], [month[3], monthOf(month[1]), month[2]]);
  const last = yearLast.exec(text);
  return last ? datesWithYearLast(last) : [];
}

function datesWithYearLast([
  date,
  one = '',
  separator,
  two = '',
  last = '',
]: RegExpExecArray): readonly WrittenDate[] {
  const found = [
    ...existing('day-first', date, [last, two, one]),
    // Dates with dots and a four-digit year begin with the day.
    ...(separator === '.' && last.length === 4 ? [] : existing('month-first', date, [last, one, two])),
    // If all have two digits, the first may be the year too.
    ...(last.length === 2 && one.length === 2 ? existing('year-first', date, [one, two, last]) : []),
  ];
  const days = new Set(found.map(({ year, month, day }) => Date.UTC(year, month, day)));
  const [only] = found;
  return only !== undefined && days.size === 1 ? [{ ...only, order: 'only' }] : found;
}

/** Empty for a day that does not exist. @param parts year, month, day. */
function existing(
  order: Order,
  date: string,
  parts: readonly (string | undefined)[],
): readonly WrittenDate[] {
  const [given = 0, month = 0, day = 0] = parts.map(Number);
  const year = given < 100 ? given + 2000 : given;
  if (month < 1 || month > 12 || day < 1) return [];
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return [];
  return [{ order, date, year, month, day }];
}

function monthOf(name = ''): string {
  const known = name.toLowerCase();
  const short = known === 'sept' ? 'sep' : known;
  return String(Math.max(months.indexOf(short), fullMonths.indexOf(known)) + 1);
}

const weekday = /^(?:\((?:周|星期)[一二三四五六日天]\)|(?:周|星期)[一二三四五六日天])/;
const timeOfDay =
  /^(上午|下午|am|pm)? ?(\d{1,2})[:时時点點](\d{1,2})?(?::(\d{1,2}))?分? ?(am|pm|a\.m\.|p\.m\.|uhr)?([zZ]|[+-]\d{2}:?\d{2})?$/i;

/** The time of day in 24 hours; empty if there is none, undefined if it cannot be read. */
function timeOf(rest: string): string | undefined {
  const text = rest.replace(/^[T,]/, '').trim().replace(weekday, '').trim();
  if (text === '') return '';
  const [whole, before, hours, minutes = '', seconds, after, offset = ''] = timeOfDay.exec(text) ?? [];
  // `10:` alone is cut off; `10点` is not.
  if (whole === undefined || (minutes === '' && text.includes(':'))) return undefined;
  const hour = hourOf(Number(hours), halfOf(before ?? after));
  if (hour === undefined || hour > 23 || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined;
  const parts = [hour, Number(minutes), ...(seconds === undefined ? [] : [Number(seconds)])];
  return parts.map(two).join(':') + offset;
}

function halfOf(word = ''): 'am' | 'pm' | undefined {
  const plain = word.toLowerCase().replaceAll('.', '');
  if (plain === '上午' || plain === 'am') return 'am';
  return plain === '下午' || plain === 'pm' ? 'pm' : undefined;
}

function hourOf(hour: number, half: 'am' | 'pm' | undefined): number | undefined {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
