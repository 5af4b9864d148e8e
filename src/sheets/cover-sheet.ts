/** Finds the sheet that looks like the manifest when the first sheet of a workbook is a cover page. */

import { requiredColumns } from '../manifest/columns.ts';
import { matchHeader } from '../manifest/headers/header.ts';
import { hint } from '../manifest/problems/hint.ts';
import { showValue } from '../manifest/problems/problem.ts';
import { type SheetOptions, type UnreadableSheetError, unreadable } from './sheet.ts';
import { findSheet } from './xlsx/read-xlsx.ts';

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
  if (options.sheet !== undefined || lackedColumns(header, options) <= requiredColumns.length / 2)
    return undefined;
  const { names, found } = await findSheet(
    path,
    mostSheetsLookedAt,
    (cells) => cells.length > 0 && lackedColumns(cells, options) === 0,
  );
  if (found === undefined) return undefined;
  const meant = showValue(found);
  return unreadable(
    1,
    'cover_sheet',
    `the first sheet, "${showValue(names[0] ?? '')}", is not a manifest; "${meant}" looks like one`,
    [`The workbook has ${names.length} visible sheets.`, hint('chooseSheet', { sheet: meant })],
  );
}

/** Counts the required columns that the header lacks. */
export function lackedColumns(header: readonly string[], { map }: SheetOptions): number {
  const { problems } = matchHeader(header, { allowUnknownColumns: true, allowResultsSheet: true, map });
  return problems.filter(({ code }) => code === 'missing_column').length;
}
