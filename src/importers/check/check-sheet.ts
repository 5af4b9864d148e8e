/**
 * Checks a sheet row by row, or one edited row of a campaign by the same rules, and collects every problem. Passes on valid rows at once, so that memory does not grow with the
 * number of rows. Sends nothing except look-ups of creators.
 *
 * Each batch of rows is read, then checked against earlier rows (keys), the clock, the service (creators), the media and the settings.
 */

import { resolve } from 'node:path';
import type { CreatorRef } from '../../ledger/campaigns/campaign.ts';
import type { CellProblem } from '../../manifest/problems/problem.ts';
import { HeaderError, type ImportedSheet } from '../../manifest/reader.ts';
import type { Row } from '../../manifest/row.ts';
import { type OpenSheet, openSheet } from '../../sheets/open-sheet.ts';
import { type ManifestSource, type SheetFormat, UnreadableSheetError } from '../../sheets/sheet.ts';
import { readingError } from '../open/manifest-file.ts';
import { CallForecast } from '../plan/plan.ts';
import type { CheckOptions, CheckRules, CheckSink } from './checked-row.ts';
import { DefaultRows, withoutDefaults } from './default-rows.ts';
import { ManifestRun, type RunResult } from './manifest-run.ts';
import { ProblemsFile } from './problems-file.ts';
import { RowChecks } from './row-checks.ts';
import { checkManifestNeeds } from './row-warnings.ts';
import { noteShape } from './sheet-shape.ts';
import { noteZone } from './told-zone.ts';
import { noteAlikeSheets, noteHiddenColumns, noteProductSheet, noteSkipped } from './unseen-rows.ts';

/** What a check found: the problems of a sheet, warnings, and the plan. */
export interface CheckResult extends RunResult {
  /** The detected format; `null` if the file could not be opened. */
  readonly format: SheetFormat | null;
  /** Line of the headers; `null` for JSON, and if the file could not be opened. */
  readonly headerLine: number | null;
  readonly name: string | undefined;
  /** SHA-256 of the file's bytes in lowercase hex; `null` if the file was not read to its end. */
  readonly sha256: string | null;
  /** Absolute path of the problems file; undefined if there are no problems, or none was asked for. */
  readonly problemsFile: string | undefined;
}

/**
 * Checks a sheet: for a person, for a draft, for an import or for an update.
 * @throws {UseCaseError} `manifest_unreadable` if the file cannot be read, the problems file cannot be written, or the map names a
 *   header that the sheet lacks.
 * @throws errors of the look-ups and the sink. Problems of the sheet are part of the result.
 */
export async function checkSheet(
  source: ManifestSource,
  rules: CheckRules,
  sink: CheckSink = {},
): Promise<CheckResult> {
  const { problems } = sink;
  const read = (to: CheckSink) =>
    readSheet(source, { ...rules, ...to }).catch((error: unknown) => {
      throw readingError(error, source.name);
    });
  if (problems === undefined) return read(sink);
  const path = resolve(problems);
  try {
    await using file = await ProblemsFile.create(path);
    const check = await read({
      ...sink,
      onRefused: async (row) => {
        await sink.onRefused?.(row);
        await file.add(row);
      },
      onHeader: async (header, format) => {
        await sink.onHeader?.(header, format);
        await file.header(header, format);
      },
    });
    if (check.problems.total === 0) return check;
    await file.finish(check.blocking);
    return { ...check, problemsFile: path };
  } catch (error) {
    throw readingError(error, path);
  }
}

async function readSheet(source: ManifestSource, options: CheckOptions): Promise<CheckResult> {
  const run = new ManifestRun(options);
  let sheet: OpenSheet | undefined;
  let sha256: string | null = null;
  try {
    sheet = await openSheet(source, options.sheet);
    const checks = await run.begin(sheet);
    const defaults = new DefaultRows(sheet.header.cells);
    for await (const rows of withoutDefaults(sheet, defaults)) await run.check(checks, rows);
    run.note(noteAlikeSheets(sheet));
    run.note(noteHiddenColumns(sheet.header, checks.meanings));
    for (const notice of noteSkipped(checks.selection.skipped)) run.note(notice);
    run.note(checks.selection.noPosts?.notice);
    run.note(defaults.notice);
    sha256 = sheet.digest();
    run.end();
  } catch (error) {
    if (error instanceof UnreadableSheetError) run.block(error.problem);
    else if (error instanceof HeaderError) {
      run.blockHeader(error);
      const lacksIds = error.problems.some(
        (each) => each.code === 'missing_column' && each.column === 'product_id',
      );
      if (lacksIds && sheet !== undefined) run.note(noteProductSheet(sheet, run.proposedFor('product_id')));
      if (sheet !== undefined) {
        run.note(noteAlikeSheets(sheet));
        run.note(noteShape(sheet, options.sheet?.headerLine));
      }
    } else throw error;
  } finally {
    await sheet?.close();
  }
  if (sheet !== undefined) run.note(noteZone(sheet, run.timeHeaders, options.settings.timezone));
  await run.flush();
  const { format = null, headerLine = null, name } = sheet ?? {};
  return { ...run.result(), format, headerLine, name, sha256, problemsFile: undefined };
}

interface CheckOneOptions
  extends Pick<CheckRules, 'settings' | 'now' | 'creators' | 'media' | 'posts' | 'again'> {
  /** @returns how many AI outputs of the row are still to be made. */
  readonly outputsOf: (row: Row) => number;
}

type CheckedOne =
  | { readonly kind: 'problems'; readonly problems: readonly CellProblem[] }
  | {
      readonly kind: 'accepted';
      readonly row: Row;
      /** Undefined if the creator has no known account. */
      readonly creator: CreatorRef | undefined;
      readonly warnings: readonly CellProblem[];
      /** Identity of its post. */
      readonly post: Buffer | undefined;
    };

/**
 * @param sheet the columns of the cells.
 * @param stored.number of the row in the manifest, from 1.
 * @throws errors of the look-ups.
 */
export async function checkOne(
  sheet: ImportedSheet,
  { number, cells }: { readonly number: number; readonly cells: readonly string[] },
  { outputsOf, ...rules }: CheckOneOptions,
): Promise<CheckedOne> {
  const checks = new RowChecks(
    sheet.header,
    {},
    {
      ...rules,
      settings: { ...rules.settings, timezone: sheet.timezone },
      allowUnknownColumns: true,
      isTyped: true,
      // The row is in the campaign already.
      sheet: { map: sheet.map, ownStatus: 'post', noPosts: 'post' },
    },
  );
  checks.selection.rowsSeen = number - 1;
  const { accepted, refused } = await checks.check([{ line: number, cells }]);
  const problems: CellProblem[] = refused.flatMap((row) => row.problems);
  const need = checkManifestNeeds(rules.settings.api);
  if (need) problems.push(need);
  const [row] = accepted;
  if (!row) return { kind: 'problems', problems };
  const plan = new CallForecast(rules);
  const missed = plan.add(row, outputsOf(row.row));
  const overspending = plan.overspending();
  if (problems.length > 0) return { kind: 'problems', problems };
  return {
    kind: 'accepted',
    row: row.row,
    creator: checks.creators.registered.get(row.row.creator),
    warnings: [
      ...row.warnings,
      ...(missed ? [checks.titled(missed, cells)] : []),
      ...(overspending ? [overspending.problem] : []),
    ],
    post: row.post,
  };
}
