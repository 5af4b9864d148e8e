/**
 * The planner's own sheet, kept in `sheets` of the data directory at each import, so that results are written into it, and its next version
 * is compared with it: a file for each campaign, and how it is read. If another sheet has updated the campaign since, the last version
 * of the plan is a second file.
 */
import { createReadStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import type { CheckResult } from '../../../importers/check/check-sheet.ts';
import type { RowEdits } from '../../../importers/check/checked-row.ts';
import { type ManifestFile, manifestName } from '../../../importers/open/manifest-file.ts';
import { PlacedRows, type SheetPlaces } from '../../../importers/sheet-places.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { describeFileError, requireFreeDisk } from '../../../platform/files/disk.ts';
import { makeFolders, writeAtomically } from '../../../platform/files/write-file.ts';
import { digestOf } from '../../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions } from '../../../sheets/sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { findEditsNotTaken, findEditsOfSkipped } from './edits-not-taken.ts';
import {
  filesOf,
  findRecord,
  type OfRuntime,
  type Role,
  readRecord,
  type SheetRecord,
  writeRecord,
} from './own-record.ts';

/** What was chosen for rows that may not be meant to be posted. */
type RowChoices = Pick<SheetOptions, 'hidden' | 'ownStatus' | 'noPosts'>;

/** New texts of a row, by what their columns mean. */
export type CellEdits = SheetRecord['edits'][number][1];

/** By a person, or with problems of these codes. */
export type SkippedAs = 'skipped' | readonly string[];

export interface OwnSheet
  extends Pick<SheetOptions, 'delimiter' | 'encoding' | 'sheets' | 'headerLine'>,
    Pick<SheetRecord, 'kind' | 'campaignRows' | 'notTaken'> {
  readonly path: string;
  readonly rows: PlacedRows;
  /** By the places of rows. */
  readonly skipped: ReadonlyMap<string, SkippedAs>;
  readonly refused: ReadonlyMap<string, string>;
  /** Edits of rows that are in no campaign. */
  readonly edits: ReadonlyMap<string, CellEdits>;
}

export interface KeptReading {
  /** Name of the planner's file, without the extension; none for a results sheet. */
  readonly name: string | undefined;
  readonly sheet?: SheetOptions | undefined;
  readonly edits?: RowEdits | undefined;
  readonly places: SheetPlaces;
  /** Whether the campaign had rows before: their edits may not have been taken. */
  readonly isUpdate?: boolean | undefined;
}

/** Never throws: without it, results are a sheet of their own. @returns whether it is kept. */
export async function keepOwnSheet(
  runtime: OfRuntime & Pick<Runtime, 'notify'>,
  campaign: Campaign,
  { path }: Pick<ManifestFile, 'path'>,
  { format, sha256: read256 }: Pick<CheckResult, 'format' | 'sha256'>,
  { name, sheet: options = {}, edits, places, isUpdate = false }: KeptReading,
): Promise<boolean> {
  const { id, importId } = campaign;
  if (format?.kind !== 'csv' && format?.kind !== 'xlsx') return false;
  const { sheets, headerLine, hidden, ownStatus, noPosts } = options;
  const chosen = { sheets, headerLine, hidden, ownStatus, noPosts };
  const read = format.kind === 'csv' ? { delimiter: format.delimiter, encoding: format.encoding } : {};
  try {
    const { folder, sheet, record } = await filesOf(runtime, id);
    await makeFolders(folder);
    const { size } = await stat(path);
    await requireFreeDisk(folder, size);
    await writeAtomically(sheet, createReadStream(path));
    const sha256 = await digestOf(fileSource(sheet));
    // The digest of chosen worksheets is another one.
    if (sheets === undefined && sha256 !== read256) throw new Error('it was saved again meanwhile');
    const placed = places.all;
    const file = { path: sheet, options, edits, rows: new PlacedRows(placed.rows) };
    const aside = new Set([...placed.skipped, ...placed.refused.map(([place]) => place)]);
    const written = {
      imports: [importId],
      name,
      sha256,
      kind: format.kind,
      ...read,
      ...chosen,
      ...placed,
      campaignRows: campaign.rows,
      edits: await findEditsOfSkipped(campaign, file, aside),
      notTaken: isUpdate ? await findEditsNotTaken(runtime.ledger, campaign, file) : [],
      ignored: { count: 0, isKeyless: false, rows: [] },
    };
    await writeRecord(record, written);
    return true;
  } catch (error) {
    await removeOwnSheet(runtime, { id }, ['own']);
    const why = describeFileError(error);
    runtime.notify(
      `The sheet of ${id} could not be kept: ${why}. Its results will be written as a new sheet.`,
    );
    return false;
  }
}

/**
 * Before an import into the campaign: the kept files know of it. Another machine, or a process that is killed halfway, leaves them as they
 * are. Never throws.
 */
export async function expectImport(runtime: OfRuntime, campaign: Campaign, importId: string): Promise<void> {
  for (const role of ['own', 'plan'] as const) {
    try {
      const found = await findRecord(runtime, campaign, role);
      if (found === undefined) throw new Error('there is none, or another machine has updated it');
      await writeRecord(found.record, { ...found.read, imports: [campaign.importId, importId] });
    } catch {
      await removeOwnSheet(runtime, campaign, [role]);
    }
  }
}

/** The planner's last version of the sheet. */
export async function findPlan(runtime: OfRuntime, campaign: Campaign): Promise<OwnSheet | undefined> {
  return (await findOwnSheet(runtime, campaign, 'plan')) ?? findOwnSheet(runtime, campaign);
}

/** Name of the file of the planner's last version, without the extension; undefined if this machine does not have it. */
export async function findPlanName(
  runtime: OfRuntime,
  campaign: Pick<Campaign, 'id' | 'importId'>,
): Promise<string | undefined> {
  const found = (await findRecord(runtime, campaign, 'plan')) ?? (await findRecord(runtime, campaign));
  return found?.read.name;
}

/** Name for results: that of the planner's last version, unless a person has named the campaign otherwise than its file. */
export async function resultsName(runtime: OfRuntime, campaign: Campaign): Promise<string> {
  const { name, source } = campaign;
  return (name === manifestName(source) && (await findPlanName(runtime, campaign))) || name;
}

/** @returns undefined if this machine has none of the latest import, or another file than was kept. */
export async function findOwnSheet(
  runtime: OfRuntime,
  campaign: Pick<Campaign, 'id' | 'importId'>,
  role: Role = 'own',
): Promise<OwnSheet | undefined> {
  const found = await findRecord(runtime, campaign, role);
  if (found === undefined) return undefined;
  const { sheet: path, read } = found;
  if ((await digestOf(fileSource(path)).catch(() => undefined)) !== read.sha256) return undefined;
  const { kind, delimiter, encoding, sheets, headerLine, campaignRows, notTaken } = read;
  const file = { path, kind, delimiter, encoding, sheets, headerLine };
  const rows = new PlacedRows(read.rows);
  const refused = new Map(read.refused.map(([place, why]) => [place, why]));
  const skipped = new Map<string, SkippedAs>();
  for (const [place, , isNew, ...codes] of read.refused) if (isNew !== undefined) skipped.set(place, codes);
  for (const place of read.skipped) skipped.set(place, 'skipped');
  return { ...file, campaignRows, rows, skipped, refused, edits: new Map(read.edits), notTaken };
}

/** Rows of the campaign that the sheet with its results no longer has, by position. None if this machine has no such sheet. */
export async function rowsNotInSheet(
  runtime: OfRuntime,
  campaign: Pick<Campaign, 'id' | 'importId' | 'rows'>,
): Promise<readonly number[]> {
  // The id of a new ledger is written when it is read, which Redis may refuse: a page is shown all the same.
  const found = await findRecord(runtime, campaign).catch(() => undefined);
  if (found === undefined) return [];
  const { rows, campaignRows } = found.read;
  return new PlacedRows(rows).absent(Math.min(campaign.rows, campaignRows));
}

/** Why results are a new sheet, although this machine is asked for the planner's own: another machine has updated the campaign, or has her file. */
export async function whyNoOwnSheet(
  runtime: OfRuntime,
  { id, importId, source }: Campaign,
): Promise<'outdated' | 'missing' | undefined> {
  const read = await readRecord((await filesOf(runtime, id)).record).catch(() => undefined);
  if (read !== undefined && !read.imports.includes(importId)) return 'outdated';
  // JSON is not kept.
  return /\.(?:csv|tsv|txt|xlsx)$/i.test(source) ? 'missing' : undefined;
}

/** Format in which results are the planner's own file; CSV if this machine does not have it. */
export async function ownFormat(
  runtime: OfRuntime,
  campaign: Pick<Campaign, 'id' | 'importId'>,
): Promise<'csv' | 'xlsx'> {
  return (await findRecord(runtime, campaign))?.read.kind ?? 'csv';
}

/** What was chosen for the kept sheet holds for its next version, unless something else is given. */
export async function choicesOfOwnSheet(
  runtime: OfRuntime,
  { id }: Pick<Campaign, 'id'>,
  { hidden, ownStatus, noPosts }: RowChoices = {},
): Promise<RowChoices> {
  for (const role of ['own', 'plan'] as const) {
    const { record } = await filesOf(runtime, id, role);
    const read = await readRecord(record).catch(() => undefined);
    if (read === undefined) continue;
    return {
      hidden: hidden ?? read.hidden,
      ownStatus: ownStatus ?? read.ownStatus,
      noPosts: noPosts ?? read.noPosts,
    };
  }
  return { hidden, ownStatus, noPosts };
}

export async function removeOwnSheet(
  runtime: OfRuntime,
  { id }: Pick<Campaign, 'id'>,
  roles: readonly Role[] = ['own', 'plan'],
): Promise<void> {
  const files = await Promise.all(roles.map((role) => filesOf(runtime, id, role)));
  const names = files.flatMap(({ sheet, record }) => [record, sheet]);
  await Promise.all(names.map((file) => rm(file, { force: true }))).catch(() => undefined);
}

/** The file that results were written into is at most the last version of the plan from now on. Never throws. */
export async function keepAsPlan(runtime: OfRuntime, { id }: Pick<Campaign, 'id'>): Promise<void> {
  const [own, plan] = await Promise.all([filesOf(runtime, id), filesOf(runtime, id, 'plan')]);
  try {
    await access(plan.record);
  } catch {
    await rename(own.sheet, plan.sheet)
      .then(() => rename(own.record, plan.record))
      .catch(() => undefined);
  }
  await removeOwnSheet(runtime, { id }, ['own']);
}
