/** Checks the whole sheet of a draft, by the rules of `campaigns check`, and keeps the results that pages show. */
import { randomBytes } from 'node:crypto';
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { findCampaign } from '../../campaigns/find.ts';
import { checkManifestFile } from '../../campaigns/import/check.ts';
import { earlierId, findEarlierImport } from '../../campaigns/import/earlier-import.ts';
import { type Observers, type PlannedUpdate, planInto } from '../../campaigns/import/into.ts';
import { type ManifestFile, manifestName } from '../../campaigns/import/manifest-file.ts';
import type { CheckResult } from '../../importers/check/check.ts';
import type { CheckedRow, RefusedRow, RowWarning } from '../../importers/check/checked-row.ts';
import type { CreatorLookUp } from '../../importers/check/creators/creator-check.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { createKeyReader, type KeyReader } from '../../manifest/cells/key.ts';
import {
  type ColumnMap,
  createColumnMap,
  noteMark,
  withRemembered,
} from '../../manifest/headers/column-map.ts';
import { createImportedRowReader } from '../../manifest/reader.ts';
import type { Account } from '../../processors/runner/accounts.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { digestOf, openSheet } from '../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions, type SheetRow } from '../../sheets/sheet.ts';
import { findSheet } from '../../sheets/xlsx/read-xlsx.ts';
import type { Draft, DraftReading } from '../draft.ts';
import { draftRefused, onDisk } from '../draft.ts';
import { ownerOfMedia } from '../files/media.ts';
import { readFiles } from '../files/record.ts';
import { draftFiles, draftFolder, draftMediaFolder } from '../folder.ts';
import type { Mends } from '../mends.ts';
import { keepCounts, PlanTally } from '../planned.ts';
import { columnsOf, Findings } from './findings.ts';
import { isRowFile, type RowFile, RowFileWriter } from './row-file.ts';

export interface CheckInputs {
  readonly draft: Draft;
  readonly mends: Mends;
  readonly account: Account;
  readonly creators: CreatorLookUp;
  /** Folder of the media. */
  readonly mediaRoot: string;
}

export interface WholeCheckOptions extends CheckInputs {
  /** An earlier check of the same sheet, read in the same way: its stored rows are used again. */
  readonly earlier: WholeCheck | undefined;
  /** Ends the check, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called with the number of rows read so far. */
  readonly onProgress: (rows: number) => void;
}

export interface WholeCheck {
  readonly result: CheckResult;
  readonly findings: Findings;
  readonly rows: RowFile;
  /** Visible sheets of a workbook. */
  readonly sheets: readonly string[];
  readonly timezone: string | null;
  /** What becomes of the rows of a sheet that updates a campaign. */
  readonly update: PlannedUpdate | undefined;
  /** Absolute path of the folder of the media that an update brings along; undefined if it brings none. */
  readonly newMedia: string | undefined;
  /** How many columns were added to the sheet. */
  readonly added: number;
}

/** The file of a draft's sheet. @throws {TypeError} if the draft has none. */
export function sheetOf(
  runtime: Pick<Runtime, 'environment'>,
  draft: Draft,
  mediaRoot: string,
): ManifestFile {
  if (draft.sheet === undefined) throw new TypeError('the draft has no sheet');
  const { name } = draft.sheet;
  return {
    file: name,
    path: draftFiles(runtime, draft.id).sheet,
    name: manifestName(name),
    folder: mediaRoot,
  };
}

/** @throws {ColumnMapError} */
export function sheetOptionsOf({ map, timezone, ...reading }: DraftReading): SheetOptions {
  return {
    ...reading,
    map: map === undefined ? undefined : createColumnMap(Object.entries(map)),
  };
}

