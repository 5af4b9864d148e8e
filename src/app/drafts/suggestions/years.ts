/** The years of dates without one, or in the past: those of the other rows, and the one behind them. */
import { isOnWeekday } from '../../../manifest/cells/date-words.ts';
import type { WrittenTime } from '../../../manifest/cells/written-time.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { plural } from '../../../manifest/wording.ts';
import type { SheetEvidence } from './evidence.ts';
import { andSo, dayOf, describeWeekday, editsOf, isOffWeekday, orders, type ReadCell } from './read-times.ts';
import type { Suggestion } from './suggestion.ts';

/** Years that are later than the written one: each is asked, and the only one in the span of the plan is likely. A weekday beside the date tells which it is. */
export function suggestYears(
  read: readonly ReadCell[],
  evidence: SheetEvidence,
  indexes: ColumnIndexes,
  now: number,
): readonly Suggestion[] {
  const next = { year: Math.max(...evidence.years.map(({ year }) => year)) + 1, rows: 0 };
  const years = next.year > 0 ? [...evidence.years, next] : [];
  const isOpen = (year: number, { time }: ReadCell) =>
    year > (time.year ?? 0) && hasDay(time, year) && Date.UTC(year, time.month - 1, time.day + 2) > now;
  const isMeant = (year: number, cell: ReadCell) => isOpen(year, cell) && !isOffWeekday(cell, year);
  // A weekday that is wrong in all of them tells nothing.
  const fits = (year: number, cell: ReadCell) =>
    isMeant(year, cell) || (isOpen(year, cell) && !years.some((each) => isMeant(each.year, cell)));
  // Nobody plans more than a year ahead where a year before fits.
  const isLate = (year: number, cell: ReadCell) =>
    Date.UTC(year - 1, cell.time.month - 1, cell.time.day) > now &&
    evidence.years.some((each) => each.year < year && fits(each.year, cell));
  const mayBe = (year: number, cell: ReadCell) => fits(year, cell) && !isLate(year, cell);
  const hasOneYear = (cell: ReadCell) =>
    cell.time.year === undefined && evidence.years.filter(({ year }) => mayBe(year, cell)).length === 1;
  return years.flatMap(({ year, rows }) =>
    (['weekday', 'only', 'day-first', 'month-first', 'off-weekday'] as const).flatMap((of) => {
      const isSure = of === 'weekday';
      const isOff = of === 'off-weekday';
      const order = isSure || isOff ? 'only' : of;
      const meant = read.filter(
        (cell) =>
          cell.time.order === order &&
          mayBe(year, cell) &&
          isOff === isOffWeekday(cell, year) &&
          isSure === (order === 'only' && hasWeekday(cell, year)) &&
          (rows > 0 || isSure),
      );
      const [first] = meant;
      if (first === undefined) return [];
      const edits = meant.flatMap(({ time, ...each }) =>
        editsOf({ ...each, time: { ...time, year } }, indexes),
      );
      const said = `${dayOf(first.time)} ${year}, ${first.time.time}`;
      const words = order === 'only' ? '' : ` (${orders[order]})`;
      return {
        id: `year-${year}-${of}`,
        label: `Read ${first.text} as ${said}${words}${andSo(edits)}`,
        evidence:
          rows > 0
            ? `In ${plural(rows, 'other row')} the year is ${year}.${isOff ? ` ${describeWeekday(first.time, year)}` : ''}`
            : `The weekday is that of ${year}.`,
        edits: edits,
        confidence: isSure ? 'sure' : of === 'only' && meant.every(hasOneYear) ? 'likely' : undefined,
      };
    }),
  );
}

/** Whether the text names the weekday of its date in a year, and has no year itself. */
function hasWeekday({ text, time }: ReadCell, year: number): boolean {
  return time.year === undefined && isOnWeekday(text, { ...time, year }) === true;
}

function hasDay({ month, day }: WrittenTime, year: number): boolean {
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
