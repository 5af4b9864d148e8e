/** The text of a cell as the planner sees it. If the workbook did not keep what the planner typed, the cell has a fault. */
import { showValue } from '../../manifest/problems/problem.ts';
import { longestCell } from '../../manifest/sheet-bounds.ts';
import { cellTooLong } from '../bounds-check.ts';
import { errorValue, isErrorValue } from '../error-values.ts';
import type { CellFault } from '../sheet.ts';
import type { CellStyle, NumberFormat } from './styles.ts';
import { type SharedStrings, unescapeText } from './texts.ts';

/** A cell as in the XML of the worksheet. */
interface RawCell {
  /** Attribute `t`: the kind of value; a number if it is missing. */
  readonly type: string | undefined;
  /** Attribute `s`. */
  readonly style: string | undefined;
  /** Element `v`. */
  readonly value: string | undefined;
  /** Element `is`, with its escapes. */
  readonly inline: string;
  readonly hasFormula: boolean;
}

export interface CellContext {
  readonly strings: SharedStrings;
  readonly from1904: boolean;
  readonly styleOf: (style: string | undefined) => CellStyle;
}

type ValueFault = Omit<CellFault, 'position'>;

type CellReading = string | ValueFault;

/** Spreadsheet programs keep whole numbers of up to 15 digits; of longer numbers they lose the last digits. */
const firstInexact = 1e15;

/** @throws {WorkbookError} for a reference to a missing text. */
export function readCell(cell: RawCell, context: CellContext): CellReading {
  const reading = readValue(cell, context);
  if (typeof reading !== 'string') return reading;
  // A text may be one that a formula once had.
  if (isErrorValue(reading)) return errorValue(reading);
  return reading.length > longestCell ? cellTooLong(reading) : reading;
}

/** Whether the text of a cell, or a part of it, is struck through. */
export function isStruck({ type, style, value }: RawCell, { strings, styleOf }: CellContext): boolean {
  return styleOf(style).isStruck || (type === 's' && strings.isStruck(Number(value)));
}

function readValue(cell: RawCell, context: CellContext): CellReading {
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
      return readIsoDate(value, context.styleOf(cell.style).format);
    default:
      return value === '' ? '' : readNumber(value, context.styleOf(cell.style).format, context.from1904);
  }
}

/** @param value as in element `v`. */
export function readNumber(value: string, format: NumberFormat, from1904: boolean): CellReading {
  const number = Number(value);
  if (!Number.isFinite(number)) {
    return fault(
      'broken_cell',
      value,
      'the cell is stored as a number but is not one',
      'Type the value again.',
    );
  }
  switch (format.kind) {
    case 'date':
    case 'time':
      return readSerialDate(number, format.kind === 'time', from1904) ?? noDate(value);
    case 'clock':
      // Some programs store the day, too, on which the time was typed.
      return number < 0 ? noDate(value) : clock(Math.round(number * 86_400) % 86_400);
    case 'elapsed':
      return readElapsed(number) ?? noDate(value);
  }
  if (Math.abs(number) >= firstInexact) return digitsLost(value, number);
  if (!Number.isInteger(number)) return plainDecimal(number);
  return format.kind === 'digits' && number >= 0
    ? String(number).padStart(format.width, '0')
    : String(number);
}

/** Rounds to 15 digits, as spreadsheet programs do for display: 0.1 + 0.2 is stored as 0.30000000000000004. */
function plainDecimal(number: number): string {
  const rounded = Number(number.toPrecision(15));
  const text = String(rounded);
  return text.includes('e') ? withoutTrailingZeros(rounded.toFixed(20)) : text;
}

function withoutTrailingZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, end);
}

const withoutValue: ValueFault = {
  code: 'formula_without_value',
  value: '',
  problem: 'the cell contains a formula, but the workbook does not contain its result',
  fix: 'Open the workbook in the spreadsheet program and save it, or replace the formula with its value.',
};

