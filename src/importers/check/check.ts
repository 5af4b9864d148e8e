/**
 * Checks a manifest row by row and collects every problem. Passes on valid rows at once, so that memory does not grow with the
 * number of rows. Sends nothing except look-ups of creators.
 *
 * Each batch of rows is read, then checked against earlier rows (keys), the clock, the service (creators), the media and the settings.
 */
import { HeaderError } from '../../manifest/reader.ts';
import { type OpenSheet, openSheet } from '../../sheets/open-sheet.ts';
import { type ManifestSource, type SheetFormat, UnreadableSheetError } from '../../sheets/sheet.ts';
import type { CheckOptions } from './checked-row.ts';
import { DefaultRows } from './default-rows.ts';
import { ManifestRun, type RowSink, type RunResult } from './manifest-run.ts';
import { noteAlikeSheets, noteHiddenColumns, noteSkipped } from './unseen-rows.ts';

/** What a check found: the problems of a sheet, warnings, and the plan. */
export interface CheckResult extends RunResult {
  /** The detected format; `null` if the file could not be opened. */
  readonly format: SheetFormat | null;
  /** Line of the headers; `null` for JSON, and if the file could not be opened. */
  readonly headerLine: number | null;
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
  try {
    sheet = await openSheet(source, options.sheet);
    const checks = await run.begin(sheet);
    const defaults = new DefaultRows(sheet.header.cells);
    for await (const rows of sheet.rows) await run.check(checks, defaults.sift(rows));
    await run.check(checks, defaults.end());
    run.note(noteAlikeSheets(sheet));
    run.note(noteHiddenColumns(sheet.header, checks.meanings));
    for (const notice of noteSkipped(checks.skipped)) run.note(notice);
    run.note(defaults.notice);
    sha256 = sheet.digest();
    run.end();
  } catch (error) {
    if (error instanceof UnreadableSheetError) run.block(error.problem);
    else if (error instanceof HeaderError) run.blockHeader(error);
    else throw error;
  } finally {
    await sheet?.close();
  }
  await run.flush();
  const { format = null, headerLine = null, name } = sheet ?? {};
  return { ...run.result(), format, headerLine, name, sha256 };
}
