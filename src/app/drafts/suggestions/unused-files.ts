/** Uploaded files that no row uses and that are no picture of a video, and the nearest of them for each file that is missing. */
import { kindOf, type MediaKind, posterPathsOf } from '../../../manifest/cells/media-source.ts';
import { listSeparator } from '../../../manifest/columns.ts';
import { turn } from '../../../manifest/event-loop.ts';
import type { Edits } from '../../campaigns/import/edits.ts';
import type { DraftCheck } from '../check/draft-check.ts';
import { readFiles } from '../files/record.ts';
import type { DraftRuntime } from '../folder.ts';
import { type FaultyCell, replaced, rowsOf, type Suggestion, suggestionId } from './suggestion.ts';

/** With more files or rows, nothing is known: a page waits for it. */
const mostFiles = 2000;
const mostRows = 5000;
const mostCharacters = 4_000_000;
/** Most missing names that files are offered for, and files for each. */
const mostNames = 30;
const mostOffered = 2;
/** Least part of the pairs of letters that two names share. */
const leastLikeness = 0.25;

export async function findUnusedFiles(
  runtime: DraftRuntime,
  draft: string,
  check: DraftCheck,
  edits: Edits,
): Promise<readonly string[]> {
  const { stored } = await readFiles(runtime, draft);
  if (stored.size === 0 || stored.size > mostFiles) return [];
  // The rows beyond may use any of the files.
  const items = await readMediaItems(check, edits);
  if (items === undefined) return [];
  const unused = new Set(stored.keys());
  for (const path of items)
    for (const used of kindOf(path) === 'VIDEO' ? [path, ...posterPathsOf(path)] : [path])
      unused.delete(used);
  return [...unused];
}

/** The files and links of all rows, each once; undefined if there are too many rows to read. */
export async function readMediaItems(
  { facts: { columns }, findings, rows }: DraftCheck,
  edits: Edits,
): Promise<ReadonlySet<string> | undefined> {
  if (findings.rows > mostRows) return undefined;
  const positions = columns
    .filter(({ column }) => column === 'media' || column === 'cover' || column === 'ai_references')
    .map(({ position }) => position);
  const items = new Set<string>();
  const numbers = Array.from({ length: findings.rows }, (_, index) => index + 1);
  const read = await rows.read(numbers, mostCharacters);
  if (read.length < numbers.length) return undefined;
  for (const row of read) {
    const cells = edits.textsOf(row, row.number);
    for (const position of positions) {
      for (const item of (cells[position] ?? '').split(listSeparator)) items.add(item.trim());
    }
    if (turn.isFull) await turn.pause();
  }
  return items;
}

/** @param cells with files that are missing; those for which the check knows what is meant are left out. */
export async function suggestUnused(
  cells: readonly FaultyCell[],
  unused: readonly string[],
): Promise<readonly Suggestion[]> {
  const files: { path: string; kind: MediaKind | null; pairs: ReadonlySet<string> }[] = [];
  for (const path of unused) {
    if (turn.isFull) await turn.pause();
    files.push({ path, kind: kindOf(path), pairs: pairsOf(path) });
  }
  const open = cells.filter(({ meant, value }) => meant === undefined && value !== '');
  const byName = [...Map.groupBy(open, ({ value }) => value)].slice(0, mostNames);
  const found: Suggestion[] = [];
  for (const [name, same] of byName) {
    await turn.pause();
    const [kind, pairs] = [kindOf(name), pairsOf(name)];
    const near = files
      .filter((file) => kind === null || file.kind === kind)
      .map(({ path, pairs: others }) => ({ path, likeness: likenessOf(pairs, others) }))
      .filter(({ likeness }) => likeness >= leastLikeness)
      .sort((one, other) => other.likeness - one.likeness);
    for (const { path } of near.slice(0, mostOffered)) {
      const edits = same.map((cell) => replaced(cell, path));
      const id = suggestionId(name, path);
      const evidence = 'This file was uploaded, and no row uses it.';
      found.push({ id, label: `Use ${path} in ${rowsOf(edits)}`, evidence, edits });
    }
  }
  return found;
}

/** Pairs of letters in the name of a file, without its folder and extension. */
function pairsOf(path: string): ReadonlySet<string> {
  const name = path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('/') + 256);
  const dot = name.lastIndexOf('.');
  const letters = (dot > 0 ? name.slice(0, dot) : name).normalize('NFC').toLowerCase();
  const pairs = new Set<string>();
  for (let start = 0; start + 2 <= letters.length; start += 1) pairs.add(letters.slice(start, start + 2));
  return pairs;
}

/** From 0 to 1. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared += 1;
  return shared === 0 ? 0 : (2 * shared) / (one.size + other.size);
}