function digitsLost(value: string, number: number): ValueFault {
  return fault(
    'digits_lost',
    Number.isSafeInteger(number) ? String(number) : value,
    'the number has more than 15 digits, and the spreadsheet program did not keep the last ones',
    'Format the column as text, then type or paste the number again.',
  );
}

function noDate(value: string): ValueFault {
  return fault(
    'impossible_time',
    value,
    'the cell is formatted as a date, but its number is not a date',
    'Type the date again, for example 2026-12-01 10:00.',
  );
}

function fault(code: string, value: string, problem: string, fix: string): ValueFault {
  return { code, value: showValue(value), problem, fix };
}

const dayMs = 86_400_000;
/** Day 0 of workbooks that count from 1900. `lastDay`: 31 December 9999, the last day that Excel shows. */
const epoch1900 = Date.UTC(1899, 11, 30);
const lastDay = 2_958_465;
/** Day 0 of workbooks that count from 1904 has this number in the others. */
const daysTo1904 = 1462;
/** Day 60 is 29 February 1900, which never existed: the days before it are one too low. */
const phantomDay = 60;

/**
 * Converts a date, a time of day, or both.
 * @param serial days and a fraction of a day.
 * @param showsTime whether the cell shows a time of day: then midnight is written too.
 * @returns `2026-12-01` or `2026-12-01 10:00`, with seconds if not zero; `10:00` for less than a day; `null` if no such date exists.
 */
export function readSerialDate(serial: number, showsTime: boolean, from1904: boolean): string | null {
  const shifted = from1904 && serial >= 1 ? serial + daysTo1904 : serial;
  // Ten o'clock is stored as 0.41666666666666669, so round to the second.
  const seconds = Math.round(shifted * 86_400);
  const days = Math.floor(seconds / 86_400);
  if (!(days >= 0 && days <= lastDay)) return null;
  const ofDay = seconds - days * 86_400;
  if (days === 0) return clock(ofDay);
  const date = new Date(epoch1900 + (days < phantomDay ? days + 1 : days) * dayMs).toISOString().slice(0, 10);
  return showsTime || ofDay > 0 ? `${date} ${clock(ofDay)}` : date;
}

const isoDate = /^(\d{4}-\d{2}-\d{2})?T?(?:(\d{2}:\d{2})(:\d{2})?(?:\.\d{1,9})?)?Z?$/;

/** Cells have no zone: the `Z` that some programs write means nothing. @returns as `readSerialDate`; any other text as it is. */
function readIsoDate(value: string, { kind }: NumberFormat): string {
  const [, date = '', minutes = '', seconds = ''] = isoDate.exec(value) ?? [];
  const time = minutes + (seconds === ':00' ? '' : seconds);
  if (date === '' || (kind === 'clock' && time !== '')) return time || value;
  return time === '' || (time === '00:00' && kind !== 'time') ? date : `${date} ${time}`;
}

const writtenDate = /^(?:(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}(?::\d{2})?))?|(\d{2}:\d{2}(?::\d{2})?))$/;

/** @param text as `readSerialDate` returns it. @returns undefined for any other text. Days that do not exist become others. */
export function serialOf(text: string, from1904: boolean): number | undefined {
  const found = writtenDate.exec(text);
  if (found === null) return undefined;
  const [, date, time = '', timeAlone = time] = found;
  const [hours = 0, minutes = 0, seconds = 0] = timeAlone.split(':').map(Number);
  const ofDay = (hours * 3600 + minutes * 60 + seconds) / 86_400;
  if (date === undefined) return ofDay;
  const days = (Date.parse(date) - epoch1900) / dayMs;
  return days - (from1904 ? daysTo1904 : 0) + ofDay;
}

/** A duration in hours and minutes, such as `36:00`; `null` if negative. */
function readElapsed(days: number): string | null {
  const seconds = Math.round(days * 86_400);
  return seconds >= 0 ? clock(seconds) : null;
}

function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const parts = [Math.floor(minutes / 60), minutes % 60];
  if (seconds % 60 !== 0) parts.push(seconds % 60);
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
