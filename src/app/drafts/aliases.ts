/** Learns aliases: a person who fixes a name in a sheet teaches what it means, and the next sheet that has it gets the fix as an offer. */
import { textOfCell } from '../../manifest/cells/formula-guard.ts';
import { creatorIn, findIdFault } from '../../manifest/cells/id.ts';
import type { ColumnIndexes } from '../../manifest/headers/header.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { writeAtomically } from '../../platform/files/write-file.ts';
import {
  type Alias,
  type AliasKind,
  aliasFile,
  type DataFolder,
  foldName,
  longestName,
  mostAliases,
  readAliases,
} from '../campaigns/import/aliases.ts';
import type { Edit } from '../campaigns/import/edit.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { DraftCheck, EditedSheet } from './check/draft-check.ts';
import { onDisk } from './draft.ts';
import { oneAtATime } from './exclusive.ts';
import { isNoId, lacksId } from './suggestions/products.ts';

/** Most cells of one edit that teach. */
const mostTaught = 500;
const mostCharacters = 4_000_000;
/** Of larger sheets nothing is remembered: all rows are looked at. */
const mostRows = 20_000;

/** A name whose cell an edit fixes, if it does. */
export interface TaughtName extends Pick<Alias, 'kind' | 'name' | 'means'> {
  readonly row: number;
  readonly position: number;
  /** Position of the name: of an id that was missing, the title of its product. */
  readonly at: number;
}

const ofCreators: ReadonlySet<string> = new Set(['creator_unknown', 'creator_ambiguous', ...isNoId]);

/** What the column of a problem names; undefined unless the problem is that the name is not known. */
export function aliasKindOf(column: string | null | undefined, code: string): AliasKind | undefined {
  if (column === 'creator' && ofCreators.has(code)) return 'creator';
  return column === 'product_id' && (isNoId.has(code) || lacksId.has(code)) ? 'product' : undefined;
}

/** As a sentence. */
export function describeAlias({ name, means, by }: Pick<Alias, 'name' | 'means' | 'by'>): string {
  return `${by} chose ${means} for ${name} before.`;
}

/** Position of what a cell at fault is called: an id that is missing or has lost digits, by the title beside it. */
export function nameAt(position: number, code: string, { product_title }: ColumnIndexes): number {
  return position >= 0 && lacksId.has(code) ? product_title : position;
}

/** The names at fault that an edit replaces. Call it before the edit. */
export async function namesReplaced(
  { check, edits }: EditedSheet,
  { cells = [] }: Edit,
): Promise<readonly TaughtName[]> {
  const { facts, findings, rows } = check;
  const { indexes } = facts;
  const columns = new Map([
    [indexes.creator, 'creator'],
    [indexes.product_id, 'product_id'],
  ]);
  columns.delete(-1);
  const named = cells.filter(({ position, text }) => columns.has(position) && text.trim() !== '');
  const faulty = named.slice(0, mostTaught).flatMap((cell) => {
    const { kind, code } = faultAt({ findings }, columns.get(cell.position), cell) ?? {};
    return kind === undefined || code === undefined
      ? []
      : [{ ...cell, kind, at: nameAt(cell.position, code, indexes) }];
  });
  const numbers = [...new Set(faulty.map(({ row }) => row))].sort((one, other) => one - other);
  const read = new Map((await rows.read(numbers, mostCharacters)).map((row) => [row.number, row]));
  return faulty.flatMap(({ row, position, text, kind, at }) => {
    const stored = read.get(row);
    const name = stored === undefined ? '' : (edits.textsOf(stored, row)[at] ?? '').trim();
    return [{ kind, name, means: text.trim(), row, position, at }].filter(isUsable);
  });
}

function faultAt(
  { findings }: Pick<DraftCheck, 'findings'>,
  column: string | undefined,
  { row, position }: { readonly row: number; readonly position: number },
): { readonly kind: AliasKind | undefined; readonly code: string } | undefined {
  return findings
    .problemsOf(row, 'problem')
    .filter((problem) => problem.position === position)
    .map(({ code }) => ({ kind: aliasKindOf(column, code), code }))
    .find(({ kind }) => kind !== undefined);
}