/** @throws {UseCaseError} as `checkManifestFile`, `draft_not_stored`. */
export async function checkWhole(runtime: Runtime, options: WholeCheckOptions): Promise<WholeCheck> {
  const { draft, mends, creators, mediaRoot, earlier, signal, onProgress } = options;
  const manifest = sheetOf(runtime, draft, mediaRoot);
  const sheet = sheetOptionsOf(draft.reading);
  const map = withRemembered(sheet.map, (await updatedCampaign(runtime, draft))?.map);
  let findings = new Findings([], undefined);
  let keys: KeyReader | undefined;
  let planned: PlanTally | undefined;
  const timezone = draft.reading.timezone ?? runtime.settings.timezone;
  const added = mends.added.length;
  // For a sheet that was not checked, only the first rows are stored.
  const stored = earlier?.findings.states.count === earlier?.rows.count ? earlier?.rows : undefined;
  await using writer = stored === undefined ? await createRows(runtime, draft.id) : undefined;
  const observers = {
    sheet,
    mends,
    creators,
    onHeader: (header: readonly string[]) => {
      findings = new Findings(header, map);
      keys = keyReaderOf(header, map);
      if (draft.into === undefined) planned = new PlanTally({ header, map: map ?? new Map(), timezone });
    },
    onRead: async (rows: readonly SheetRow[]) => {
      signal.throwIfAborted();
      await onDisk(async () => writer?.add(rows));
      for (const row of rows) addRow(findings, mends, keys, row);
      onProgress(findings.states.count);
    },
    onRefused: ({ number, cells, problems }: RefusedRow) => {
      findings.refuse(number, problems);
      // With a problem of the row as a whole, its texts may be in the wrong columns.
      if (problems.every(({ column }) => column !== null)) findings.evidence.note(cells);
    },
    onWarning: ({ number, warning }: RowWarning) => findings.warn(number, [warning]),
    onUnchanged: (number: number) => findings.states.set(number, 'unchanged', true),
  };
  const onAccepted = (rows: readonly CheckedRow[]) => {
    for (const { cells } of rows) findings.evidence.note(cells);
    planned?.add(rows);
  };
  const { result, update, newMedia } = await check(runtime, options, manifest, { ...observers, onAccepted });
  signal.throwIfAborted();
  await refuseReplaced(runtime, draft, result);
  const isUnread = findings.states.count === 0;
  if (isUnread) {
    findings = new Findings(result.header, map);
    const first = await firstRows(manifest.path, sheet);
    await onDisk(async () => writer?.add(first));
  }
  const rows = (await writer?.finish()) ?? stored;
  if (rows === undefined) throw new TypeError('the rows are either given or written');
  const doubtful = result.blocking
    .filter(({ code }) => code === 'doubtful_column')
    .map(({ column }) => column);
  const ofResults = update === undefined ? null : noteMark;
  findings.columns = columnsOf(result.header, map, new Set(doubtful), ofResults);
  const sheets =
    result.format?.kind === 'xlsx' || result.format === null ? await sheetNames(manifest.path) : [];
  await planned?.keep(runtime, draft, mediaRoot, result.creators);
  const { refused, states } = findings;
  await keepCounts(runtime, draft, { rows: states.count, refused, blocking: result.blocking.length });
  const zone = update ? update.campaign.timezone : timezone;
  return { result, findings, rows, sheets, timezone: zone, update, newMedia, added };
}

/** Checks the sheet for a new campaign, or against the campaign that it updates. */
async function check(
  runtime: Runtime,
  { draft, account, mediaRoot }: CheckInputs,
  manifest: ManifestFile,
  { onAccepted, ...observers }: Observers,
): Promise<Pick<WholeCheck, 'result' | 'update' | 'newMedia'>> {
  if (draft.into !== undefined) {
    const newMedia = await newMediaOf(runtime, draft);
    const options = { ...observers, onAccepted, newMedia };
    const { check: result, ...update } = await planInto(runtime, draft.into, manifest, options);
    return { result, update, newMedia };
  }
  const { timezone } = draft.reading;
  const options = { ...observers, mediaRoot, timezone, same: await ownCampaign(runtime, draft) };
  const { check: result } = await checkManifestFile(runtime, manifest, account, options, onAccepted);
  return { result, update: undefined, newMedia: undefined };
}

/** The folder of the media that an update brings along; undefined if there are none, or its campaign takes none. */
export async function newMediaOf(runtime: Runtime, draft: Draft): Promise<string | undefined> {
  if ((await readFiles(runtime, draft.id)).stored.size === 0) return undefined;
  const campaign = await updatedCampaign(runtime, draft);
  const owner = campaign && (await ownerOfMedia(runtime, campaign));
  return owner && draftMediaFolder(runtime, draft.id);
}

