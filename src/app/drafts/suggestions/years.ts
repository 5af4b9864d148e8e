/** The years of dates without one, or in the past: those of the other rows, and the one behind them. */
import { isOnWeekday } from '../../../manifest/cells/date-words.ts';
import type { WrittenTime } from '../../../manifest/cells/written-time.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { plural } from '../../../manifest/wording.ts';
import type { SheetEvidence } from './evidence.ts';
import { andSo, dayOf, describeWeekday, editsOf, orders, type ReadCell } from './read-times.ts';
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
  const judged = read.map((cell) => ({ cell, years: judge(cell, years, now) }));
  return years.flatMap(({ year, rows }, at) =>
    (['weekday', 'only', 'day-first', 'month-first', 'off-weekday'] as const).flatMap((of) => {
      const isSure = of === 'weekday';
      const isOff = of === 'off-weekday';
      const order = isSure || isOff ? 'only' : of;
      const isMeant = ({ cell, years: all }: JudgedCell) => {
        const found = all[at];
        return (
          found?.mayBe === true &&
          cell.time.order === order &&
          isOff === found.isOff &&
          isSure === (order === 'only' && found.isNamed) &&
          (rows > 0 || isSure)
        );
      };
      const meant = judged.filter(isMeant);
      const [first] = meant;
      if (first === undefined) return [];
      const { text, time: written } = first.cell;
      const edits = meant.flatMap(({ cell: { time, ...each } }) =>
        editsOf({ ...each, time: { ...time, year } }, indexes),
      );
      const said = `${dayOf(written)} ${year}, ${written.time}`;
      const words = order === 'only' ? '' : ` (${orders[order]})`;
      return {
        id: `year-${year}-${of}`,
        label: `Read ${text} as ${said}${words}${andSo(edits)}`,
        evidence:
          rows > 0
            ? `In ${plural(rows, 'other row')} the year is ${year}.${isOff ? ` ${describeWeekday(written, year)}` : ''}`
            : `The weekday is that of ${year}.`,
        edits,
        confidence: isSure ? 'sure' : of === 'only' && meant.every(hasOneYear) ? 'likely' : undefined,
      };
    }),
  );
}

interface PlanYear {
  readonly year: number;
  /** Number of other rows in it; 0 for the year behind them. */
  readonly rows: number;
}

interface JudgedYear extends PlanYear {
  readonly mayBe: boolean;
  /** Whether the weekday beside the date is another one then. */
  readonly isOff: boolean;
  /** Whether it is that weekday, and the date has no year itself. */
  readonly isNamed: boolean;
}

interface JudgedCell {
  readonly cell: ReadCell;
  readonly years: readonly JudgedYear[];
}

function judge({ time, text }: ReadCell, years: readonly PlanYear[], now: number): readonly JudgedYear[] {
  const { year: written, month, day } = time;
  const found = years.map((each) => {
    const { year } = each;
    const isOpen = year > (written ?? 0) && hasDay(time, year) && Date.UTC(year, month - 1, day + 2) > now;
    const isOn = isOnWeekday(text, { ...time, year });
    return { ...each, isOpen, isOff: isOn === false, isNamed: written === undefined && isOn === true };
  });
  // A weekday that is wrong in all of them tells nothing.
  const isTold = found.some(({ isOpen, isOff }) => isOpen && !isOff);
  const fitting = found.filter(({ isOpen, isOff }) => isOpen && !(isTold && isOff));
  // Nobody plans more than a year ahead where a year before fits.
  const isLate = (year: number) =>
    Date.UTC(year - 1, month - 1, day) > now && fitting.some((each) => each.rows > 0 && each.year < year);
  return found.map((each) => ({ ...each, mayBe: fitting.includes(each) && !isLate(each.year) }));
}

function hasOneYear({ cell, years }: JudgedCell): boolean {
  return cell.time.year === undefined && years.filter(({ rows, mayBe }) => rows > 0 && mayBe).length === 1;
}

function hasDay({ month, day }: WrittenTime, year: number): boolean {
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
