/**
 * Rewrites times that the check refuses, with the year first: with names of months, 12-hour clocks, two possible days, or no year; in the
 * past; left out by the clocks. If several readings are possible, each is a suggestion.
 */
import { isNoTime } from '../../../manifest/cells/time-faults.ts';
import { two } from '../../../manifest/cells/time-of-day.ts';
import { endsSpan, startOfSpan } from '../../../manifest/cells/time-span.ts';
import { type DateReading, readSerial, readWritten } from '../../../manifest/cells/written-time.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { plural } from '../../../manifest/wording.ts';
import type { DateOrder, SheetEvidence } from './evidence.ts';
import {
  andSo,
  dayOf,
  describeWeekday,
  editsOf,
  isOffWeekday,
  orders,
  type ReadCell,
  timeOf,
} from './read-times.ts';
import { type FaultyCell, mostSuggestions, rowsOf, type Suggestion } from './suggestion.ts';
import { suggestYears } from './years.ts';

const orderNames = ['day-first', 'month-first', 'year-first'] as const;

/** @param cells with times that cannot be read, whose day is ambiguous, or to which no post can be scheduled. @param now years are not offered before it. */
export function suggestTimes(
  cells: readonly FaultyCell[],
  code: string,
  evidence: SheetEvidence,
  indexes: ColumnIndexes,
  now = 0,
): readonly Suggestion[] {
  const read = cells.flatMap((cell) => {
    const text = timeOf(cell, indexes);
    return [readSerial(text) ?? readWritten(text)]
      .flat()
      .flatMap((written): ReadCell[] =>
        written.time === undefined ? [] : [{ cell, text, time: { ...written, time: written.time } }],
      );
  });
  if (code === 'time_past') {
    const years = suggestYears(read, evidence, indexes, now);
    const sure = years.filter(({ confidence }) => confidence === 'sure').flatMap(({ edits }) => edits);
    const open = cells.filter(({ row }) => !sure.some((edit) => edit.row === row));
    return [...years, ...suggestAtOnce(open, indexes, atOnceNow)].slice(0, mostSuggestions);
  }
  if (code === 'time_in_gap') return suggestOtherHours(read, indexes);
  const dated = read.filter(({ time }) => time.year !== undefined);
  const whole = new Set(withoutPast(dated, now));
  const past = new Set(dated.filter((each) => !whole.has(each)).map(({ cell }) => cell));
  // Where no reading is to come, the year is wrong.
  const ended = [...whole].filter(({ time }) => !isToCome(time, now));
  const years = suggestYears(
    [...read.filter(({ time }) => time.year === undefined), ...ended].filter(({ time }) => time.time !== ''),
    evidence,
    indexes,
    now,
  );
  const inOtherYear = new Set(years.flatMap(({ edits }) => edits.map(({ row }) => row)));
  const of = (order: DateReading) =>
    [...whole].filter(({ cell, time }) => time.order === order && !inOtherYear.has(cell.row));
  // A date alone does not help, because its time of day is unknown: but its year does.
  const clear = of('only').filter(
    ({ time }) => (time.time !== '' || time.other !== undefined) && !endsSpan(time.time),
  );
  return [
    ...suggestNoTime(cells, indexes),
    ...suggestStart(cells, indexes),
    ...suggestNumbers(cells, indexes),
    ...[false, true].flatMap((isOff) => {
      const same = clear.filter((each) => isOffWeekday(each, each.time.year) === isOff);
      return suggestClear(
        same.filter(({ text }) => !midnight.test(text)),
        indexes,
      );
    }),
    ...suggestNoon(
      clear.filter(({ text }) => midnight.test(text)),
      indexes,
    ),
    ...orderNames.flatMap((order) => {
      const isLeft = of(order).every(({ cell }) => past.has(cell));
      const why = isLeft ? 'Another reading would be in the past.' : evidenceOf(order, evidence);
      return suggestOrder(of(order), order, why, indexes);
    }),
    ...years,
  ].slice(0, mostSuggestions);
}

