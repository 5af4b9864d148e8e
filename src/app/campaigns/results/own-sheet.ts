/**
 * The planner's own sheet, kept in `sheets` of the data directory at each import, so that results are written into it, and its next version
 * is compared with it: a file for each campaign, and how it is read. If a results sheet or a part of the rows has updated the campaign
 * since, the last version of the plan is a second file.
 */
import { createReadStream } from 'node:fs';
import { access, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CheckResult } from '../../../importers/check/check-sheet.ts';
import type { RowEdits } from '../../../importers/check/checked-row.ts';
import { withoutDefaults } from '../../../importers/check/default-rows.ts';
import { PlaceIndex } from '../../../importers/check/seen-texts.ts';
import { unseenAs } from '../../../importers/check/unseen-rows.ts';
import type { ManifestFile } from '../../../importers/open/manifest-file.ts';
import type { ChangedRow } from '../../../importers/update/update-pass.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { indexedKey } from '../../../manifest/cells/id.ts';
import { withRemembered } from '../../../manifest/headers/column-map.ts';
import { matchHeader } from '../../../manifest/headers/header.ts';
import type { RowPlace } from '../../../manifest/problems/problem.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import { describeFileError, requireFreeDisk } from '../../../platform/files/disk.ts';
import { makeFolders, writeAtomically } from '../../../platform/files/write-file.ts';
import { delimiters } from '../../../sheets/csv/delimiter.ts';
import { digestOf, openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource, rowChoices, type SheetOptions, type SheetRow } from '../../../sheets/sheet.ts';
import { type Encoding, encodings } from '../../../sheets/text/encoding.ts';
import type { Runtime } from '../../runtime/runtime.ts';

const recordSchema = z.strictObject({
  /** SHA-256 of the file, in hex. */
  sha256: z.string(),
  kind: z.enum(['csv', 'xlsx']),
  delimiter: z.enum(delimiters).optional(),
  encoding: z.enum(encodings as readonly [Encoding, ...Encoding[]]).optional(),
  sheets: z.array(z.string()).optional(),
  headerLine: z.int().optional(),
  hidden: z.enum(rowChoices).optional(),
  ownStatus: z.enum(rowChoices).optional(),
  /** Keys by place, where they are not those in the sheet itself. */
  keys: z.record(z.string(), z.string()).optional(),
  /** Places of rows that a person left out. */
  skipped: z.array(z.string()).optional(),
  /** Places of rows that were not taken, and whose keys another row of the sheet has. */
  repeats: z.array(z.string()).optional(),
  /** Rows of the campaign, from 0, that it lacks. */
  absent: z.array(z.int()).optional(),
  /** Columns with edits that were ignored, because their rows were sent, by key. Only of the first rows. */
  ignored: z.record(z.string(), z.array(z.string())).optional(),
});
type SheetRecord = z.infer<typeof recordSchema>;

/** What was chosen for rows that may not be meant to be posted. */
type RowChoices = Pick<SheetOptions, 'hidden' | 'ownStatus'>;

export interface OwnSheet
  extends Pick<SheetOptions, 'delimiter' | 'encoding' | 'sheets' | 'headerLine'>,
    Pick<SheetRecord, 'kind' | 'keys' | 'skipped' | 'repeats' | 'absent' | 'ignored'> {
  readonly path: string;
}

/** `own`: the file that results are written into. `plan`: the planner's last version, where that is another one. */
type Role = 'own' | 'plan';

export interface KeptReading {
  readonly sheet?: SheetOptions | undefined;
  readonly edits?: RowEdits | undefined;
  /** Rows of a campaign whose edits in this sheet were ignored. */
  readonly ignored?: readonly ChangedRow[] | undefined;
  /** Rows of the campaign that it lacks. */
  readonly absent?: readonly number[] | undefined;
}

type OfRuntime = Pick<Runtime, 'environment' | 'ledger'>;

