/** Remembers column mappings by the set of headers, so that the next sheet with the same headers is read in the same way. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../fs/write-file.ts';
import { foldHeader } from '../manifest/columns.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { openSheet } from '../sheets/open-sheet.ts';
import { fileSource, UnreadableSheetError } from '../sheets/sheet.ts';
import { onDisk } from './draft.ts';
import { oneAtATime } from './exclusive.ts';
import { parseAs } from './folder.ts';

/** Most sets of headers to remember; the oldest are dropped. */
const mostSets = 500;
const maxBytes = 8 * 1024 * 1024;

const storeSchema = z.array(z.strictObject({ headers: z.string(), map: z.record(z.string(), z.string()) }));
type Store = z.infer<typeof storeSchema>;
type DataFolder = Pick<Runtime, 'environment'>;

/** Columns by header. */
export type ColumnsByHeader = Readonly<Record<string, string>>;

/** @param headers of the sheet, in any order. @throws {UseCaseError} `draft_not_stored`. */
export async function rememberColumns(
  runtime: DataFolder,
  headers: readonly string[],
  map: ColumnsByHeader,
): Promise<void> {
  await oneAtATime('remembered columns', async () => {
    const set = nameOf(headers);
    const others = (await read(runtime)).filter((each) => each.headers !== set);
    const kept = [...others, { headers: set, map }].slice(-mostSets);
    await onDisk(() => writeAtomically(fileOf(runtime), [JSON.stringify(kept)]));
  });
}

/**
 * The remembered mapping for a sheet.
 * @param path of the file.
 * @returns undefined if there is none, or the headers cannot be read, which the check reports.
 */
export async function rememberedColumnsOf(
  runtime: DataFolder,
  path: string,
): Promise<ColumnsByHeader | undefined> {
  const known = await read(runtime);
  if (known.length === 0) return undefined;
  try {
    const sheet = await openSheet(fileSource(path));
    await sheet.close();
    const set = nameOf(sheet.header.cells.map((cell) => cell.trim()));
    return known.find((each) => each.headers === set)?.map;
  } catch (error) {
    if (error instanceof UnreadableSheetError) return undefined;
    throw error;
  }
}

/** Reads the store. A store that cannot be read counts as empty, because people can map the columns again. */
async function read(runtime: DataFolder): Promise<Store> {
  const text = await readFile(fileOf(runtime), 'utf8').catch(() => '');
  return text.length > maxBytes ? [] : (parseAs(storeSchema, text) ?? []);
}

function fileOf({ environment }: DataFolder): string {
  return join(environment.dataDir, 'columns.json');
}

/** Identifies a set of headers, whatever their order and spelling. */
function nameOf(headers: readonly string[]): string {
  const folded = headers.map(foldHeader).sort();
  return createHash('sha256').update(JSON.stringify(folded)).digest('hex');
}