/** Remembers those that the check finds right now, if all rows of the sheet with the name got the same. */
export async function teachAliases(
  runtime: Pick<Runtime, 'environment' | 'now'>,
  sheet: EditedSheet,
  taught: readonly TaughtName[],
  by: string,
): Promise<void> {
  const { check, draft } = sheet;
  const { indexes } = check.facts;
  const right = taught.filter(({ kind, ...cell }) => {
    const column = kind === 'creator' ? 'creator' : 'product_id';
    return indexes[column] === cell.position && faultAt(check, column, cell) === undefined;
  });
  const clear = await withoutExceptions(sheet, right);
  const made = { by, at: runtime.now(), draft: draft.id };
  const aliases = clear.map(({ kind, name, means }): Alias => ({ kind, name, means, ...made }));
  if (aliases.length > 0) await store(runtime, (before) => withAliases(before, aliases));
}

/** One of each name. Not those that another row has with another meaning, or with none: what one row got was for that row. */
async function withoutExceptions(
  { check: { rows, findings }, edits }: EditedSheet,
  names: readonly TaughtName[],
): Promise<readonly TaughtName[]> {
  if (names.length === 0 || findings.rows > mostRows) return [];
  const placeOf = (at: number, name: string) => `${at} ${foldName(name)}`;
  const left = new Map(names.map((each) => [placeOf(each.at, each.name), each]));
  const places = new Map(names.map(({ at, position }) => [at, position]));
  for await (const chunk of rows.scan()) {
    for (const row of chunk) {
      if (edits.skips(row.number)) continue;
      const texts = edits.textsOf(row, row.number);
      for (const [at, position] of places) {
        // The edit took the place of the name itself.
        const name = at === position ? textOfCell(row.cells, at) : (texts[at] ?? '');
        const place = placeOf(at, name.trim());
        const { means } = left.get(place) ?? {};
        if (means !== undefined && creatorIn((texts[position] ?? '').trim()) !== creatorIn(means))
          left.delete(place);
      }
    }
  }
  return [...left.values()];
}

/** Forgets what a draft has taught since a time, because its edit was undone. */
export async function unteachAliases(runtime: DataFolder, draft: string, since: number): Promise<void> {
  const isUndone = (alias: Alias) => alias.draft === draft && alias.at >= since;
  if ((await readAliases(runtime)).some(isUndone))
    await store(runtime, (before) => before.filter((alias) => !isUndone(alias)));
}

/** Adds or changes one. @throws {UseCaseError} `request_invalid`, `draft_not_stored`. */
export async function setAlias(
  runtime: Pick<Runtime, 'environment' | 'now'>,
  given: Pick<Alias, 'kind' | 'name' | 'means' | 'by'>,
): Promise<Alias> {
  const alias = { ...given, name: given.name.trim(), means: given.means.trim(), at: runtime.now() };
  if (!isUsable(alias)) {
    const what = alias.kind === 'creator' ? 'a username or creator id' : 'a product id';
    throw new UseCaseError('request_invalid', `${alias.means.slice(0, longestName)} is not ${what}`);
  }
  await store(runtime, (before) => withAliases(before, [alias]));
  return alias;
}

/** @returns whether there was one. @throws {UseCaseError} `draft_not_stored`. */
export async function removeAlias(runtime: DataFolder, kind: AliasKind, name: string): Promise<boolean> {
  const identity = identityOf({ kind, name });
  const isKept = (alias: Alias) => identityOf(alias) !== identity;
  if ((await readAliases(runtime)).every(isKept)) return false;
  await store(runtime, (before) => before.filter(isKept));
  return true;
}

async function store(
  runtime: DataFolder,
  change: (before: readonly Alias[]) => readonly Alias[],
): Promise<void> {
  await oneAtATime('aliases', async () => {
    const next = change(await readAliases(runtime)).slice(-mostAliases);
    await onDisk(() => writeAtomically(aliasFile(runtime), [JSON.stringify(next)]));
  });
}

function withAliases(before: readonly Alias[], aliases: readonly Alias[]): readonly Alias[] {
  const names = new Set(aliases.map(identityOf));
  return [...before.filter((alias) => !names.has(identityOf(alias))), ...aliases];
}

function isUsable({ name, means }: Pick<Alias, 'name' | 'means'>): boolean {
  const isShort = name.length <= longestName && means.length <= longestName;
  return isShort && name !== '' && name !== means && means !== '' && findIdFault(means) === null;
}

function identityOf({ kind, name }: Pick<Alias, 'kind' | 'name'>): string {
  return `${kind} ${foldName(name)}`;
}