/**
 * The campaign that the draft's sheet updates; undefined for a new one.
 * @throws {UseCaseError} `campaign_not_found`; `draft_refused` for one of another ledger, which has other campaigns of the same ids.
 */
export async function updatedCampaign(
  runtime: Runtime,
  { into, ledger }: Draft,
): Promise<Campaign | undefined> {
  if (into === undefined) return undefined;
  if (ledger === (await runtime.ledger.format.id())) return findCampaign(runtime, into);
  throw draftRefused(
    `the sheet is for campaign ${into} of another ledger`,
    'Use the Redis that the campaign is in, or upload the sheet again on the page of its campaign.',
  );
}

/** The campaign that the sheet has become: its rows are no repeats of its own posts. */
async function ownCampaign(
  runtime: Runtime,
  { campaign, sheet, reading }: Draft,
): Promise<string | undefined> {
  if (campaign !== undefined || sheet === undefined || reading.sheet !== undefined) return campaign;
  const earlier = await findEarlierImport(runtime, sheet.sha256);
  return earlier && earlierId(earlier);
}

function addRow({ states }: Findings, mends: Mends, keys: KeyReader | undefined, row: SheetRow): void {
  const number = states.count + 1;
  states.add(keyOf(keys, mends.apply(row, number)));
  if (mends.leavesOut(number)) states.set(number, 'leftOut', true);
}

export function keyReaderOf(header: readonly string[], map: ColumnMap = new Map()): KeyReader {
  return createKeyReader(createImportedRowReader({ header, map, timezone: null }));
}

/** The key of a row; undefined if it has none of its own, so that it has no duplicates. */
export function keyOf(keys: KeyReader | undefined, { cells }: SheetRow): string | undefined {
  if (keys === undefined || keys.column < 0) return undefined;
  return keys.read(cells, 0) || undefined;
}

/** Creates a row file with a new name: a stopped check may still write its file, and pages may still read the previous one. */
async function createRows(runtime: Runtime, id: string): Promise<RowFileWriter> {
  const folder = draftFolder(runtime, id);
  await onDisk(() => removeOlder(folder));
  return onDisk(() => RowFileWriter.create(join(folder, `rows-${randomBytes(6).toString('hex')}`)));
}

/** Another console may still read a younger file. Milliseconds. */
const keptRowsMs = 3600_000;

/** Removes row files that checks left behind before a restart. They can be created again at any time. */
async function removeOlder(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter(isRowFile)) {
    const path = join(folder, name);
    const file = await stat(path).catch(() => undefined);
    if (file !== undefined && Date.now() - file.mtimeMs > keptRowsMs)
      await unlink(path).catch(() => undefined);
  }
}

/**
 * @throws {UseCaseError} `draft_refused` if another file has replaced the draft's sheet, because its mends are for other rows.
 */
export async function refuseReplaced(
  runtime: Pick<Runtime, 'environment'>,
  { id, sheet, reading }: Draft,
  { sha256 }: Pick<CheckResult, 'sha256'>,
): Promise<void> {
  if (sha256 === null) return;
  // For a sheet of a workbook other than the first, the digest of the import is not that of the bytes.
  const ofBytes =
    reading.sheet === undefined ? sha256 : await digestOf(fileSource(draftFiles(runtime, id).sheet));
  if (ofBytes !== sheet?.sha256)
    throw draftRefused('the sheet has changed since it was uploaded', 'Drop it again.');
}

const shownFirst = 3;

/** Reads the first rows of a sheet with a faulty header: it is not checked, but its rows help to match its columns. */
async function firstRows(path: string, options: SheetOptions): Promise<readonly SheetRow[]> {
  const sheet = await openSheet(fileSource(path), options).catch(() => undefined);
  if (sheet === undefined) return [];
  const rows: SheetRow[] = [];
  try {
    for await (const batch of sheet.rows) {
      rows.push(...batch.slice(0, shownFirst - rows.length));
      if (rows.length >= shownFirst) break;
    }
  } catch {
    // The problems of the check already say what is wrong.
  } finally {
    await sheet.close();
  }
  return rows;
}

async function sheetNames(path: string): Promise<readonly string[]> {
  try {
    return (await findSheet(path, 0, () => false)).names;
  } catch {
    return [];
  }
}
