/** The years of dates without one, or in the past: those of the other rows, and the one behind them. */
import { isOnWeekday } from '../../../manifest/cells/date-words.ts';
import { two } from '../../../manifest/cells/time-of-day.ts';
import type { WrittenTime } from '../../../manifest/cells/written-time.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { plural } from '../../../manifest/wording.ts';
import type { SheetEvidence } from './evidence.ts';
import { andSo, dayOf, describeWeekday, editsOf, orders, type ReadCell } from './read-times.ts';
import type { Suggestion } from './suggestion.ts';

/** The reading of a date in a year: surely, by the weekday beside it or as a mistyped year; in one order of its numbers; on another weekday. */
const kinds = ['weekday', 'mistyped', 'only', 'day-first', 'month-first', 'off-weekday'] as const;

/** Years that are later than the written one: each is asked, and the only one in the span of the plan is likely. */
export function suggestYears(
  read: readonly ReadCell[],
  evidence: SheetEvidence,
  indexes: ColumnIndexes,
  now: number,
): readonly Suggestion[] {
  const next = { year: Math.max(...evidence.years.map(({ year }) => year)) + 1, rows: 0 };
  const years = next.year > 0 ? [...evidence.years, next] : [];
  const mistyped = mistypedIn(read, evidence);
  const judged = read.map((cell) => ({ cell, years: judge(cell, years, mistyped, now) }));
  return years.flatMap(({ year, rows }, at) =>
    kinds.flatMap((kind) => {
      const isSure = kind === 'weekday' || kind === 'mistyped';
      const meant = judged.filter(({ cell, years: all }) => {
        const found = all[at];
        return found?.mayBe === true && kindOf(cell, found) === kind && (rows > 0 || kind === 'weekday');
      });
      const [first] = meant;
      if (first === undefined) return [];
      const { text, time: written } = first.cell;
      const edits = meant.flatMap(({ cell: { time, ...each } }) =>
        editsOf({ ...each, time: { ...time, year } }, indexes),
      );
      const said = `${dayOf(written)} ${year}, ${written.time}`;
      const words = kind === 'day-first' || kind === 'month-first' ? ` (${orders[kind]})` : '';
      const likely = kind === 'only' && meant.every(hasOneYear) ? 'likely' : undefined;
      return {
        id: `year-${year}-${kind}`,
        label: `Read ${text} as ${said}${words}${andSo(edits)}`,
        evidence: evidenceOf(kind, { year, rows }, written),
        edits,
        confidence: isSure ? 'sure' : likely,
      };
    }),
  );
}

function kindOf({ time }: ReadCell, { isOff, isNamed, isMistyped }: JudgedYear) {
  if (time.order !== 'only') return isOff ? undefined : time.order;
  return isOff ? 'off-weekday' : isNamed ? 'weekday' : isMistyped ? 'mistyped' : 'only';
}

function evidenceOf(kind: (typeof kinds)[number], { year, rows }: PlanYear, written: WrittenTime): string {
  if (rows === 0) return `The weekday is that of ${year}.`;
  const inOthers = `In ${plural(rows, 'other row')} the year is ${year}`;
  if (kind === 'mistyped')
    return `${inOthers}, in none it is ${written.year}. In ${year}, the date is among theirs.`;
  return kind === 'off-weekday' ? `${inOthers}. ${describeWeekday(written, year)}` : `${inOthers}.`;
}

/** Fewer other rows prove nothing. */
const leastOthers = 5;

/** Whether a date, in a year, is one among the days of all other rows, while its own year is that of none of them. */
function mistypedIn(read: readonly ReadCell[], evidence: SheetEvidence) {
  const own = Map.groupBy(read, ({ time }) => time.year);
  return ({ time: { year: written, month, day } }: ReadCell, year: number): boolean => {
    if (written === undefined) return false;
    const many = new Set(own.get(written)?.map(({ cell }) => cell.row)).size;
    const others = evidence.without(written);
    const at = `${year}-${two(month)}-${two(day)}`;
    const isAmong = others !== undefined && others.first <= at && at <= others.last;
    return isAmong && evidence.rowsIn(written) <= many && others.rows >= leastOthers * many;
  };
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
  readonly isMistyped: boolean;
}

interface JudgedCell {
  readonly cell: ReadCell;
  readonly years: readonly JudgedYear[];
}

function judge(
  cell: ReadCell,
  years: readonly PlanYear[],
  isMistypedIn: ReturnType<typeof mistypedIn>,
  now: number,
): readonly JudgedYear[] {
  const { time, text } = cell;
  const { year: written, month, day } = time;
  const found = years.map((each) => {
    const { year } = each;
    const isOpen = year > (written ?? 0) && hasDay(time, year) && Date.UTC(year, month - 1, day + 2) > now;
    const isOn = isOnWeekday(text, { ...time, year });
    const isOff = isOn === false;
    const isMistyped = isOpen && !isOff && isMistypedIn(cell, year);
    return { ...each, isOpen, isOff, isNamed: written === undefined && isOn === true, isMistyped };
  });
  // A weekday that is wrong in all of them tells nothing.
  const isTold = found.some(({ isOpen, isOff }) => isOpen && !isOff);
  const open = found.filter(({ isOpen, isOff }) => isOpen && !(isTold && isOff));
  const among = open.filter(({ isMistyped }) => isMistyped);
  const fitting = among.length === 1 ? among : open;
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
