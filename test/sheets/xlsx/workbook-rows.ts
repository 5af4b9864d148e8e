/** Rows of a workbook up to its end, or up to the first unreadable place. */
import { type SheetRow, UnreadableSheetError } from '../../../src/sheets/sheet.ts';
import { readXlsx } from '../../../src/sheets/xlsx/read-xlsx.ts';
import { type WorkbookContents, writeWorkbook } from '../../support/sheets/workbook.ts';

export async function readRows(path: string, sheet?: string) {
  const rows: SheetRow[] = [];
  try {
    for await (const batch of readXlsx(path, { sheet })) rows.push(...batch);
    return { rows, failure: undefined };
  } catch (error) {
    if (!(error instanceof UnreadableSheetError)) throw error;
    return { rows, failure: error.problem };
  }
}

/** The rows of a workbook as `[line, ...cells]`. */
export async function linesOf(contents: WorkbookContents, sheet?: string) {
  const { rows, failure } = await readRows(await writeWorkbook(contents), sheet);
  if (failure) throw new Error(failure.problem);
  return rows.map(({ line, cells }) => [line, ...cells]);
}

/** One cell under the header `h`, and its fault. */
export async function readOne(cell: string, contents: Omit<WorkbookContents, 'rows'> = {}) {
  const { rows, failure } = await readRows(await writeWorkbook({ ...contents, rows: underHeader(cell) }));
  if (failure) throw new Error(failure.problem);
  return { text: rows[1]?.cells[0] ?? '', fault: rows[1]?.cellFaults?.[0] };
}

export function underHeader(cell: string): string {
  return `<row><c t="inlineStr"><is><t>h</t></is></c></row><row>${cell}</row>`;
}
