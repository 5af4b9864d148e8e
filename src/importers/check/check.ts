/**
 * Checks a manifest row by row and collects every problem. Passes on valid rows at once, so that memory does not grow with the
 * number of rows. Sends nothing except look-ups of creators.
 *
 * Each batch of rows is read, then checked against earlier rows (keys), the clock, the service (creators), the media and the settings.
 */
import { requiredColumns } from '../../manifest/columns.ts';
import { matchHeader } from '../../manifest/headers/header.ts';
import { type Problem, placeProblem, showValue } from '../../manifest/problems/problem.ts';
import { HeaderError } from '../../manifest/reader.ts';
import { lackedColumns, type OpenSheet, openSheet } from '../../sheets/open-sheet.ts';
import {
  type ManifestSource,
  type SheetFormat,
  type SheetOptions,
  type SheetRow,
  UnreadableSheetError,
} from '../../sheets/sheet.ts';
import type { CheckOptions } from './checked-row.ts';
import { ManifestRun, type RowSink, type RunResult } from './manifest-run.ts';

/** What a check found: the problems of a sheet, warnings, and the plan. */
export interface CheckResult extends RunResult {
  /** The detected format; `null` if the file could not be opened. */
  readonly format: SheetFormat | null;
  /** Name of the campaign in the file. */
  readonly name: string | undefined;
  /** SHA-256 of the file's bytes in lowercase hex; `null` if the file was not read to its end. */
  readonly sha256: string | null;
}

/**
 * Checks a manifest.
 * @param onRows takes the accepted rows. The check waits for it.
 * @throws {ColumnMapError} if the map names a header that the sheet lacks.
 * @throws errors of the source, the look-ups and the sinks. Problems of the manifest are part of the result.
 */
export async function checkManifest(
  source: ManifestSource,
  options: CheckOptions,
  onRows: RowSink,
): Promise<CheckResult> {
  const run = new ManifestRun(options, onRows);
  let sheet: OpenSheet | undefined;
  let sha256: string | null = null;
  const blockHeader = async (error: HeaderError) => {
    const below = sheet && (await findHeaderBelow(sheet, options.sheet));
    if (below === undefined) run.blockHeader(error);
    else run.block(below);
  };
  try {
    sheet = await openSheet(source, options.sheet);
    const checks = await run.begin(sheet);
    for await (const rows of sheet.rows) await run.check(checks, rows);
    sha256 = sheet.digest();
    run.end();
  } catch (error) {
    if (error instanceof UnreadableSheetError) run.block(error.problem);
    else if (error instanceof HeaderError) await blockHeader(error);
    else throw error;
  } finally {
    await sheet?.close();
  }
  await run.flush();
  const { format = null, name } = sheet ?? {};
  return { ...run.result(), format, name, sha256 };
}

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
