/**
 * Checks a manifest as a whole, row by row, and collects every problem. What is right is handed on as it goes, so that the memory
 * is flat in the number of rows. Nothing is sent but look-ups of creators.
 *
 * Rows go through as they arrive, a few hundred at once: read, then compared with what was seen before (keys), with the clock, with the service
 * (creators), with the media, and with the settings.
 */
import { HeaderError } from '../../manifest/reader.ts';
import { type OpenSheet, openSheet } from '../../sheets/open-sheet.ts';
import { type SheetFormat, UnreadableSheetError } from '../../sheets/sheet.ts';
import type { ManifestSource } from '../../sheets/source.ts';
import type { CheckOptions } from './checked-row.ts';
import { ManifestRun, type RowSink, type RunResult } from './manifest-run.ts';

export interface CheckResult extends RunResult {
  /** What the file was taken for; `null` where it could not be opened. */
  readonly format: SheetFormat | null;
  /** What the file itself calls the campaign. */
  readonly name: string | undefined;
  /** SHA-256 of the file's bytes in lowercase hex; `null` where it was not read to its end. */
  readonly sha256: string | null;
}

/**
 * Checks a manifest.
 * @param onRows takes the accepted rows; the check waits for it before it goes on.
 * @throws {ColumnMapError} for a mapping of headers that the sheet does not have.
 * @throws whatever the source, the look-ups and the sinks throw; problems of the manifest are part of the result.
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
    for await (const rows of sheet.rows) await run.check(checks, rows);
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
  const { format = null, name } = sheet ?? {};
  return { ...run.result(), format, name, sha256 };
}
