/** The cells of times at fault as they are read, and what is said and written of them. */
import { isOnWeekday, weekdayOf } from '../../../manifest/cells/date-words.ts';
import { joinTime } from '../../../manifest/cells/schedule.ts';
import { two } from '../../../manifest/cells/time-of-day.ts';
import type { WrittenTime } from '../../../manifest/cells/written-time.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import type { CellEdit } from '../../campaigns/import/edit.ts';
import { type FaultyCell, rowsOf } from './suggestion.ts';

/** Possible orders of the numbers, in words. */
export const orders = {
  'day-first': 'day first',
  'month-first': 'month first',
  'year-first': 'year first',
} as const;
export interface ReadCell {
  readonly cell: FaultyCell;
  /** As written, with the time of day in its own column. */
  readonly text: string;
  readonly time: WrittenTime & { readonly time: string };
}

/** The time of a row from its one or two cells. Times of a generation have one. */
export function timeOf(
  { cells, position }: FaultyCell,
  { scheduled_at, scheduled_time }: ColumnIndexes,
): string {
  const isSplit = scheduled_time >= 0 && (position === scheduled_at || position === scheduled_time);
  const textAt = (index: number) => (cells[index] ?? '').trim();
  return isSplit ? joinTime(textAt(scheduled_at), textAt(scheduled_time)) : textAt(position);
}

export function andSo(edits: readonly CellEdit[]): string {
  const rows = rowsOf(edits);
  return rows === '1 row' ? ', 1 row' : `, and so in ${rows}`;
}

/** Of one cell, or of the date and of the time of day in a column of its own. */
export function editsOf({ cell, time: written }: ReadCell, indexes: ColumnIndexes): readonly CellEdit[] {
  const { row, position } = cell;
  const { year, month, day, time } = written;
  const date = `${year}-${two(month)}-${two(day)}`;
  const { scheduled_at: at, scheduled_time: ofDay } = indexes;
  if (at < 0 || ofDay < 0 || (position !== at && position !== ofDay)) {
    return [{ row, position, text: joinTime(date, time) }];
  }
  return [
    { row, position: at, text: date },
    { row, position: ofDay, text: time },
  ];
}

/** `14 March`. */
export function dayOf({ month, day }: WrittenTime): string {
  const at = new Date(Date.UTC(2000, month - 1, 1));
  return `${day} ${new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(at)}`;
}

/** Whether the weekday beside a date is another one: one of the two is wrong. */
export function isOffWeekday({ text, time }: ReadCell, year: number | undefined): boolean {
  return year !== undefined && isOnWeekday(text, { ...time, year }) === false;
}

export function describeWeekday(time: WrittenTime, year = 0): string {
  return `${dayOf(time)} ${year} is a ${weekdayOf({ ...time, year })}.`;
}
