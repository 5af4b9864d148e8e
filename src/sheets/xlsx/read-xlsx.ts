/**
 * Reads XLSX workbooks of Excel, LibreOffice, Google Sheets and Numbers. Streams the sheet; keeps only the shared texts in memory.
 */
import { Expansion } from '../bounds.ts';
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

interface XlsxOptions extends Pick<SheetOptions, 'headerLine' | 'map' | 'rememberedMap'> {
  /** Name of the sheet; default: the first visible one. */
  readonly sheet?: string | undefined;
}

/** From its header on, without blank rows. @throws {UnreadableSheetError} where it becomes unreadable, after the rows before. */
export async function* readXlsx(
  path: string,
  options: XlsxOptions = {},
): AsyncGenerator<readonly SheetRow[]> {
  let line = 1;
  try {
    await using workbook = await openWorkbook(path);
    const sheet = chooseSheet(workbook, options.sheet);
    const merged = new MergedCells(await readMerges(workbook.parts, sheet.part));
    const expansion = new Expansion(workbook.parts.fileBytes);
    const context = await readContext(workbook);
    const { headerLine = (await readHeader(workbook, sheet, context, options))?.line ?? 1 } = options;
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
      line = worksheet.line;
      yield worksheet.take();
      throw error;
    }
  } catch (error) {
    throw asUnreadable(error, line);
  }
}

/** In this order, each once; default: the first visible. @returns their names, and whether it is that alone. */
export async function findSheets(
  path: string,
  names: readonly string[] | undefined,
): Promise<{ readonly names: readonly string[]; readonly isFirst: boolean }> {
  try {
    await using workbook = await openWorkbook(path);
    const chosen = chooseSheets(workbook, names);
    if (chosen.length > mostWorksheets) {
      const problem = `${chosen.length} sheets are named; ${mostWorksheets} can be read as one`;
      throw unreadable(1, 'too_many_sheets', problem, 'Import them in several parts.');
    }
    const first = workbook.sheets.find(({ hidden }) => !hidden);
    return { names: chosen.map(({ name }) => name), isFirst: chosen.length === 1 && chosen[0] === first };
  } catch (error) {
    throw asUnreadable(error, 1);
  }
}

/** After the first one. @param most sheets to look at. @returns the visible names in tab order, and the one found. */
export async function findSheet(
  path: string,
  most: number,
  fits: (header: readonly string[]) => boolean,
): Promise<{ readonly names: readonly string[]; readonly found: string | undefined }> {
  try {
    await using workbook = await openWorkbook(path);
    const visible = workbook.sheets.filter(({ hidden }) => !hidden);
    const names = visible.map(({ name }) => name);
    const context = await readContext(workbook);
    for (const sheet of visible.slice(1, most + 1)) {
      const header = await readHeader(workbook, sheet, context, {});
      if (fits(header?.cells ?? [])) return { names, found: sheet.name };
    }
    return { names, found: undefined };
  } catch (error) {
    throw asUnreadable(error, 1);
  }
}

/** @param chosen those that are read; undefined: the first visible. @param most sheets to look at. @throws {UnreadableSheetError} */
export async function readOtherHeaders(
  path: string,
  chosen: readonly string[] | undefined,
  most: number,
): Promise<readonly { readonly name: string; readonly cells: readonly string[] }[]> {
  try {
    await using workbook = await openWorkbook(path);
    const read = chooseSheets(workbook, chosen);
    const others = workbook.sheets.filter((sheet) => !sheet.hidden && !read.includes(sheet)).slice(0, most);
    if (others.length === 0) return [];
    const context = await readContext(workbook);
    const found: { readonly name: string; readonly cells: readonly string[] }[] = [];
    for (const sheet of others) {
      const header = await readHeader(workbook, sheet, context, {});
      found.push({ name: sheet.name, cells: header?.cells ?? [] });
    }
    return found;
  } catch (error) {
    throw asUnreadable(error, 1);
  }
}

/** The sheets of these names, in this order, each once. @throws {WorkbookError} */
function chooseSheets(workbook: Workbook, names: readonly string[] | undefined): readonly Sheet[] {
  return [...new Set((names ?? [undefined]).map((name) => chooseSheet(workbook, name)))];
}

/** The header of a sheet; undefined if its first rows are blank or cannot be read. */
async function readHeader(
  { parts }: Workbook,
  { part }: Sheet,
  context: CellContext,
  options: XlsxOptions,
): Promise<SheetRow | undefined> {
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
    if (!(error instanceof WorkbookError || error instanceof UnreadableSheetError)) throw error;
  }
  return findHeaderRow(rows, options);
}

async function readContext({ parts, from1904, ...workbook }: Workbook): Promise<CellContext> {
  const styles = await readStyles(parts, workbook.styles);
  const strings = await readSharedStrings(parts, workbook.sharedStrings);
  return { strings, from1904, styleOf: (style) => styleOf(styles, style) };
}

function asUnreadable(error: unknown, line: number): unknown {
  if (!(error instanceof WorkbookError)) return error;
  return unreadable(line, error.code, error.message, error.fix);
}
