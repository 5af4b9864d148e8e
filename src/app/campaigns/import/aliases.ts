/** What names in sheets mean: `Anna B.` is the creator `anna.b`, `Glow Serum` the product 1729384071926530212. Fixes in drafts teach it. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readStored } from '../../../ledger/stored-json.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import { readWritten } from '../../../manifest/cells/written-time.ts';
import type { ColumnName } from '../../../manifest/columns.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** Most aliases to remember; the oldest are forgotten. */
export const mostAliases = 2000;
/** In UTF-16 units. */
export const longestName = 200;

export const aliasKinds = ['creator', 'product'] as const;
export type AliasKind = (typeof aliasKinds)[number];

export const aliasSchema = z.strictObject({
  kind: z.enum(aliasKinds),
  /** As a sheet had it. */
  name: z.string().max(longestName),
  /** Text for the sheet: a username or `creatorId`, or a product id. */
  means: z.string().max(longestName),
  by: z.string().max(200),
  /** Milliseconds since the epoch. */
  at: z.int(),
  /** The draft that taught it; undefined if a person typed it. */
  draft: z.string().max(50).optional(),
});
export type Alias = Readonly<z.infer<typeof aliasSchema>>;
const storeSchema = z.array(aliasSchema).max(mostAliases);

export type DataFolder = Pick<Runtime, 'environment'>;

let known: { readonly path: string; readonly stamp: string; readonly aliases: readonly Alias[] } | undefined;

/** The oldest first. A file that cannot be read counts as empty, because people can teach again. */
export async function readAliases(runtime: DataFolder): Promise<readonly Alias[]> {
  const path = aliasFile(runtime);
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return [];
  const stamp = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
  if (known?.path === path && known.stamp === stamp) return known.aliases;
  const aliases = readStored(storeSchema, await readFile(path, 'utf8').catch(() => '')) ?? [];
  known = { path, stamp, aliases };
  return aliases;
}

/** What names of a kind mean, by `foldName`. */
export async function aliasesOf(runtime: DataFolder, kind: AliasKind): Promise<ReadonlyMap<string, Alias>> {
  const aliases = (await readAliases(runtime)).filter((alias) => alias.kind === kind);
  return new Map(aliases.map((alias) => [foldName(alias.name), alias]));
}

export function aliasFile({ environment }: DataFolder): string {
  return join(environment.dataDir, 'aliases.json');
}

/** Longer texts are not names. */
const longestFolded = 1000;

/** A name as people write it, so that case, spaces and the form of characters make no difference. */
export function foldName(text: string): string {
  return text.slice(0, longestFolded).normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
}

/** Whether a text of the planner's sheet means what the campaign has for it. */
export type SameMeaning = (column: ColumnName | undefined, hers: string, ours: string) => boolean;

/** What people fixed by saying what a name or a date means, not by writing another post: her results need not tell it. */
export async function openMeanings(runtime: DataFolder): Promise<SameMeaning> {
  const [creators, products] = [await aliasesOf(runtime, 'creator'), await aliasesOf(runtime, 'product')];
  return (column, hers, ours) => {
    if (hers === '' || ours === '') return false;
    if (column === 'product_id') return products.get(foldName(hers))?.means === ours;
    if (column === 'scheduled_at') return isReadingOf(hers, ours);
    const { means } = (column === 'creator' && creators.get(foldName(hers))) || {};
    return means !== undefined && creatorIn(means) === creatorIn(ours);
  };
}

/** Whether a time is one of the readings of a text that has all of it. */
function isReadingOf(text: string, time: string): boolean {
  const [meant, ...others] = readWritten(time);
  if (meant?.isPlain !== true || others.length > 0) return false;
  const { year, month, day, time: clock } = meant;
  return readWritten(text).some(
    (read) => read.year === year && read.month === month && read.day === day && read.time === clock,
  );
}
