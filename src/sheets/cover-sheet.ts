/** Finds the sheet that looks like the manifest when the first sheet of a workbook is a cover page. */

import { requiredColumns } from '../manifest/columns.ts';
import { matchHeader } from '../manifest/header.ts';
import { showValue } from '../manifest/problem.ts';
import { type SheetOptions, type UnreadableSheetError, unreadable } from './sheet.ts';
import { readXlsx, visibleSheets } from './xlsx/read-xlsx.ts';

const mostSheetsLookedAt = 20;

/**
 * @param header of the first sheet; empty if the sheet is empty.
 * @returns an error that names the likely sheet; `undefined` if no other sheet looks like a manifest or the first one may be it.
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
      `the first sheet, "${showValue(cover ?? '')}", is not a manifest; "${meant}" looks like one`,
      `The workbook has ${others.length + 1} visible sheets. Name the right one: --sheet "${meant}"`,
    );
  }
  return undefined;
}

/** Counts the required columns that the header lacks. */
function lacking(header: readonly string[], { map }: SheetOptions): number {
  const { problems } = matchHeader(header, { allowUnknownColumns: true, allowResultsSheet: true, map });
  return problems.filter(({ code }) => code === 'missing_column').length;
}

async function readHeader(path: string, sheet: string): Promise<readonly string[]> {
  for await (const [first] of readXlsx(path, { sheet })) if (first !== undefined) return first.cells;
  return [];
}
