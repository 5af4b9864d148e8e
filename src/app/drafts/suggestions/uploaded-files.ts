/** Uploaded files for each file that is missing: other versions of it, and the files with the most similar names that no row uses. */

import { baseOf, compareVersions, readFileName, relationOf } from '../../../importers/check/file-names.ts';
import { isMediaColumn } from '../../../importers/check/media-check.ts';
import { namesOfRange } from '../../../importers/check/media-names.ts';
import { kindOf, posterPathsOf } from '../../../manifest/cells/media-source.ts';
import { listSeparator } from '../../../manifest/columns.ts';
import { turn } from '../../../manifest/event-loop.ts';
import type { CellEdit } from '../../campaigns/import/edit.ts';
import type { EditedSheet } from '../check/draft-check.ts';
import { readFiles } from '../files/record.ts';
import type { DraftRuntime } from '../folder.ts';
import { plainName } from './accounts.ts';
import {
  type FaultyCell,
  mostSuggestions,
  replaced,
  rowsOf,
  type Suggestion,
  suggestionId,
} from './suggestion.ts';

/** With more files or rows, nothing is known: a page waits for it. */
const mostFiles = 2000;
const mostRows = 5000;
const mostCharacters = 4_000_000;
/** Most missing names that files are offered for, and files for each. */
const mostNames = 30;
const mostVersions = 4;
const mostOffered = 2;
/** Least part of the pairs of letters that two names share. */
const leastLikeness = 0.25;
/** With less, and no word in common, a name is another. */
const leastWithoutWord = 0.5;

/** Uploaded files, each with the first line that uses it; undefined if no row does. Without pictures that stand for a video. */
export type UploadedFiles = ReadonlyMap<string, number | undefined>;

/** Problems of names that a file may have: with another ending, or with any; and of files that are another creator's. */
export const isOfFile: ReadonlySet<string> = new Set([
  'media_missing',
  'media_kind_unknown',
  'file_of_other',
]);

/** @param items of all rows, as `readMediaItems` has them. */
export async function findUploaded(
  runtime: DraftRuntime,
  draft: string,
  items: ReadonlyMap<string, number> | undefined,
): Promise<UploadedFiles> {
  // Rows that were not read may use any of the files.
  if (items === undefined) return new Map();
  const { stored } = await readFiles(runtime, draft);
  if (stored.size > mostFiles) return new Map();
  const files = new Map([...stored.keys()].map((path) => [path, items.get(path)]));
  for (const path of items.keys())
    if (kindOf(path) === 'VIDEO') for (const poster of posterPathsOf(path)) files.delete(poster);
  return files;
}

/** The files and links of all rows, each with the line of its first row; undefined if there are too many rows to read. */
export async function readMediaItems({
  check: {
    facts: { columns },
    findings,
    rows,
  },
  edits,
}: EditedSheet): Promise<ReadonlyMap<string, number> | undefined> {
  if (findings.rows > mostRows) return undefined;
  const positions = columns.filter(({ column }) => isMediaColumn(column)).map(({ position }) => position);
  const items = new Map<string, number>();
  const numbers = Array.from({ length: findings.rows }, (_, index) => index + 1);
  const read = await rows.read(numbers, mostCharacters);
  if (read.length < numbers.length) return undefined;
  for (const row of read) {
    const cells = edits.textsOf(row, row.number);
    for (const position of positions) {
      for (const item of (cells[position] ?? '').split(listSeparator)) {
        const path = item.trim();
        if (!items.has(path)) items.set(path, row.line);
      }
    }
    if (turn.isFull) await turn.pause();
  }
  return items;
}

/** @param cells with files that are missing, or another creator's, and that nobody is sure of. @param creator position of the column. */
export async function suggestUploaded(
  cells: readonly FaultyCell[],
  uploaded: UploadedFiles,
  creator: number,
): Promise<{ readonly versions: readonly Suggestion[]; readonly alike: readonly Suggestion[] }> {
  const files: UploadedFile[] = [];
  for (const [path, usedBy] of uploaded) {
    if (turn.isFull) await turn.pause();
    files.push({ path, usedBy, kind: kindOf(path), name: readFileName(path), pairs: pairsOf(path) });
  }
  const byName = Map.groupBy(cells, ({ value }) => value);
  byName.delete('');
  // Files that another of the names means.
  const meant = new Set([...byName.keys()].map((name) => baseOf(readFileName(name))));
  const found = { versions: [] as Suggestion[], alike: [] as Suggestion[] };
  for (const [name, same] of [...byName].slice(0, mostNames)) {
    await turn.pause();
    const kind = kindOf(name);
    const ofKind = files.filter(
      ({ path, ...file }) => path !== name && (kind === null || file.kind === kind),
    );
    const written = readFileName(name);
    const related = ofKind.filter((file) => relationOf(written, file.name) !== undefined);
    // A longer name alone may be that of any other video.
    const versions = related.every((file) => relationOf(written, file.name) === 'longer')
      ? []
      : related.sort((one, other) => compareVersions(one.name, other.name));
    const several = filesOfRange(name, files);
    if (several !== undefined) {
      found.versions.push(suggestionOf(name, same, several));
      continue;
    }
    const offer = (file: UploadedFile) => suggestionOf(name, same, file);
    found.versions.push(...versions.slice(0, mostVersions).map(offer));
    // Nobody means a file with other words where there is a version of this one.
    if (versions.length > 0 || same.some(({ meant }) => meant !== undefined)) continue;
    const pairs = pairsOf(name);
    const unused = ofKind
      .filter(({ usedBy, ...file }) => usedBy === undefined && !meant.has(baseOf(file.name)))
      .map((file) => ({ file, likeness: likenessOf(pairs, file.pairs) }))
      .sort((one, other) => other.likeness - one.likeness);
    // Agencies name files after creators. Of a file that is there, only its creator is wrong.
    const own = unused.filter(({ file }) =>
      same.every(({ cells: texts }) => isNamedAfter(file, texts[creator])),
    );
    const near = uploaded.has(name)
      ? []
      : unused.filter(
          ({ file, likeness }) => likeness >= leastLikeness && !isOfOthers(written.words, file.name.words),
        );
    found.alike.push(
      ...(own.length > 0 ? own : near).slice(0, mostOffered).map(({ file, likeness }) => {
        const isOther = likeness < leastWithoutWord && !sharesWord(written.words, file.name.words);
        return { ...offer(file), ...(isOther && { doubt: 'of another name' }) };
      }),
    );
  }
  return found;
}

