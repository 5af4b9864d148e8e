/** What a draft is checked and started with: its file, how that is read, its campaign, and its media. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { CheckResult } from '../../../importers/check/check-sheet.ts';
import { findDigest, type ManifestFile, manifestName } from '../../../importers/open/manifest-file.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { createColumnMap } from '../../../manifest/headers/column-map.ts';
import { digestOf } from '../../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions } from '../../../sheets/sheet.ts';
import { findCampaign } from '../../campaigns/find.ts';
import { earlierId, findEarlierImport } from '../../campaigns/import/earlier-import.ts';
import type { EditEntry } from '../../campaigns/import/edit.ts';
import type { Edits } from '../../campaigns/import/edits.ts';
import { carryOver } from '../../campaigns/import/next-version.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type Draft, type DraftReading, draftRefused, readingId, sheetsOf } from '../draft.ts';
import { changeDraft } from '../drafts.ts';
import { ownerOfMedia } from '../files/media.ts';
import { readFiles } from '../files/record.ts';
import { type DraftRuntime, draftFiles, draftMediaFolder } from '../folder.ts';
import type { DraftDatabase } from '../store/database.ts';
import { addEdit } from '../store/edits.ts';

/** The file of a draft's sheet. @throws {TypeError} if the draft has none. */
export function sheetOf(
  runtime: Pick<Runtime, 'environment'>,
  draft: Draft,
  mediaRoot: string,
): ManifestFile {
  if (draft.sheet === undefined) throw new TypeError('the draft has no sheet');
  const { name, address } = draft.sheet;
  return {
    file: address ?? name,
    path: draftFiles(runtime, draft.id).sheet,
    name: manifestName(name),
    folder: mediaRoot,
  };
}

/** Digest of whatever the check of a draft depends on, apart from its edits, the time, and the service. */
export async function inputsOf(
  runtime: DraftRuntime & Pick<Runtime, 'ledger'>,
  { id, sheet, reading, options, into }: Draft,
): Promise<string> {
  const { revision } = await readFiles(runtime, id);
  const { lead, approve } = options;
  // All settings: a stored check is read by a console that may have been started with others, such as another time zone.
  const inputs = [sheet?.sha256, reading, revision, into, lead, approve, runtime.settings];
  // The check itself says that Redis cannot be reached.
  if (into !== undefined)
    inputs.push(await runtime.ledger.campaigns.sheetVersion(into).catch(() => undefined));
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
}

/** @throws {ColumnMapError} */
export function sheetOptionsOf({ map, timezone, sheet, ...reading }: DraftReading): SheetOptions {
  return {
    ...reading,
    sheets: sheetsOf({ sheet }),
    map: map === undefined ? undefined : createColumnMap(Object.entries(map)),
  };
}

/** The folder of the media that an update brings along; undefined if there are none, or its campaign takes none. */
export async function newMediaOf(runtime: Runtime, draft: Draft): Promise<string | undefined> {
  if ((await readFiles(runtime, draft.id)).stored.size === 0) return undefined;
  const campaign = await updatedCampaign(runtime, draft);
  const owner = campaign && (await ownerOfMedia(runtime, campaign));
  return owner && draftMediaFolder(runtime, draft.id);
}

/** Undefined for a new one. @throws {UseCaseError} `campaign_not_found`; `draft_refused` for a campaign of another ledger. */
export async function updatedCampaign(
  runtime: Runtime,
  { into, ledger }: Draft,
): Promise<Campaign | undefined> {
  if (into === undefined) return undefined;
  if (ledger === (await runtime.ledger.format.id())) return findCampaign(runtime, into);
  throw draftRefused(
    `the sheet is for campaign ${into} in another Redis`,
    'Use the Redis that the campaign is in, or upload the sheet again on the campaign page.',
  );
}

/**
 * What a sheet that updates a campaign keeps of it, below the edits of people. It is made anew when the campaign's sheet has changed, unless
 * somebody has taken it back, or it would move columns that people added since.
 * @returns undefined if nothing is to be changed.
 */