/** Never throws: without it, results are a sheet of their own. */
export async function keepOwnSheet(
  runtime: OfRuntime & Pick<Runtime, 'notify'>,
  campaign: Campaign,
  { path }: Pick<ManifestFile, 'path'>,
  { format }: Pick<CheckResult, 'format'>,
  { sheet: options = {}, edits, ignored = [], absent = [] }: KeptReading,
  role: Role = 'own',
): Promise<void> {
  const { id } = campaign;
  if (format?.kind !== 'csv' && format?.kind !== 'xlsx') {
    await removeOwnSheet(runtime, { id }, [role]);
    return;
  }
  const { sheets, headerLine, hidden, ownStatus } = options;
  const read = format.kind === 'csv' ? { delimiter: format.delimiter, encoding: format.encoding } : {};
  try {
    const { folder, sheet, record } = await filesOf(runtime, id, role);
    await makeFolders(folder);
    const { size } = await stat(path);
    await requireFreeDisk(folder, size);
    await writeAtomically(sheet, createReadStream(path));
    const written = {
      sha256: await digestOf(fileSource(sheet)),
      kind: format.kind,
      ...read,
      sheets,
      headerLine,
      hidden,
      ownStatus,
      ...((edits || campaign.leftOut > 0) && (await placesOf(path, campaign, options, edits))),
      absent,
      ignored: Object.fromEntries(ignored.map(({ key, cells }) => [key, cells.map(({ column }) => column)])),
    };
    await writeAtomically(record, [JSON.stringify(written)]);
  } catch (error) {
    runtime.notify(
      `The sheet of ${id} is not kept, so its results are written as a sheet of their own: ${describeFileError(error)}`,
    );
  }
}

/** What edits and choices say of rows, which a later reading of the file cannot know. */
async function placesOf(
  path: string,
  campaign: Campaign,
  options: SheetOptions,
  edits: RowEdits | undefined,
): Promise<Pick<SheetRecord, 'keys' | 'skipped' | 'repeats'>> {
  const map = withRemembered(options.map, campaign.map);
  const sheet = await openSheet(fileSource(path), { ...options, map });
  const { cells } = sheet.header;
  const { indexes } = matchHeader(edits?.header(cells) ?? cells, { map });
  const keys: Record<string, string> = {};
  const skipped: string[] = [];
  const notTaken: (readonly [key: string, place: RowPlace])[] = [];
  const repeats: string[] = [];
  const taken = new PlaceIndex();
  let number = 0;
  for await (const rows of withoutDefaults(sheet)) {
    for (const row of rows) {
      number += 1;
      const isSkipped = edits?.leavesOut(number) ?? false;
      if (isSkipped) skipped.push(placeOf(row));
      const key = textOfCell(edits?.apply(row, number).cells ?? row.cells, indexes.key);
      if (key !== textOfCell(row.cells, indexes.key)) keys[placeOf(row)] = key || String(number);
      if (key === '') continue;
      const isUnseen = options.hidden === 'skip' && unseenAs(row) !== undefined;
      if (isSkipped || isUnseen) notTaken.push([indexedKey(key), row]);
      else if (taken.seen(row, indexedKey(key)) !== undefined) repeats.push(placeOf(row));
    }
  }
  for (const [key, place] of notTaken) if (taken.seen(place, key) !== undefined) repeats.push(placeOf(place));
  return { ...(Object.keys(keys).length > 0 && { keys }), skipped, repeats };
}

function placeOf({ line, worksheet = '' }: RowPlace): string {
  return `${line} ${worksheet}`;
}

/** Finds the rows of a campaign by their keys, and those without one by their places in its kept sheet. */
export class OwnRows {
  readonly #byKey = new Map<string, number>();
  readonly #byPlace = new Map<string, number>();
  readonly #keys: OwnSheet['keys'];
  readonly #repeats: ReadonlySet<string>;
  /** Whether rows have keys of their own, not only numbers. */
  hasOwnKeys = false;
  lastNumber = 0;