/** Of the readings of a cell, those in the past are not meant if another is to come. */
function withoutPast(read: readonly ReadCell[], now: number): readonly ReadCell[] {
  const open = new Set(read.filter(({ time }) => isToCome(time, now)).map(({ cell }) => cell));
  return read.filter(({ cell, time }) => isToCome(time, now) || !open.has(cell));
}

function isToCome({ year = 0, month, day }: ReadCell['time'], now: number): boolean {
  return Date.UTC(year, month - 1, day + 2) > now;
}

function suggestClear(read: readonly ReadCell[], indexes: ColumnIndexes): readonly Suggestion[] {
  const [first] = read;
  if (first === undefined) return [];
  const { time, text } = first;
  const edits = read.flatMap((each) => editsOf(each, indexes));
  const ofDay = time.time === '' ? '' : `, ${time.time}`;
  const said = `${dayOf(time)} ${time.year}${ofDay}`;
  const evidence = time.other
    ? `In the ${time.other.calendar} calendar, ${time.year} is the year ${time.other.year}.`
    : 'This date can be read in only one way. Accepting it writes the year first.';
  const label = `Read ${text} as ${said}${andSo(edits)}`;
  if (isOffWeekday(first, time.year))
    return [{ id: 'off-weekday', label, evidence: describeWeekday(time, time.year), edits }];
  return [{ id: 'as-written', label, evidence, edits, confidence: 'sure' }];
}

const midnight = /\b12(?::00)? ?a\.?m\b/i;

/** `12:00 AM` is midnight, but many who write it mean noon. */
function suggestNoon(read: readonly ReadCell[], indexes: ColumnIndexes): readonly Suggestion[] {
  const [first] = read;
  if (first === undefined) return [];
  return [
    ['midnight', '00:00', '12 AM is midnight, when the day begins.'] as const,
    ['noon', '12:00', 'Noon is 12 PM, but many write 12 AM.'] as const,
  ].map(([id, time, evidence]) => {
    const edits = read.flatMap((each) => editsOf({ ...each, time: { ...each.time, time } }, indexes));
    const label = `Read ${first.text} as ${dayOf(first.time)} ${first.time.year}, ${time}${andSo(edits)}`;
    return { id, label, evidence, edits };
  });
}

function suggestStart(cells: readonly FaultyCell[], indexes: ColumnIndexes): readonly Suggestion[] {
  const starts = cells.flatMap((cell): ReadCell[] => {
    const text = timeOf(cell, indexes);
    const [written] = readWritten(text);
    const begin = startOfSpan(written?.rest.replace(/^[T,]/, '').trim() ?? '');
    if (written?.order !== 'only' || begin === undefined) return [];
    const [start] = readWritten(`${written.date} ${begin}`);
    if (start?.year === undefined || !start.time) return [];
    return [{ cell, text, time: { ...start, time: start.time } }];
  });
  const [first] = starts;
  if (first === undefined) return [];
  const edits = starts.flatMap((each) => editsOf(each, indexes));
  const { time, text } = first;
  const label = `Read ${text} as ${dayOf(time)} ${time.year}, ${time.time}${andSo(edits)}`;
  return [{ id: 'start', label, evidence: 'This is the start of the span: a post has one time.', edits }];
}

/** A spreadsheet program writes `19.30` as 19.3, and `19.00` as 19. Half an hour may be 5, too. */
function suggestNumbers(cells: readonly FaultyCell[], indexes: ColumnIndexes): readonly Suggestion[] {
  const numbers = cells.flatMap((cell) => {
    const own = (cell.cells[indexes.scheduled_time] ?? '').trim();
    const [, hour = '', tens = '0'] = /^(1?\d|2[0-3])(?:[.,]([0-5]))?$/.exec(own) ?? [];
    const text = timeOf(cell, indexes);
    const [written] = hour === '' ? [] : readWritten(text);
    if (written?.year === undefined || written.order !== 'only') return [];
    const minutes = tens === '5' ? ['50', '30'] : [`${tens}0`];
    return minutes.map((each) => ({
      cell,
      text,
      isSole: tens !== '5',
      time: { ...written, time: `${two(Number(hour))}:${each}` },
    }));
  });
  const kinds = Map.groupBy(numbers, ({ isSole, time }) =>
    isSole ? 'number' : `number-${time.time.slice(3)}`,
  );
  return [...kinds].flatMap(([id, read]) => {
    const [first] = read;
    if (first === undefined) return [];
    const edits = read.flatMap((each) => editsOf(each, indexes));
    const { time, text } = first;
    const label = `Read ${text} as ${dayOf(time)} ${time.year}, ${time.time}${andSo(edits)}`;
    const evidence = 'A spreadsheet program has written a time such as 19.30 as a number, such as 19.3.';
    return [{ id, label, evidence, edits }];
  });
}

