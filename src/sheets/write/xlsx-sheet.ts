/**
 * Streams sheets into XLSX workbooks. Cells are text, so that nothing runs as a formula and no id loses a digit. Only columns that are
 * named as numbers or dates hold such, as long as they are read back as the same text.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { literalCell } from '../../manifest/cells/formula-guard.ts';
import { thousands } from '../../manifest/wording.ts';
import { columnLetters } from '../sheet.ts';
import { readSerialDate, serialOf } from '../xlsx/cell.ts';
import { inBatches, type SheetLines } from './text-sheets.ts';
import { fixedParts, type StyleName, sheetBegin, sheetEnd, sheetPart, styleNumbers } from './xlsx-parts.ts';

class UnfitForXlsxError extends Error {
  override readonly name = 'UnfitForXlsxError';
}

/** Limits of the format: UTF-16 units per cell, columns, and rows including the header. */
const longestCell = 32_767;
const mostColumns = 16_384;
const mostRows = 1_048_576;

/** Bounds of the column widths, in characters. The first lines decide the width. */
const narrowest = 8;
const widest = 60;
const bufferedCharacters = 64 * 1024;

interface WorkbookSheet {
  /** At most 31 characters, without XML special characters. */
  readonly name: string;
  readonly lines: SheetLines;
  readonly numbers?: ReadonlySet<string> | undefined;
  /** Columns in which dates and times of day, written as `2026-12-01 10:00`, are real ones. */
  readonly dates?: ReadonlySet<string> | undefined;
}

/** A sheet for people: tables among titles, with cells of any kind. */
interface FreeSheet {
  readonly name: string;
  readonly widths: readonly number[];
  readonly rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
}

/** Text, or a value in the style of its kind; undefined: empty. A percentage is given as a ratio, a date as in `dates`. */
export type Cell =
  | string
  | undefined
  | { readonly title: string }
  | { readonly head: string }
  | { readonly number: number }
  | { readonly percent: number }
  | { readonly date: string };

/** Passes on errors of the lines. @throws {UnfitForXlsxError} */
export async function* encodeWorkbook(
  sheets: readonly (WorkbookSheet | FreeSheet)[],
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  // Its type declaration is too wide: the stream is a Readable.
  const output = zip.outputStream as Readable;
  const names = sheets.map(({ name }) => name);
  for (const [name, xml] of Object.entries(fixedParts(names))) zip.addBuffer(Buffer.from(xml), name);
  const streams = sheets.map((sheet) =>
    Readable.from('rows' in sheet ? encodeFreeSheet(sheet) : encodeSheet(sheet)),
  );
  // The archive and its output do not end by themselves when a source fails.
  for (const source of [zip, ...streams]) source.on('error', (error: Error) => output.destroy(error));
  for (const [index, stream] of streams.entries()) zip.addReadStream(stream, sheetPart(index));
  zip.end();
  try {
    for await (const bytes of output) yield bytes as Buffer;
  } finally {
    for (const stream of streams) stream.destroy();
  }
}

async function* encodeSheet({ lines, numbers, dates }: WorkbookSheet): AsyncGenerator<Buffer> {
  let xml = '';
  let row = 0;
  let header: readonly string[] = [];
  let names: readonly string[] = [];
  let kinds: readonly ColumnKind[] | undefined;
  for await (const batch of inBatches(lines)) {
    if (row === 0) {
      const widths = measure(batch);
      if (widths.length > mostColumns) throw new UnfitForXlsxError(`it has ${widths.length} columns`);
      header = batch[0] ?? [];
      names = widths.map((_width, position) => columnLetters(position));
      xml = sheetBegin(widths);
    }
    for (const cells of batch) {
      row += 1;
      if (row > mostRows) throw new UnfitForXlsxError(`it has more than ${mostRows - 1} rows`);
      if (row > 1) kinds ??= header.map((name) => kindOf(name, numbers, dates));
      xml += encodeRow(row, cells, names, { header, kinds });
    }
    if (xml.length < bufferedCharacters) continue;
    yield Buffer.from(xml);
    xml = '';
  }
  if (row === 0) xml = sheetBegin([]);
  yield Buffer.from(xml + sheetEnd(`${names.at(-1) ?? 'A'}${Math.max(row, 1)}`));
}

async function* encodeFreeSheet({ widths, rows }: FreeSheet): AsyncGenerator<Buffer> {
  let xml = sheetBegin(widths, false);
  let row = 0;
  const names = widths.map((_width, position) => columnLetters(position));
  for await (const cells of rows) {
    row += 1;
    if (row > mostRows) throw new UnfitForXlsxError(`it has more than ${mostRows} rows`);
    xml += `<row r="${row}">`;
    for (const [position, cell] of cells.entries()) {
      xml += encodeCell(`${names[position] ?? columnLetters(position)}${row}`, cell);
    }
    xml += '</row>';
    if (xml.length < bufferedCharacters) continue;
    yield Buffer.from(xml);
    xml = '';
  }
  yield Buffer.from(xml + sheetEnd(`${names.at(-1) ?? 'A'}${Math.max(row, 1)}`));
}