  static async read(
    { ledger }: Pick<Runtime, 'ledger'>,
    campaign: Campaign,
    own?: Pick<OwnSheet, 'keys' | 'repeats'>,
  ) {
    const index = new OwnRows(own);
    const { key } = createImportedRowReader(campaign).header.indexes;
    for await (const part of ledger.store.all(campaign)) {
      for (const [row, { cells, number, line = number + 1, worksheet }] of part) {
        const text = textOfCell(cells, key) || String(number);
        // The runner's own number as a text comes from a results sheet in which the row was edited.
        const isOwnKey = text !== String(number);
        index.hasOwnKeys ||= isOwnKey;
        index.lastNumber = Math.max(index.lastNumber, number);
        index.#byKey.set(indexedKey(text), row);
        if (!isOwnKey) index.#byPlace.set(placeOf({ line, worksheet }), row);
      }
    }
    return index;
  }

  private constructor({ keys, repeats }: Pick<OwnSheet, 'keys' | 'repeats'> = {}) {
    this.#keys = keys;
    this.#repeats = new Set(repeats);
  }

  at(key: string): number | undefined {
    return this.#byKey.get(indexedKey(key));
  }

  /** @param column position of the keys in the row's sheet; -1 if it has none. */
  find({ cells, ...place }: SheetRow, column: number): number | undefined {
    const at = placeOf(place);
    if (this.#repeats.has(at)) return undefined;
    const name = this.#keys?.[at] ?? textOfCell(cells, column);
    if (name !== '') return this.at(name);
    // Of a sheet without keys, all posts are in `keys`, or none.
    return column < 0 && this.#keys !== undefined ? undefined : this.#byPlace.get(at);
  }
}

export function isSkipped({ skipped = [] }: Pick<OwnSheet, 'skipped'>): (place: RowPlace) => boolean {
  const places = new Set(skipped);
  return (place) => places.has(placeOf(place));
}

/** The planner's last version of the sheet. */
export async function findPlan(runtime: OfRuntime, campaign: Campaign): Promise<OwnSheet | undefined> {
  return (await findOwnSheet(runtime, campaign, 'plan')) ?? findOwnSheet(runtime, campaign);
}

/** @returns undefined if this machine has none, or another file than was kept. */
export async function findOwnSheet(
  runtime: OfRuntime,
  { id }: Pick<Campaign, 'id'>,
  role: Role = 'own',
): Promise<OwnSheet | undefined> {
  const { sheet, record } = await filesOf(runtime, id, role);
  try {
    const { sha256, hidden: _hidden, ownStatus: _status, ...read } = await readRecord(record);
    return (await digestOf(fileSource(sheet))) === sha256 ? { path: sheet, ...read } : undefined;
  } catch {
    return undefined;
  }
}

/** What was chosen for the kept sheet holds for its next version, unless something else is chosen. */
export async function choicesOfOwnSheet(
  runtime: OfRuntime,
  { id }: Pick<Campaign, 'id'>,
): Promise<RowChoices> {
  try {
    const { hidden, ownStatus } = await readRecord((await filesOf(runtime, id)).record);
    return { hidden, ownStatus };
  } catch {
    return {};
  }
}

async function readRecord(path: string) {
  return recordSchema.parse(JSON.parse(await readFile(path, 'utf8')));
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

/** Before a results sheet takes its place: keeps it as the last version of the plan. Never throws. */
export async function keepAsPlan(runtime: OfRuntime, { id }: Pick<Campaign, 'id'>): Promise<void> {
  const [own, plan] = await Promise.all([filesOf(runtime, id), filesOf(runtime, id, 'plan')]);
  try {
    await access(plan.record);
  } catch {
    await rename(own.sheet, plan.sheet)
      .then(() => rename(own.record, plan.record))
      .catch(() => undefined);
  }
}

/** A new ledger begins with the first campaign id again, so the names have the id of the ledger, too. */
async function filesOf({ environment, ledger }: OfRuntime, id: string, role: Role = 'own') {
  const folder = join(environment.dataDir, 'sheets');
  const sheet = join(folder, `${await ledger.format.id()}-${id}${role === 'own' ? '' : `-${role}`}`);
  return { folder, sheet, record: `${sheet}.json` };
}
