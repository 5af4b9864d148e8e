/** The text of a cell as the planner sees it. Where the workbook does not hold what the planner typed, that is a fault of the cell. */
import { showValue } from '../../manifest/problem.ts';
import type { CellFault } from '../sheet.ts';
import type { NumberFormat } from './number-format.ts';
import { readElapsed, readSerialDate } from './serial-date.ts';
import type { SharedStrings } from './shared-strings.ts';
import { unescapeText } from './text.ts';

/** A cell as the worksheet writes it. */
export interface RawCell {
  /** Attribute `t`: what kind of value it is; a number where it is missing. */
  readonly type: string | undefined;
  /** Attribute `s`. */
  readonly style: string | undefined;
  /** Element `v`; `undefined` where there is none. */
  readonly value: string | undefined;
  /** Element `is`, its escapes still in it. */
  readonly inline: string;
  readonly hasFormula: boolean;
}

export interface CellContext {
  readonly strings: SharedStrings;
  readonly from1904: boolean;
  readonly formatOf: (style: string | undefined) => NumberFormat;
}

/** What is wrong with a cell, wherever it stands. */
export type ValueFault = Omit<CellFault, 'position'>;

export type CellReading = string | ValueFault;

/** Whole numbers of up to 15 digits are kept to the last digit by every spreadsheet program; of longer ones the end is lost. */
const firstInexact = 1e15;

/** @throws {WorkbookError} for a text that the workbook does not have. */
export function readCell(cell: RawCell, context: CellContext): CellReading {
  const { type, value, hasFormula } = cell;
  if (type === 'inlineStr') return unescapeText(cell.inline);
  if (hasFormula && !value && type !== 'str') return withoutValue;
  if (value === undefined) return '';
  switch (type) {
    case 's':
      return value === '' ? '' : context.strings.get(Number(value));
    case 'str':
      return unescapeText(value);
    case 'b':
      return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    case 'e':
      return errorValue(value);
    case 'd':
      return value;
    default:
      return value === '' ? '' : readNumber(value, context.formatOf(cell.style), context.from1904);
  }
}

function readNumber(value: string, format: NumberFormat, from1904: boolean): CellReading {
  const number = Number(value);
  if (!Number.isFinite(number)) return noNumber(value);
  switch (format.kind) {
    case 'date':
    case 'time':
      return readSerialDate(number, format.kind === 'time', from1904) ?? noDate(value);
    case 'elapsed':
      return readElapsed(number) ?? noDate(value);
  }
  if (Math.abs(number) >= firstInexact) return digitsLost(value, number);
  if (!Number.isInteger(number)) return plainDecimal(number);
  return format.kind === 'digits' && number >= 0
    ? String(number).padStart(format.width, '0')
    : String(number);
}

/** At most 15 digits, as the spreadsheet program shows it: 0.1 + 0.2 is kept as 0.30000000000000004. */
function plainDecimal(number: number): string {
  const rounded = Number(number.toPrecision(15));
  const text = String(rounded);
  return text.includes('e') ? rounded.toFixed(20).replace(/0+$/, '') : text;
}

const withoutValue: ValueFault = {
  code: 'formula_without_value',
  value: '',
  problem: 'the cell holds a formula, and the workbook does not hold what comes of it',
  cure: 'Open the workbook in the spreadsheet program and save it, or type the value in place of the formula.',
};

function errorValue(value: string): ValueFault {
  return {
    code: 'cell_error',
    value: showValue(value),
    problem: `the cell shows the error ${showValue(value)}`,
    cure: 'Mend the formula, or type the value in its place.',
  };
}

function digitsLost(value: string, number: number): ValueFault {
  return {
    code: 'digits_lost',
    value: showValue(Number.isSafeInteger(number) ? String(number) : value),
    problem:
      'the cell holds a number of more than 15 digits, and the spreadsheet program has not kept the last ones',
    cure: 'Format the column as text, then type or paste the number again.',
  };
}

function noDate(value: string): ValueFault {
  return {
    code: 'impossible_time',
    value: showValue(value),
    problem: 'the cell is formatted as a date, and its number is none',
    cure: 'Type the date again, as in 2026-12-01 10:00.',
  };
}

function noNumber(value: string): ValueFault {
  return {
    code: 'broken_cell',
    value: showValue(value),
    problem: 'the cell is kept as a number, and holds none',
    cure: 'Type the value again.',
  };
}
