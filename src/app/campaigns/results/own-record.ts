/** How the planner's own sheet is read that is kept for a campaign, and which rows of the campaign its rows are. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { placeRuns } from '../../../importers/sheet-places.ts';
import { changedRowSchema } from '../../../importers/update/update-pass.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { type ColumnName, columns } from '../../../manifest/columns.ts';
import { writeAtomically } from '../../../platform/files/write-file.ts';
import { delimiters } from '../../../sheets/csv/delimiter.ts';
import { rowChoices } from '../../../sheets/sheet.ts';
import { type Encoding, encodings } from '../../../sheets/text/encoding.ts';
import type { Runtime } from '../../runtime/runtime.ts';

const columnNames = columns.map(({ name }) => name) as [ColumnName, ...ColumnName[]];

const recordSchema = z.strictObject({
  /** The last import that it knows of (`Campaign.importId`), and one after it that was begun here. */
  imports: z.array(z.string()).readonly(),
  /** Of the planner's file, without the extension; none for a results sheet. */
  name: z.string().optional(),
  /** SHA-256 of the file, in hex. */
  sha256: z.string(),
  kind: z.enum(['csv', 'xlsx']),
  delimiter: z.enum(delimiters).optional(),
  encoding: z.enum(encodings as readonly [Encoding, ...Encoding[]]).optional(),
  sheets: z.array(z.string()).readonly().optional(),
  headerLine: z.int().optional(),
  hidden: z.enum(rowChoices).optional(),
  ownStatus: z.enum(rowChoices).optional(),
  noPosts: z.enum(rowChoices).optional(),
  /** How many rows the campaign had then: later ones came by another sheet. */
  campaignRows: z.int().default(Number.MAX_SAFE_INTEGER),
  /** Which rows of the campaign its rows are. */
  rows: placeRuns,
  /** Places of rows that a person skipped. */
  skipped: z.array(z.string()).readonly(),
  /** Places of rows with problems, as `SheetPlaces` has them. */
  refused: z
    .array(z.tuple([z.string(), z.string()], z.string()).readonly())
    .readonly()
    .default([]),
  /** Cells that were edited in rows that are in no campaign, by the places of these rows and the names of the columns. */
  edits: z.array(z.tuple([z.string(), z.array(z.tuple([z.enum(columnNames), z.string()]))])).default([]),
  notTaken: z.array(z.tuple([z.int(), z.array(z.int())])),
  /** Rows whose edits the last update ignored: how many, and the first of them. */
  ignored: z
    .strictObject({ count: z.int(), isKeyless: z.boolean(), rows: z.array(changedRowSchema) })
    .default({ count: 0, isKeyless: false, rows: [] }),
});
export type SheetRecord = z.infer<typeof recordSchema>;

/** `own`: the file that results are written into. `plan`: the planner's last version, where that is another one. */
export type Role = 'own' | 'plan';

export type OfRuntime = Pick<Runtime, 'environment' | 'ledger'>;

export async function readRecord(path: string) {
  return recordSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

/** With the paths of its files. Undefined if there is none, or it knows nothing of the latest import of the campaign. */
export async function findRecord(
  runtime: OfRuntime,
  { id, importId }: Pick<Campaign, 'id' | 'importId'>,
  role: Role = 'own',
) {
  const files = await filesOf(runtime, id, role);
  const read = await readRecord(files.record).catch(() => undefined);
  return read?.imports.includes(importId) ? { ...files, read } : undefined;
}

export function writeRecord(path: string, record: SheetRecord): Promise<unknown> {
  return writeAtomically(path, [JSON.stringify(record)]);
}

/** A new ledger begins with the first campaign id again, so the names have the id of the ledger, too. */
export async function filesOf({ environment, ledger }: OfRuntime, id: string, role: Role = 'own') {
  const folder = join(environment.dataDir, 'sheets');
  const sheet = join(folder, `${await ledger.format.id()}-${id}${role === 'own' ? '' : `-${role}`}`);
  return { folder, sheet, record: `${sheet}.json` };
}