function encodeCell(place: string, cell: Cell): string {
  if (cell === undefined || cell === '') return '';
  if (typeof cell === 'string') return textCell(place, literalCell(cell), 'text');
  if ('title' in cell) return textCell(place, literalCell(cell.title), 'title');
  if ('head' in cell) return textCell(place, literalCell(cell.head), 'header');
  if ('percent' in cell) return valueCell(place, String(cell.percent), 'percent');
  if ('date' in cell) return dateCell(place, cell.date) ?? textCell(place, literalCell(cell.date), 'text');
  const digits = String(cell.number);
  return isExactNumber(digits) ? valueCell(place, digits, 'grouped') : textCell(place, digits, 'text');
}

/** Spreadsheet programs keep 15 digits of a number. */
const mostDigits = 15;
const plainNumber = /^-?(\d{1,15})(?:\.(\d{1,15}))?$/;

function isExactNumber(cell: string): boolean {
  const [, whole = '', fraction = ''] = plainNumber.exec(cell) ?? [];
  return whole !== '' && whole.length + fraction.length <= mostDigits;
}

type ColumnKind = 'number' | 'date' | undefined;

function kindOf(
  name: string,
  numbers: ReadonlySet<string> | undefined,
  dates: ReadonlySet<string> | undefined,
): ColumnKind {
  if (numbers?.has(name)) return 'number';
  return dates?.has(name) ? 'date' : undefined;
}

function encodeRow(
  row: number,
  cells: readonly string[],
  names: readonly string[],
  {
    header,
    kinds = [],
  }: { readonly header: readonly string[]; readonly kinds: readonly ColumnKind[] | undefined },
): string {
  const style = row === 1 ? 'header' : 'text';
  let xml = `<row r="${row}">`;
  for (let position = 0; position < cells.length; position += 1) {
    const cell = cells[position] ?? '';
    if (cell === '') continue;
    const place = `${names[position] ?? ''}${row}`;
    const kind = kinds[position];
    if (kind === 'number' && isExactNumber(cell)) {
      xml += valueCell(place, cell, 'number');
      continue;
    }
    const date = kind === 'date' ? dateCell(place, cell) : undefined;
    const text = date ?? literalCell(cell);
    if (date === undefined && text.length > longestCell) {
      throw new UnfitForXlsxError(
        `row ${row} has ${thousands(text.length)} characters in column ${header[position] ?? position + 1}; a cell can hold ${thousands(longestCell)}`,
      );
    }
    xml += date ?? textCell(place, text, style);
  }
  return `${xml}</row>`;
}

function valueCell(place: string, value: string, style: StyleName): string {
  return `<c r="${place}" s="${styleNumbers[style]}"><v>${value}</v></c>`;
}

/** @param text as `literalCell` has it. */
function textCell(place: string, text: string, style: StyleName): string {
  return (
    `<c r="${place}" s="${styleNumbers[style]}" t="inlineStr"><is>` +
    `<t xml:space="preserve">${escapeText(text)}</t></is></c>`
  );
}

/** A real date, time of day, or both; undefined for a text that would be read back as another one. */
function dateCell(place: string, text: string): string | undefined {
  const serial = serialOf(text, false);
  if (serial === undefined) return undefined;
  const style = styleOfDate(text);
  if (readSerialDate(serial, style !== 'day', false) !== text) return undefined;
  return valueCell(place, String(serial), style);
}

function styleOfDate(text: string): StyleName {
  if (!text.includes('-')) return 'time';
  if (!text.includes(':')) return 'day';
  return /:\d{2}:/.test(text) ? 'second' : 'minute';
}

const markup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Characters that XML cannot hold or would change, and text that looks like an escape of one. */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
  /[&<>\0-\x08\x0b-\x1f\x7f\ufffe\uffff\p{Cs}]|_(?=x[0-9A-Fa-f]{4}(?:_|[\0-\x08\x0b-\x1f\x7f\ufffe\uffff\p{Cs}]))/gu;

/** Text as the XML of a cell. */
export function escapeText(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return markup[character] ?? `_x${code}_`;
  });
}

/** Fitting width of each column, in characters. */
export function measure(lines: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const cells of lines) {
    for (const [position, cell] of cells.entries()) {
      widths[position] = Math.min(Math.max(widths[position] ?? narrowest, cell.length + 2), widest);
    }
  }
  return widths;
}