/** Guesses of files that another row has already, with its line. @param cells that they are for. */
export function withUses(
  guesses: readonly Suggestion[],
  cells: readonly FaultyCell[],
  items: ReadonlyMap<string, number> | undefined,
): readonly Suggestion[] {
  return guesses.map((guess) => {
    const rows = new Set(guess.edits.map(({ row }) => row));
    const usedBy = cells
      .flatMap(({ row, meant = '' }) => (rows.has(row) ? (items?.get(meant) ?? []) : []))
      .at(0);
    const isOpen = guess.confidence === undefined && guess.doubt === undefined;
    return isOpen && usedBy !== undefined ? { ...guess, doubt: `used by line ${usedBy}` } : guess;
  });
}

/** Sure fixes first, then other versions of the file, the nearest names, and uploaded files that are alike. None twice. */
export function besideUploaded(
  found: readonly Suggestion[],
  { versions, alike }: Awaited<ReturnType<typeof suggestUploaded>>,
): readonly Suggestion[] {
  const isSure = ({ confidence }: Suggestion) => confidence === 'sure';
  const placeOf = ({ row, position, text }: CellEdit) => `${row} ${position} ${text}`;
  const offered = new Set(versions.flatMap(({ edits }) => edits.map(placeOf)));
  const nearest = found.filter(({ edits }) => !edits.every((each) => offered.has(placeOf(each))));
  return [...nearest.filter(isSure), ...versions, ...nearest.filter((each) => !isSure(each)), ...alike];
}

/** The pictures that `detail_1 à 3` stands for, as one; undefined unless all are there, and of each only one. */
function filesOfRange(name: string, files: readonly UploadedFile[]): UploadedFile | undefined {
  const found = namesOfRange(name)?.map((each) => {
    const written = readFileName(each);
    const same = files.filter((file) => file.kind === 'PHOTO' && relationOf(written, file.name) === 'same');
    return same.length === 1 ? same[0] : undefined;
  });
  const [first] = found ?? [];
  if (first === undefined || !found?.every((each) => each !== undefined)) return undefined;
  const usedBy = found.find((each) => each.usedBy !== undefined)?.usedBy;
  return { ...first, path: found.map(({ path }) => path).join(listSeparator), usedBy };
}

interface UploadedFile {
  readonly path: string;
  readonly usedBy: number | undefined;
  readonly kind: ReturnType<typeof kindOf>;
  readonly name: ReturnType<typeof readFileName>;
  readonly pairs: ReadonlySet<string>;
}

function suggestionOf(
  name: string,
  cells: readonly FaultyCell[],
  { path, usedBy }: UploadedFile,
): Suggestion {
  const edits = cells.map((cell) => replaced(cell, path));
  const id = suggestionId(name, path);
  const label = `Use ${path} in ${rowsOf(edits)}`;
  if (usedBy === undefined)
    return { id, label, evidence: 'This file was uploaded, and no row uses it.', edits };
  const doubt = `used by line ${usedBy}`;
  return { id, label, evidence: `This file was uploaded, and is ${doubt}.`, edits, doubt };
}

function sharesWord(one: readonly string[], other: readonly string[]): boolean {
  return one.some((word) => /\p{L}{3}/u.test(word) && other.includes(word));
}

/** Whether a name such as `MG_03_reel` begins with other initials, and has no more than its number in common. */
function isOfOthers(one: readonly string[], other: readonly string[]): boolean {
  const initialsOf = ([first = '', second = '']: readonly string[]) =>
    /^\p{L}{1,3}$/u.test(first) && /^\d/.test(second) ? first : undefined;
  const [own, found] = [initialsOf(one), initialsOf(other)];
  return own !== undefined && found !== undefined && own !== found && !sharesWord(one, other);
}

/** Shorter words are in many names by chance. */
const leastWord = 4;

function isNamedAfter({ name }: UploadedFile, creator = ''): boolean {
  const account = plainName(creator.toLowerCase());
  return name.words.some(
    (word) => word.length >= leastWord && account.includes(plainName(word.toLowerCase())),
  );
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

/** @param cells of rows whose file is named after another creator, each with the file of the row that has this one's. Never sure: names of files may be wrong, too. */
export function suggestSwaps(cells: readonly FaultyCell[]): readonly Suggestion[] {
  const byPair = Map.groupBy(cells, ({ value, meant }) =>
    meant === undefined ? '' : [value, meant].sort().join('\n'),
  );
  byPair.delete('');
  return [...byPair]
    .filter(([, pair]) => pair.length === 2)
    .slice(0, mostSuggestions)
    .map(([id, pair]) => ({
      id: suggestionId(id),
      label: `Swap ${pair.map(({ value }) => value).join(' and ')}`,
      evidence: 'Each file is named after the creator of the other row.',
      edits: pair.map((cell) => replaced(cell, cell.meant ?? cell.value)),
    }));
}
