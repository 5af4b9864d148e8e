/** A workbook whose first sheet is a cover: the sheet that was meant is another one, and the message names it. */

import { requiredColumns } from '../manifest/columns.ts';
import { matchHeader } from '../manifest/header.ts';
import { showValue } from '../manifest/problem.ts';
import { type SheetOptions, type UnreadableSheetError, unreadable } from './sheet.ts';
import { readXlsx, visibleSheets } from './xlsx/read-xlsx.ts';

const mostSheetsLookedAt = 20;

/**
 * @param header of the first sheet; none where it is empty.
 * @returns the error that tells which sheet looks like the manifest; `undefined` where none does, or the first may well be it.
 */
export async function findCoverFault(
  path: string,
  header: readonly string[],
  options: SheetOptions,
): Promise<UnreadableSheetError | undefined> {
  if (options.sheet !== undefined || lacking(header, options) <= requiredColumns.length / 2) return undefined;
  const [cover, ...others] = await visibleSheets(path);
  for (const sheet of others.slice(0, mostSheetsLookedAt)) {
    if (lacking(await readHeader(path, sheet), options) > 0) continue;
    const meant = showValue(sheet);
    return unreadable(
      1,
      'cover_sheet',
      `the first sheet, "${showValue(cover ?? '')}", is no manifest; "${meant}" looks like one`,
      `Name the sheet: --sheet "${meant}". The workbook has ${others.length + 1} sheets that are visible.`,
    );
  }
  return undefined;
}

/** How many of the columns that every manifest has are not there. */
function lacking(header: readonly string[], { map }: SheetOptions): number {
  const { problems } = matchHeader(header, { allowUnknownColumns: true, allowResultsSheet: true, map });
  return problems.filter(({ code }) => code === 'missing_column').length;
}

async function readHeader(path: string, sheet: string): Promise<readonly string[]> {
  for await (const [first] of readXlsx(path, { sheet })) if (first !== undefined) return first.cells;
  return [];
}
