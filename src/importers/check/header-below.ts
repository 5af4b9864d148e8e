/** Finds the header of a sheet that has a title or notes above it. */
import { requiredColumns } from '../../manifest/columns.ts';
import { matchHeader } from '../../manifest/headers/header.ts';
import { type Problem, placeProblem, showValue } from '../../manifest/problems/problem.ts';
import { lackedColumns, type OpenSheet } from '../../sheets/open-sheet.ts';
import { type SheetOptions, type SheetRow, UnreadableSheetError } from '../../sheets/sheet.ts';

const rowsLookedAt = 20;

/**
 * Reads rows.
 * @returns a problem with the line of the likely header; undefined if the first line may be the header, or no line looks like
 *   one.
 */
export async function findHeaderBelow(
  { header, rows, called }: OpenSheet,
  options: SheetOptions = {},
): Promise<Problem | undefined> {
  const lacked = lackedColumns(header.cells, options);
  if (called !== 'header' || lacked <= requiredColumns.length / 2) return undefined;
  const found = await findRow(rows, (row) => mayBeHeader(row, options));
  if (found === undefined) return undefined;
  const { line } = header;
  return placeProblem(line, null, {
    column: null,
    code: 'header_below',
    value: showValue(header.cells.find((cell) => cell.trim() !== '') ?? ''),
    problem: `line ${line} is not the header; line ${found.line} looks like it`,
    cure: 'Delete the lines above the header.',
  });
}

/**
 * Whether a line may be the header. In a workbook, only cells within the width of its first line are kept, and all of those must
 * be names of columns.
 */
function mayBeHeader({ cells, cellFaults = [] }: SheetRow, options: SheetOptions): boolean {
  if (lackedColumns(cells, options) === 0) return true;
  if (!cellFaults.some(({ code }) => code === 'cell_without_header')) return false;
  const names = cells.filter((cell) => cell.trim() !== '');
  const { problems } = matchHeader(names, {
    map: options.map,
    allowUnknownColumns: false,
    allowResultsSheet: true,
  });
  return names.length > 0 && problems.every(({ code }) => code !== 'unknown_column');
}

async function findRow(
  rows: OpenSheet['rows'],
  fits: (row: SheetRow) => boolean,
): Promise<SheetRow | undefined> {
  let looked = 0;
  try {
    for await (const part of rows) {
      const found = part.slice(0, rowsLookedAt - looked).find(fits);
      looked += part.length;
      if (found !== undefined || looked >= rowsLookedAt) return found;
    }
  } catch (error) {
    // The header is at fault already.
    if (!(error instanceof UnreadableSheetError)) throw error;
  }
  return undefined;
}