export async function carryOverAnew(
  runtime: Runtime,
  draft: Draft,
  edits: Edits,
  mediaRoot: string,
): Promise<EditEntry | undefined> {
  const of = readingId(draft);
  const campaign = await updatedCampaign(runtime, draft);
  if (campaign === undefined || of === undefined || edits.isCarriedUndone) return undefined;
  const { carried, last } = edits;
  const { id, sheetVersion: campaignVersion } = campaign;
  if (carried?.campaignVersion === campaignVersion) return undefined;
  const sheet = sheetOptionsOf(draft.reading);
  const all = await carryOver(runtime, campaign, sheetOf(runtime, draft, mediaRoot), sheet);
  const made = draft.updatedWith === draft.sheet?.sha256 ? withoutWaiting(all, carried) : all;
  if (made === undefined && carried === undefined) return undefined;
  const kept = last === carried ? (made ?? {}) : behind(made, carried?.addColumns, edits);
  return kept && { ...kept, isCarried: true, campaignVersion, at: runtime.now(), by: `campaign ${id}`, of };
}

type Carried = Awaited<ReturnType<typeof carryOver>>;

/** Rows that an update from the same draft left out are still asked about, but for those that it skipped already. */
function withoutWaiting(made: Carried, before: EditEntry | undefined): Carried {
  const skipped = new Set(before?.leaveFaulty?.map(({ row }) => row));
  const leaveFaulty = (made?.leaveFaulty ?? []).filter(({ row }) => skipped.has(row));
  const lists = [made?.cells, made?.leaveOut, made?.mayBe, leaveFaulty];
  return lists.every((list = []) => list.length === 0) ? undefined : { ...made, leaveFaulty };
}

/**
 * Puts new columns behind those that were added before: cells that people edited since stay in their columns.
 * @returns undefined if columns that people added themselves would move.
 */
function behind(made: Carried, before: EditEntry['addColumns'], edits: Edits): Carried {
  if (isDeepStrictEqual(made?.addColumns, before)) return made ?? { isCarried: true };
  const { addColumns: now, cells = [], ...others } = made ?? {};
  const earlier = before?.columns ?? [];
  if (now === undefined || edits.added.length > earlier.length) return undefined;
  const isEarlier = (column: { readonly name: string }) => earlier.some(({ name }) => name === column.name);
  const columns = [...earlier, ...now.columns.filter((column) => !isEarlier(column))];
  const moved = new Map(
    now.columns.map((column, index) => [
      now.at + index,
      now.at + columns.findIndex(({ name }) => name === column.name),
    ]),
  );
  const placed = cells.map((cell) => ({ ...cell, position: moved.get(cell.position) ?? cell.position }));
  return { ...others, cells: placed, addColumns: { at: now.at, columns } };
}

export async function carryOverOnce(
  runtime: Runtime,
  draft: Draft,
  edits: Edits,
  mediaRoot: string,
  open: () => Promise<DraftDatabase>,
): Promise<{ readonly draft: Draft; readonly entry: EditEntry } | undefined> {
  const entry = await carryOverAnew(runtime, draft, edits, mediaRoot);
  if (entry === undefined) return undefined;
  const change = { by: draft.changedBy, version: draft.version, what: 'kept what the campaign has' };
  const changed = await changeDraft(runtime, draft.id, change, async (now) =>
    addEdit(await open(), now, entry),
  );
  return { draft: changed, entry };
}

/** The campaign that the sheet has become: its rows are no repeats of its own posts. */
export async function ownCampaign(runtime: Runtime, draft: Draft): Promise<string | undefined> {
  if (draft.campaign !== undefined) return draft.campaign;
  const sha256 = await importDigest(runtime, draft);
  const earlier = sha256 === undefined ? undefined : await findEarlierImport(runtime, sha256);
  return earlier && earlierId(earlier);
}

/** Digest that identifies an earlier import: of the draft's file, or of the chosen sheets of a workbook. */
export async function importDigest(runtime: Runtime, draft: Draft): Promise<string | undefined> {
  const { id, sheet, reading } = draft;
  if (sheet === undefined || reading.sheet === undefined) return sheet?.sha256;
  return findDigest({ file: sheet.name, path: draftFiles(runtime, id).sheet }, { sheets: sheetsOf(reading) });
}

/** @throws {UseCaseError} `draft_refused` if another file has replaced the sheet: its edits are for other rows. */
export async function refuseReplaced(
  runtime: Pick<Runtime, 'environment'>,
  { id, sheet, reading }: Draft,
  { sha256 }: Pick<CheckResult, 'sha256'>,
): Promise<void> {
  if (sha256 === null) return;
  // For other sheets of a workbook than the first one alone, the digest of the import is not that of the bytes.
  const ofBytes =
    reading.sheet === undefined ? sha256 : await digestOf(fileSource(draftFiles(runtime, id).sheet));
  if (ofBytes !== sheet?.sha256)
    throw draftRefused('the sheet has changed since it was uploaded', 'Drop it again.');
}
