/** Writes the results sheet of a campaign to a file or a stream. */
import { rename } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { describeFileError } from '../../fs/disk.ts';
import { findTarget } from '../../fs/ownership.ts';
import { unguardFormula } from '../../manifest/cells/formula.ts';
import { countColumns } from '../../manifest/columns.ts';
import { dateHeaders } from '../../manifest/headers/header.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';
import { hint } from '../../manifest/problems/hint.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { type SheetStyle, SheetWriteError, streamSheet, writeSheet } from '../../sheets/write/sheet-file.ts';
import { deliveryRules } from '../deliveries.ts';
import { type CampaignRef, findCampaign } from '../find.ts';
import { keptName, lookAtEarlierSheet, type SheetOwner } from './earlier-sheet.ts';
import { resultLines, type WantedRows } from './sheet.ts';

/** Where a results sheet goes, and which rows are in it. */
export interface ResultsTarget extends WantedRows, Pick<SheetStyle, 'format' | 'withMark'> {
  /** Path of a file, or a stream such as standard output. */
  readonly to: string | Writable;
  /** The file name is a default, so it must not replace a results sheet of another campaign. */
  readonly byDefault?: boolean | undefined;
}

/** A results sheet that was written. */
export interface WrittenResults {
  /** Absolute; undefined for a stream. */
  readonly path: string | undefined;
  /** Number of rows. */
  readonly rows: number;
  /** A results sheet of another campaign that already had the name, and the path used `instead`. */
  readonly spared: { readonly path: string; readonly instead: string } | undefined;
  /** An earlier sheet in which a planner had filled in `video_url`, and its new name. */
  readonly kept: { readonly path: string; readonly as: string } | undefined;
}

/**
 * Refuses a path that something else than a regular file has now. Call it before anything is sent.
 * @throws {UseCaseError} `sheet_not_written` for a link of another user, a folder, pipe, socket or device.
 */
export function refuseUnfitTarget(to: ResultsTarget['to']): void {
  if (typeof to !== 'string') return;
  try {
    findTarget(resolve(to));
  } catch (error) {
    throw new UseCaseError('sheet_not_written', `${to} cannot be written: ${describeFileError(error)}`, {
      cure: 'Name another file.',
      cause: error,
    });
  }
}

/**
 * Writes the results sheet: the rows as imported, with the outcome of each.
 * @throws {UseCaseError} `sheet_not_written`.
 */
export async function writeResults(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  ref: CampaignRef,
  { to, format, withMark, byDefault = false, ...wanted }: ResultsTarget,
): Promise<WrittenResults> {
  refuseUnfitTarget(to);
  const { ledger, now } = runtime;
  const campaign = await findCampaign(runtime, ref);
  let rows = -1;
  async function* lines() {
    for await (const line of resultLines(ledger, campaign, wanted, deliveryRules(runtime))) {
      // The first line is the header.
      rows += 1;
      yield line;
    }
  }
  const { delimiter } = campaign;
  const numbers = new Set(countColumns);
  const { header } = createImportedRowReader(campaign);
  const dates = dateHeaders(campaign.header.map(unguardFormula), header.indexes);
  try {
    if (typeof to !== 'string') {
      await streamSheet(to, lines(), { format, delimiter, numbers, dates, withMark });
      return { path: undefined, rows, spared: undefined, kept: undefined };
    }
    const { out, ...made } = byDefault
      ? await makeWay(to, { campaign: campaign.id, ledger: await ledger.format.id() }, now())
      : { out: to, spared: undefined, kept: undefined };
    return { path: await writeSheet(out, lines(), { format, delimiter, numbers, dates }), rows, ...made };
  } catch (error) {
    if (!(error instanceof SheetWriteError)) throw error;
    throw new UseCaseError('sheet_not_written', error.message, {
      cure: [
        'Nothing is lost. Write it to another file, or as CSV.',
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
    throw new UseCaseError(
      'sheet_not_written',
      `${out} has entries in video_url and cannot be renamed to ${kept}`,
      { cure: 'Move the file yourself, or name another one.', cause: error },
    );
  }
  return { out, spared: undefined, kept: { path: out, as: kept } };
}
