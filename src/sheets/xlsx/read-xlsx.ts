/**
 * Reads XLSX workbooks of Excel, LibreOffice, Google Sheets and Numbers. Streams the sheet; keeps only the shared texts in memory.
 */
import { Expansion } from '../bounds-check.ts';
import { findHeaderRow, rowsLookedAt } from '../header-line.ts';
import {
  mostWorksheets,
  type SheetOptions,
  type SheetRow,
  UnreadableSheetError,
  unreadable,
} from '../sheet.ts';
import type { CellContext } from './cell.ts';
import { MergedCells, readMerges } from './merged-cells.ts';
import { readStyles, styleOf } from './styles.ts';
import { readSharedStrings } from './texts.ts';
import { chooseSheet, openWorkbook, type Sheet, type Workbook } from './workbook.ts';
import { WorkbookError } from './workbook-error.ts';
import { Worksheet } from './worksheet.ts';
import { XmlReader } from './xml.ts';

/** Cells may be thousands of times as long as their XML, so not much of it is read at once. */
const sliceBytes = 4096;
/** A header stands within the first rows. */
const mostBeforeHeader = 1024 * 1024;

interface XlsxOptions extends Pick<SheetOptions, 'headerLine' | 'map'> {
  /** Name of the sheet; default: the first visible one. */
  readonly sheet?: string | undefined;
  /** Gets the rows above the header, such as a title. */
  readonly onAbove?: (rows: readonly SheetRow[]) => void;
}

/** From its header on, without blank rows. @throws {UnreadableSheetError} where it becomes unreadable, after the rows before. */
export async function* readXlsx(
  path: string,
  options: XlsxOptions = {},
): AsyncGenerator<readonly SheetRow[]> {
  await using workbook = await openWorkbook(path);
  const sheet = chooseSheet(workbook, options.sheet);
  const merged = new MergedCells(await readMerges(workbook.parts, sheet.part));
  const expansion = new Expansion(workbook.parts.fileBytes);
  const context = await readContext(workbook);
  const top = await readTop(workbook, sheet, context);
  const { headerLine = findHeaderRow(top, options)?.line ?? 1 } = options;
  options.onAbove?.(top.filter(({ line }) => line < headerLine));
  const worksheet = new Worksheet(context, merged, expansion, headerLine);
  const reader = new XmlReader(sheet.part, worksheet);
  try {
    for await (const bytes of workbook.parts.read(sheet.part)) {
      for (let start = 0; start < bytes.length; start += sliceBytes) {
        reader.push(bytes.subarray(start, start + sliceBytes));
        if (worksheet.isFull) yield worksheet.take();
      }
      yield worksheet.take();
    }
    reader.end();
  } catch (error) {
    yield worksheet.take();
    throw error instanceof WorkbookError ? error.at(worksheet.line) : error;
  }
}

/** The sheets of a workbook, before their rows are read. */
export interface WorkbookSurvey {
  /** The sheets to read, in the order named, each once; by default the first visible one. */
  readonly names: readonly string[];
  /** Whether that is the first visible one alone. */
  readonly isFirst: boolean;
  /** Names in tab order. */
  readonly visible: readonly string[];
  /** The headers of visible sheets that are not read. */
  readonly others: readonly HeadersOfSheet[];
  readonly hidden: readonly HeadersOfSheet[];
}

interface HeadersOfSheet {
  readonly name: string;
  readonly cells: readonly string[];
  readonly isActive: boolean;
}

/** @param chosen sheets to read; undefined: the first visible. @param most others to look at. @throws {UnreadableSheetError} */
export async function surveyWorkbook(
  path: string,
  chosen: readonly string[] | undefined,
  most: number,
): Promise<WorkbookSurvey> {
  await using workbook = await openWorkbook(path);
  const read = chooseSheets(workbook, chosen);
  const visible = workbook.sheets.filter(({ hidden }) => !hidden);
  return {
    names: read.map(({ name }) => name),
    isFirst: read.length === 1 && read[0] === visible[0],
    visible: visible.map(({ name }) => name),
    others: await readHeaders(workbook, visible.filter((sheet) => !read.includes(sheet)).slice(0, most)),
    hidden: await readHeaders(
      workbook,
      workbook.sheets.filter((sheet) => sheet.hidden && !read.includes(sheet)).slice(0, most),
    ),
  };
}

/** The sheets of these names, in this order, each once. @throws {UnreadableSheetError} */
function chooseSheets(workbook: Workbook, names: readonly string[] | undefined): readonly Sheet[] {
  const chosen = [...new Set((names ?? [undefined]).map((name) => chooseSheet(workbook, name)))];
  if (chosen.length <= mostWorksheets) return chosen;
  const problem = `${chosen.length} sheets are named; ${mostWorksheets} can be read as one`;
  throw unreadable(1, 'too_many_sheets', problem, 'Import them in several parts.');
}

/** The headers of the first visible sheets. @throws {UnreadableSheetError} */
export async function readVisibleHeaders(path: string, most: number): Promise<readonly HeadersOfSheet[]> {
  await using workbook = await openWorkbook(path);
  return await readHeaders(workbook, workbook.sheets.filter(({ hidden }) => !hidden).slice(0, most));
}

async function readHeaders(workbook: Workbook, sheets: readonly Sheet[]): Promise<readonly HeadersOfSheet[]> {
  if (sheets.length === 0) return [];
  const context = await readContext(workbook);
  const found: HeadersOfSheet[] = [];
  for (const sheet of sheets) {
    const header = findHeaderRow(await readTop(workbook, sheet, context), {});
    found.push({ name: sheet.name, cells: header?.cells ?? [], isActive: sheet.isActive });
  }
  return found;
}

/** The first rows of a sheet, among which its header is; none if they are blank or cannot be read. */
async function readTop(
  { parts }: Workbook,
  { part }: Sheet,
  context: CellContext,
): Promise<readonly SheetRow[]> {
  const worksheet = new Worksheet(context, new MergedCells([]), new Expansion(parts.fileBytes), undefined);
  const rows: SheetRow[] = [];
  try {
    const reader = new XmlReader(part, worksheet);
    let read = 0;
    for await (const bytes of parts.read(part)) {
      for (let start = 0; start < bytes.length && rows.length < rowsLookedAt; start += sliceBytes) {
        reader.push(bytes.subarray(start, start + sliceBytes));
        rows.push(...worksheet.take());
      }
      read += bytes.length;
      if (read > mostBeforeHeader || rows.length >= rowsLookedAt) break;
    }
  } catch (error) {
    // Reading the rows reports it.
    if (!(error instanceof UnreadableSheetError)) throw error;
  }
  return rows;
}

async function readContext({ parts, from1904, ...workbook }: Workbook): Promise<CellContext> {
  const styles = await readStyles(parts, workbook.styles);
  const strings = await readSharedStrings(parts, workbook.sharedStrings);
  return { strings, from1904, styleOf: (style) => styleOf(styles, style) };
}
