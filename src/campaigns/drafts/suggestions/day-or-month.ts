/** Both readings of a date such as 12/03/2027. */
import type { DateOrder, SheetEvidence } from './evidence.ts';
import { type FaultyCell, rowsOf, type Suggestion, textOf } from './suggestion.ts';

type Order = 'day-first' | 'month-first' | 'year-first';

interface WrittenDate {
  readonly year: string;
  readonly month: number;
  readonly day: number;
  /** What stands behind the date. */
  readonly rest: string;
  readonly date: string;
}

const orders: readonly Order[] = ['day-first', 'month-first', 'year-first'];
const words: Readonly<Record<Order, string>> = {
  'day-first': 'day first',
  'month-first': 'month first',
  'year-first': 'year first',
};

/** @param cells with dates of which the day cannot be told. Each order that is possible is a suggestion. */
export function suggestOrders(cells: readonly FaultyCell[], evidence: SheetEvidence): readonly Suggestion[] {
  return orders.flatMap((order): Suggestion[] => {
    const read = cells.flatMap((cell) => {
      const date = readDate(textOf(cell), order);
      return date === undefined ? [] : [{ cell, date }];
    });
    const [first] = read;
    if (first === undefined) return [];
    const mends = read.map(({ cell, date }) => ({
      row: cell.row,
      position: cell.position,
      text: `${date.year}-${two(date.month)}-${two(date.day)}${date.rest}`,
    }));
    const { date } = first;
    return [
      {
        id: order,
        label: `${date.date} is ${date.day} ${monthName(date.month)}${order === 'year-first' || date.date.length < 10 ? ` ${date.year}` : ''} (${words[order]}), ${rowsOf(mends)}`,
        evidence: evidenceOf(order, evidence),
        mends,
      },
    ];
  });
}

function evidenceOf(order: Order, { dayFirst, monthFirst }: SheetEvidence): string {
  if (order === 'day-first' && dayFirst.rows > 0) return others(dayFirst, 'day');
  if (order === 'month-first' && monthFirst.rows > 0) return others(monthFirst, 'month');
  return 'Both are possible, so nothing is assumed.';
}

function others({ rows, example }: DateOrder, first: string): string {
  const many = rows === 1 ? '1 other row' : `${rows.toLocaleString('en')} other rows`;
  return `In ${many} the ${first} is first, as in ${example}.`;
}

function readDate(text: string, order: Order): WrittenDate | undefined {
  const match = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/.exec(text);
  if (match === null) return undefined;
  const [date, one = '', , two = '', last = ''] = match;
  // Of two digits each, the first may be the year, too.
  if (order === 'year-first' && (last.length !== 2 || one.length !== 2)) return undefined;
  const [year, month, day] =
    order === 'year-first' ? [one, two, last] : order === 'day-first' ? [last, two, one] : [last, one, two];
  const found = { year: year.length === 2 ? `20${year}` : year, month: Number(month), day: Number(day) };
  const days = new Date(Date.UTC(Number(found.year), found.month, 0)).getUTCDate();
  if (found.month < 1 || found.month > 12 || found.day < 1 || found.day > days) return undefined;
  return { ...found, date, rest: text.slice(date.length) };
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function monthName(month: number): string {
  return new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2000, month - 1, 1)),
  );
}
