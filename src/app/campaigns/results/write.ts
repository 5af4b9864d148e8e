/** Writes the results sheet of a campaign to a file or a stream. An earlier sheet of that name is kept if a person has filled it in. */
import { rename } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { isEverything } from '../../../ledger/rows/query.ts';
import { unguardFormula } from '../../../manifest/cells/formula-guard.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import { dateHeaders } from '../../../manifest/headers/header.ts';
import { hint } from '../../../manifest/problems/hint.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import { countColumns, type ResultColumn } from '../../../manifest/result-columns.ts';
import { describeFileError } from '../../../platform/files/disk.ts';
import { findTarget } from '../../../platform/files/ownership.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions, UnreadableSheetError } from '../../../sheets/sheet.ts';
import { formatOfFile } from '../../../sheets/write/format.ts';
import {
  type SheetPlace,
  type SheetStyle,
  SheetWriteError,
  writePieces,
  writeSheet,
} from '../../../sheets/write/sheet-file.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type CampaignRef, findCampaign } from '../find.ts';
import { deliveryRules } from '../post-status.ts';
import { linesOfOwnSheet } from './own-lines.ts';
import { writeIntoOwnSheet } from './own-results.ts';
import { findOwnSheet, whyNoOwnSheet } from './own-sheet.ts';
import { resultLines, type WantedRows } from './sheet.ts';

export interface ResultsTarget extends WantedRows, Pick<SheetStyle, 'format' | 'withMark'> {
  readonly to: SheetPlace;
  /** The file name is a default, so it must not replace a results sheet of another campaign. */
  readonly byDefault?: boolean | undefined;
}

export interface WrittenResults {
  /** Absolute; undefined for a stream. */
  readonly path: string | undefined;
  readonly rows: number;
  /** A results sheet of another campaign that already had the name, and the path used `instead`. */
  readonly spared: { readonly path: string; readonly instead: string } | undefined;
  /** An earlier sheet in which a planner had filled in `video_url`, and its new name. */
  readonly kept: { readonly path: string; readonly as: string } | undefined;
  /** Why it is not the planner's own file: that has another `format`; or it is `missing` here, or `outdated` by an update of another machine. */
  readonly notOwn: 'format' | 'missing' | 'outdated' | undefined;
}

/** Before anything is sent. @throws {UseCaseError} `sheet_not_written` for a foreign link, folder, pipe, socket or device. */
export function refuseUnfitTarget(to: ResultsTarget['to']): void {
  if (typeof to !== 'string') return;
  try {
    findTarget(resolve(to));
  } catch (cause) {
    const problem = `${to} cannot be written: ${describeFileError(cause)}`;
    throw new UseCaseError('sheet_not_written', problem, { fix: 'Name another file.', cause });
  }
}

/** The planner's own file with outcomes, if it is here and all rows are wanted in its format. @throws {UseCaseError} `sheet_not_written`. */
export async function writeResults(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now' | 'environment'>,
  ref: CampaignRef,
  { to, format, withMark, byDefault = false, ...wanted }: ResultsTarget,
): Promise<WrittenResults> {
  refuseUnfitTarget(to);
  const { ledger, now } = runtime;
  const campaign = await findCampaign(runtime, ref);
  const wantedFormat = format ?? (typeof to === 'string' ? formatOfFile(to) : 'csv');
  const isTable = wantedFormat === 'csv' || wantedFormat === 'xlsx';
  const mayBeOwn = isTable && isEverything(wanted);
  const own = mayBeOwn ? await findOwnSheet(runtime, campaign) : undefined;
  const isOwn = own?.kind === wantedFormat;
  const lacksOwn = mayBeOwn && own === undefined ? await whyNoOwnSheet(runtime, campaign) : undefined;
  const notOwn: WrittenResults['notOwn'] = own && !isOwn ? 'format' : lacksOwn;
  let rows = -1;
  async function* lines() {
    const options = { isWorkbook: wantedFormat === 'xlsx' };
    const all =
      own === undefined
        ? resultLines(ledger, campaign, wanted, deliveryRules(runtime), options)
        : linesOfOwnSheet(runtime, campaign, own, options);
    for await (const line of all) {
      // The first line is the header.
      rows += 1;
      yield line;
    }
  }
  const { delimiter } = campaign;
  const { header } = createImportedRowReader(campaign);
  const dates = dateHeaders(campaign.header.map(unguardFormula), header.indexes);
  const style = { format, delimiter, numbers: new Set(countColumns), dates, withMark };
  try {
    const reading = isOwn ? own : undefined;
    const { out, ...made } =
      byDefault && typeof to === 'string'
        ? await makeWay(to, { campaign: campaign.id, ledger: await ledger.format.id(), reading }, now())
        : { out: to, spared: undefined, kept: undefined };
    const path =
      own && isOwn
        ? await writePieces(out, writeIntoOwnSheet(runtime, campaign, own))
        : await writeSheet(out, lines(), style);
    return { path, rows: own === undefined ? rows : campaign.rows, notOwn, ...made };
  } catch (error) {
    if (!(error instanceof SheetWriteError)) throw error;
    throw new UseCaseError('sheet_not_written', error.message, {
      fix: [
        'Nothing is lost. Write the sheet to another file, or as CSV.',
        hint('writeSheet', { campaign: campaign.id, only: 'all' }),
      ],
      cause: error,
    });
  }
}

