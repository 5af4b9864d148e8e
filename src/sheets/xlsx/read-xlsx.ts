/**
 * Reads XLSX workbooks of Excel, LibreOffice, Google Sheets and Numbers. Streams the sheet; keeps only the shared texts in memory.
 */
import { type SheetOptions, type SheetRow, unreadable } from '../sheet.ts';
import type { CellContext } from './cell.ts';
import { MergedCells } from './merged-cells.ts';
import { readMerges } from './merges.ts';
import { readSharedStrings } from './shared-strings.ts';
import { formatOf, readStyles } from './styles.ts';
import { chooseSheet, openWorkbook, type Sheet, type Workbook } from './workbook.ts';
import { WorkbookError } from './workbook-error.ts';
import { Worksheet } from './worksheet.ts';
import { XmlReader } from './xml.ts';

/**
 * Streams the rows of a sheet, header first, without blank rows. `line` is the row number in the sheet.
 * @throws {UnreadableSheetError} where the workbook becomes unreadable, after the rows before that place.
 */
export async function* readXlsx(
  path: string,
  options: Pick<SheetOptions, 'sheet'> = {},
): AsyncGenerator<readonly SheetRow[]> {
  let line = 1;
  try {
    await using workbook = await openWorkbook(path);
    const sheet = chooseSheet(workbook, options.sheet);
    const merged = new MergedCells(await readMerges(workbook.parts, sheet.part));
    const worksheet = new Worksheet(await readContext(workbook), merged);
    const reader = new XmlReader(sheet.part, worksheet);
    try {
      for await (const bytes of workbook.parts.read(sheet.part)) {
        reader.push(bytes);
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

/** The sheet of this name; `undefined` if it is the default sheet. @throws {UnreadableSheetError} */
export async function otherSheetThanFirst(path: string, name: string): Promise<Sheet | undefined> {
  try {
    await using workbook = await openWorkbook(path);
    const named = chooseSheet(workbook, name);
    const first = workbook.sheets.find(({ hidden }) => !hidden);
    return named === first ? undefined : named;
  } catch (error) {
    throw asUnreadable(error, 1);
  }
}

/** The names of the visible sheets, in tab order. @throws {UnreadableSheetError} */
export async function visibleSheets(path: string): Promise<readonly string[]> {
  try {
    await using workbook = await openWorkbook(path);
    return workbook.sheets.flatMap(({ name, hidden }) => (hidden ? [] : [name]));
  } catch (error) {
    throw asUnreadable(error, 1);
  }
}

async function readContext({ parts, from1904, ...workbook }: Workbook): Promise<CellContext> {
  const styles = await readStyles(parts, workbook.styles);
  const strings = await readSharedStrings(parts, workbook.sharedStrings);
  return { strings, from1904, formatOf: (style) => formatOf(styles, style) };
}

function asUnreadable(error: unknown, line: number): unknown {
  if (!(error instanceof WorkbookError)) return error;
  return unreadable(line, error.code, error.message, error.cure);
}