function suggestOrder(
  read: readonly ReadCell[],
  order: keyof typeof orders,
  evidence: string,
  indexes: ColumnIndexes,
): readonly Suggestion[] {
  const [first] = read;
  if (first === undefined) return [];
  const { time } = first;
  const edits = read.flatMap((each) => editsOf(each, indexes));
  const isYearSaid = order === 'year-first' || time.date.length < 10 || time.other !== undefined;
  const year = isYearSaid ? ` ${time.year}` : '';
  const label = `${time.date} is ${dayOf(time)}${year} (${orders[order]}), ${rowsOf(edits)}`;
  return [{ id: order, label, evidence, edits }];
}

/** For `tbc`, and where nothing is written. Nobody takes it by chance: the post may be meant for a day to come. */
function suggestNoTime(cells: readonly FaultyCell[], indexes: ColumnIndexes): readonly Suggestion[] {
  const open = cells.filter((cell) => {
    const text = timeOf(cell, indexes);
    const isOfPost = cell.position === indexes.scheduled_at || cell.position === indexes.scheduled_time;
    return isOfPost && (text === '' || isNoTime(text));
  });
  return suggestAtOnce(open, indexes, atOnceNow);
}

const atOnceNow = 'Post now, without a time';

function suggestAtOnce(
  cells: readonly FaultyCell[],
  { scheduled_at, scheduled_time }: ColumnIndexes,
  what: string,
): readonly Suggestion[] {
  if (cells.length === 0) return [];
  const edits = cells.flatMap(({ row }) =>
    [scheduled_at, scheduled_time]
      .filter((position) => position >= 0)
      .map((position) => ({ row, position, text: '' })),
  );
  const label = `${what}, ${rowsOf(edits)}`;
  return [
    { id: 'at-once', label, evidence: 'Without a time, a post is sent as soon as it is ready.', edits },
  ];
}

/** The clocks go forward by an hour nearly everywhere. What is taken is checked like any other text. */
function suggestOtherHours(read: readonly ReadCell[], indexes: ColumnIndexes): readonly Suggestion[] {
  return ([1, -1] as const).flatMap((hours) => {
    const moved = read.flatMap((each) => movedBy(each, hours) ?? []);
    const [first] = moved;
    if (first === undefined) return [];
    const edits = moved.flatMap((each) => editsOf(each, indexes));
    const label = `${dayOf(first.time)} ${first.time.year}, ${first.time.time}${andSo(edits)}`;
    const evidence = hours > 0 ? 'An hour later.' : 'An hour earlier.';
    return [{ id: `hours-${hours}`, label, evidence, edits: edits }];
  });
}

/** @returns undefined for a time with an offset, or with seconds. */
function movedBy({ time: written, ...cell }: ReadCell, hours: number): ReadCell | undefined {
  const { year, month, day, time } = written;
  const [, hour, minute] = /^(\d\d?):(\d\d)$/.exec(time) ?? [];
  if (year === undefined || hour === undefined) return undefined;
  const at = new Date(Date.UTC(year, month - 1, day, Number(hour) + hours, Number(minute)));
  const moved = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
  return {
    ...cell,
    time: { ...written, ...moved, time: `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}` },
  };
}

function evidenceOf(order: DateReading, { dayFirst, monthFirst }: SheetEvidence): string {
  if (order === 'day-first' && dayFirst.rows > 0) return others(dayFirst, 'day');
  if (order === 'month-first' && monthFirst.rows > 0) return others(monthFirst, 'month');
  return 'Both are possible, so nothing is assumed.';
}

function others({ rows, example }: DateOrder, first: string): string {
  return `In ${plural(rows, 'other row')} the ${first} is first, as in ${example}.`;
}