/** Finds the path for a sheet, and renames an earlier one that a planner has filled in. @throws {UseCaseError} when that fails. */
async function makeWay(
  out: string,
  owner: SheetOwner,
  now: number,
): Promise<Pick<WrittenResults, 'spared' | 'kept'> & { readonly out: string }> {
  const found = await lookAtEarlierSheet(out, owner);
  if (found === 'free') return { out, spared: undefined, kept: undefined };
  if (found === 'foreign') {
    const ending = `.results${extname(out)}`;
    const instead = out.endsWith(ending) ? `${out.slice(0, -ending.length)}.${owner.campaign}${ending}` : out;
    return { out: instead, spared: { path: out, instead }, kept: undefined };
  }
  const kept = keptName(out, new Date(now));
  try {
    await rename(out, kept);
  } catch (error) {
    const problem = `${out} has entries in video_url and cannot be renamed to ${kept}`;
    const fix = 'Move the file yourself, or name another one.';
    throw new UseCaseError('sheet_not_written', problem, { fix, cause: error });
  }
  return { out, spared: undefined, kept: { path: out, as: kept } };
}

/** Campaign of a results sheet, and id of its ledger. */
interface SheetOwner {
  readonly campaign: string;
  readonly ledger: string;
  readonly reading?: SheetOptions | undefined;
}

/**
 * Reads a sheet that a new one would replace, once and as a stream. `free`: it does not exist, has no rows, or is this campaign's as it
 * was written. `foreign`: it is anything else than a sheet of this campaign. `filled-in`: a planner has filled in `video_url`, or it
 * cannot be read to its end. Never throws.
 */
export async function lookAtEarlierSheet(
  path: string,
  owner: SheetOwner,
): Promise<'free' | 'foreign' | 'filled-in'> {
  let [isOwn, isEmpty] = [false, true];
  try {
    const { header, rows } = await openSheet(fileSource(path), owner.reading);
    const names = header.cells.map(foldHeader);
    const columnOf = (column: ResultColumn) => names.lastIndexOf(foldHeader(column));
    const [campaign, ledger, videoUrl] = [columnOf('campaign'), columnOf('ledger'), columnOf('video_url')];
    for await (const some of rows) {
      for (const { cells } of some) {
        isEmpty = false;
        // A heading or a skipped row of her own file names none.
        if (!isOwn && campaign >= 0 && (cells[campaign] ?? '') === '') continue;
        isOwn ||= cells[campaign] === owner.campaign && cells[ledger] === owner.ledger;
        if (!isOwn) return 'foreign';
        if ((cells[videoUrl] ?? '').trim() !== '') return 'filled-in';
      }
      if (isOwn && videoUrl < 0) break;
    }
    return isOwn || isEmpty ? 'free' : 'foreign';
  } catch (error) {
    if (isOwn) return 'filled-in';
    const isNothing =
      error instanceof UnreadableSheetError
        ? ['empty_file', 'no_rows'].includes(error.problem.code)
        : (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isNothing ? 'free' : 'foreign';
  }
}

/** New name for a sheet that makes way: `posts.results.csv` becomes `posts.results.20260601T120000Z.csv`. */
export function keptName(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const ending = extname(path);
  return `${path.slice(0, path.length - ending.length)}.${time}${ending}`;
}
