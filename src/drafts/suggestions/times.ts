/** Rewrites times that the check refuses, with the year first. If two readings are possible, each is a suggestion. */
import type { DateOrder, SheetEvidence } from './evidence.ts';
import { type FaultyCell, rowsOf, type Suggestion, textOf } from './suggestion.ts';
import { type Order, readWritten, two, type WrittenTime } from './written-time.ts';

const orders = ['day-first', 'month-first', 'year-first'] as const;
const words: Readonly<Record<(typeof orders)[number], string>> = {
  'day-first': 'day first',
  'month-first': 'month first',
  'year-first': 'year first',
};

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
  return [...suggestClear(clear), ...orders.flatMap((order) => suggestOrder(of(order), order, evidence))];
}

function suggestClear(read: readonly ReadCell[]): readonly Suggestion[] {
  const [first] = read;
  if (first === undefined) return [];
  const { time } = first;
  const mends = read.map(mendOf);
  const said = `${dayOf(time)} ${time.year}, ${time.time}`;
  return [
    {
      id: 'as-written',
      label: `Read ${textOf(first.cell)} as ${said}${mends.length === 1 ? ', 1 row' : `, and so in ${rowsOf(mends)}`}`,
      evidence: 'Only one reading is possible. It is then written with the year first.',
      mends,
    },
  ];
}

function suggestOrder(
  read: readonly ReadCell[],
  order: (typeof orders)[number],
  evidence: SheetEvidence,
): readonly Suggestion[] {
  const [first] = read;
  if (first === undefined) return [];
  const { time } = first;
  const mends = read.map(mendOf);
  const isShort = order === 'year-first' || time.date.length < 10;
  return [
    {
      id: order,
      label: `${time.date} is ${dayOf(time)}${isShort ? ` ${time.year}` : ''} (${words[order]}), ${rowsOf(mends)}`,
      evidence: evidenceOf(order, evidence),
      mends,
    },
  ];
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
  const many = rows === 1 ? '1 other row' : `${rows.toLocaleString('en')} other rows`;
  return `In ${many} the ${first} is first, as in ${example}.`;
}

/** `14 March`. */
function dayOf({ month, day }: WrittenTime): string {
  const at = new Date(Date.UTC(2000, month - 1, 1));
  return `${day} ${new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(at)}`;
}
