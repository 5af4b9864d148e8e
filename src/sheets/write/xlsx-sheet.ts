/**
 * Streams sheets into XLSX workbooks. Cells are text, so that nothing runs as a formula and no id loses a digit. Only columns that are
 * named as numbers hold numbers, as long as a spreadsheet program keeps their digits.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { literalCell } from '../../manifest/cells/formula.ts';
import { columnLetters } from '../../manifest/headers/column-letters.ts';
import { inBatches, type SheetLines } from './text-sheets.ts';

/** The sheet does not fit into a workbook. */
export class UnfitForXlsxError extends Error {
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

export interface WorkbookSheet {
  /** At most 31 characters, without XML special characters. */
  readonly name: string;
  readonly lines: SheetLines;
  /** Columns whose cells are numbers. */
  readonly numbers?: ReadonlySet<string> | undefined;
}

/**
 * Encodes a workbook. Passes on errors of the lines.
 * @throws {UnfitForXlsxError}
 */
export async function* encodeWorkbook(sheets: readonly WorkbookSheet[]): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  // Its type declaration is too wide: the stream is a Readable.
  const output = zip.outputStream as Readable;
  const names = sheets.map(({ name }) => name);
  for (const [name, xml] of Object.entries(fixedParts(names))) zip.addBuffer(Buffer.from(xml), name);
  const streams = sheets.map((sheet) => Readable.from(encodeSheet(sheet)));
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

async function* encodeSheet({ lines, numbers }: WorkbookSheet): AsyncGenerator<Buffer> {
  let xml = '';
  let row = 0;
  let header: readonly string[] = [];
  let names: readonly string[] = [];
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
      xml += encodeRow(row, cells, names, header, numbers);
    }
    if (xml.length < bufferedCharacters) continue;
    yield Buffer.from(xml);
    xml = '';
  }
  if (row === 0) xml = sheetBegin([]);
  yield Buffer.from(xml + sheetEnd(`${names.at(-1) ?? 'A'}${Math.max(row, 1)}`));
}

/** Spreadsheet programs keep 15 digits of a number. */
const mostDigits = 15;
const plainNumber = /^-?(\d{1,15})(?:\.(\d{1,15}))?$/;

function isExactNumber(cell: string): boolean {
  const [, whole = '', fraction = ''] = plainNumber.exec(cell) ?? [];
  return whole !== '' && whole.length + fraction.length <= mostDigits;
}

function encodeRow(
  row: number,
  cells: readonly string[],
  names: readonly string[],
  header: readonly string[],
  numbers: ReadonlySet<string> | undefined,
): string {
  const style = row === 1 ? headerStyle : textStyle;
  let xml = `<row r="${row}">`;
  for (let position = 0; position < cells.length; position += 1) {
    const cell = cells[position] ?? '';
    if (cell === '') continue;
    if (row > 1 && numbers?.has(header[position] ?? '') && isExactNumber(cell)) {
      xml += `<c r="${names[position] ?? ''}${row}" s="${numberStyle}"><v>${cell}</v></c>`;
      continue;
    }
    const text = literalCell(cell);
    if (text.length > longestCell) {
      throw new UnfitForXlsxError(
        `row ${row} has ${text.length} characters in column ${header[position] ?? position + 1}; a cell can hold ${longestCell}`,
      );
    }
    xml +=
      `<c r="${names[position] ?? ''}${row}" s="${style}" t="inlineStr"><is>` +
      `<t xml:space="preserve">${escapeText(text)}</t></is></c>`;
  }
  return `${xml}</row>`;
}

const markup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Characters that XML cannot hold or would change, and text that looks like an escape of one. */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
  /[&<>\0-\x08\x0b-\x1f\x7f\ufffe\uffff\p{Cs}]|_(?=x[0-9A-Fa-f]{4}(?:_|[\0-\x08\x0b-\x1f\x7f\ufffe\uffff\p{Cs}]))/gu;

function escapeText(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return markup[character] ?? `_x${code}_`;
  });
}

/** Width of each column, in characters. */
function measure(lines: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const cells of lines) {
    for (const [position, cell] of cells.entries()) {
      widths[position] = Math.min(Math.max(widths[position] ?? narrowest, cell.length + 2), widest);
    }
  }
  return widths;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageFormats = 'http://schemas.openxmlformats.org/package/2006';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Name of the part with the rows of a sheet. @param index of the sheet, from 0. */
export function sheetPart(index: number): string {
  return `xl/${sheetTarget(index)}`;
}

function sheetTarget(index: number): string {
  return `worksheets/sheet${index + 1}.xml`;
}

/** Numbers of the styles. The last two format cells as text, so that an id typed into a cell keeps its digits. */
export const numberStyle = 0;
export const textStyle = 1;
export const headerStyle = 2;

/** @param names of the sheets in tab order: at most 31 characters each, without XML special characters. */
export function fixedParts(names: readonly string[]): Readonly<Record<string, string>> {
  const sheets = names.map(
    (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const overrides = names.map(
    (_name, index) =>
      `<Override PartName="/${sheetPart(index)}" ContentType="${contentType}.worksheet+xml"/>`,
  );
  return {
    '[Content_Types].xml':
      `${declaration}<Types xmlns="${packageFormats}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
      `${overrides.join('')}<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml':
      `${declaration}<workbook xmlns="${main}" xmlns:r="${officeRelationships}">` +
      `<bookViews><workbookView/></bookViews><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...names.map((_name, index) => ['worksheet', sheetTarget(index)] as const),
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml':
      `${declaration}<styleSheet xmlns="${main}">` +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
      '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
      '<fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
      '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
      '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
      '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  };
}

/** XML before the rows: freezes the header and sets the widths of the columns, in characters. */
export function sheetBegin(widths: readonly number[]): string {
  const columns = widths.map((width, index) => {
    const column = index + 1;
    return `<col min="${column}" max="${column}" width="${width}" style="${textStyle}" customWidth="1"/>`;
  });
  return (
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>`
  );
}

/** XML after the rows: turns off the warning about numbers stored as text. */
export function sheetEnd(lastCell: string): string {
  return `</sheetData><ignoredErrors><ignoredError sqref="A1:${lastCell}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const entries = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${officeRelationships}/${type}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packageFormats}/relationships">${entries.join('')}</Relationships>`;
}
