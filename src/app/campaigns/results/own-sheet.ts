/**
 * The planner's own sheet, kept in `sheets` of the data directory at each import, so that results are written into it: a file for each
 * campaign, and how it is read.
 */
import { createReadStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CheckResult } from '../../../importers/check/check-sheet.ts';
import type { ManifestFile } from '../../../importers/open/manifest-file.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { describeFileError, requireFreeDisk } from '../../../platform/files/disk.ts';
import { makeFolders, writeAtomically } from '../../../platform/files/write-file.ts';
import { delimiters } from '../../../sheets/csv/delimiter.ts';
import { digestOf } from '../../../sheets/open-sheet.ts';
import { fileSource, rowChoices, type SheetOptions } from '../../../sheets/sheet.ts';
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
});

/** What was chosen for rows that may not be meant to be posted. */
type RowChoices = Pick<SheetOptions, 'hidden' | 'ownStatus'>;

export interface OwnSheet extends Pick<SheetOptions, 'delimiter' | 'encoding' | 'sheets' | 'headerLine'> {
  readonly path: string;
  readonly kind: 'csv' | 'xlsx';
}

type OfRuntime = Pick<Runtime, 'environment' | 'ledger'>;

/** Never throws: without it, results are a sheet of their own. */
export async function keepOwnSheet(
  runtime: OfRuntime & Pick<Runtime, 'notify'>,
  { id }: Pick<Campaign, 'id'>,
  { path }: Pick<ManifestFile, 'path'>,
  { format }: Pick<CheckResult, 'format'>,
  { sheets, headerLine, hidden, ownStatus }: SheetOptions = {},
): Promise<void> {
  if (format?.kind !== 'csv' && format?.kind !== 'xlsx') {
    await removeOwnSheet(runtime, { id });
    return;
  }
  const read = format.kind === 'csv' ? { delimiter: format.delimiter, encoding: format.encoding } : {};
  try {
    const { folder, sheet, record } = await filesOf(runtime, id);
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
    };
    await writeAtomically(record, [JSON.stringify(written)]);
  } catch (error) {
    runtime.notify(
      `The sheet of ${id} is not kept, so its results are written as a sheet of their own: ${describeFileError(error)}`,
    );
  }
}

/** @returns undefined if this machine has none, or another file than was kept. */
export async function findOwnSheet(
  runtime: OfRuntime,
  { id }: Pick<Campaign, 'id'>,
): Promise<OwnSheet | undefined> {
  const { sheet, record } = await filesOf(runtime, id);
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

export async function removeOwnSheet(runtime: OfRuntime, { id }: Pick<Campaign, 'id'>): Promise<void> {
  const { sheet, record } = await filesOf(runtime, id);
  await Promise.all([record, sheet].map((file) => rm(file, { force: true }))).catch(() => undefined);
}

/** A new ledger begins with the first campaign id again, so the names have the id of the ledger, too. */
async function filesOf({ environment, ledger }: OfRuntime, id: string) {
  const folder = join(environment.dataDir, 'sheets');
  const sheet = join(folder, `${await ledger.format.id()}-${id}`);
  return { folder, sheet, record: `${sheet}.json` };
}
