/** The number that a new text becomes in a cell of a workbook, so that dates, times and numbers stay what they were. */
import { two } from '../../manifest/cells/time-of-day.ts';
import { readWritten } from '../../manifest/cells/written-time.ts';
import { type CellContext, readNumber, serialOf } from '../xlsx/cell.ts';

export interface OldCell {
  /** Attribute `t`: the kind of value; a number if it is missing. */
  readonly type: string | undefined;
  /** Attribute `s`. */
  readonly style: string | undefined;
  readonly hasValue: boolean;
  readonly hasFormula: boolean;
}

export type NumberContext = Pick<CellContext, 'from1904' | 'styleOf'>;

/** @returns undefined for a text: the cell holds one, or the number would be read back as another text. */
export function numberFor(
  text: string,
  { type = 'n', style, hasValue, hasFormula }: OldCell,
  { from1904, styleOf }: NumberContext,
): number | undefined {
  const { format } = styleOf(style);
  const read = (number: number) => readNumber(String(number), format, from1904);
  if (format.kind === 'number' || format.kind === 'digits') {
    const number = Number(text);
    return type === 'n' && hasValue && read(number) === text ? number : undefined;
  }
  if (!hasFormula && textTypes.has(type)) return undefined;
  const time = plainTime(text);
  const serial = serialOf(time, from1904);
  if (serial === undefined) return undefined;
  // A cell that shows a time of day shows midnight for a date alone.
  return [time, `${time} 00:00`].includes(String(read(serial))) ? serial : undefined;
}

const textTypes: ReadonlySet<string> = new Set(['s', 'str', 'inlineStr']);

/** A date, a time of day or both, as in `2026-12-01 10:00`; empty if they are unclear. */
function plainTime(text: string): string {
  const [written, ...others] = readWritten(text);
  if (written === undefined) return readWritten(`2000-01-01 ${text}`)[0]?.time ?? '';
  const { year, month, day, time, isPlain } = written;
  if (!isPlain || time === undefined || others.length > 0) return '';
  return `${year}-${two(month)}-${two(day)} ${time}`.trim();
}
