/** Finds the file that a missing path may mean, among the media under the root. */
import { opendir } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { kindOf } from '../../manifest/cells/media-source.ts';
import { areNear, ComparingWork, NearestNames, nearest } from '../../manifest/edit-distance.ts';
import { turn } from '../../manifest/event-loop.ts';
import { maxPhotos } from '../../service/contract/posts.ts';
import { baseOf, beginningsOf, type FileRelation, readFileName, relationOf, wholeOf } from './file-names.ts';

/** Most files to examine: a media root may be a home folder. */
const mostEntries = 20_000;

export class MediaNames {
  readonly #root: string;
  readonly #work = new ComparingWork();
  #listing: Promise<Listing> | undefined;

  /** @param root absolute path. It is read at the first look-up. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Finds a path that differs in case, Unicode form, separators, folder, extension or version, or by a typo in its words. Never changes
   * numbers: `clip-12.mp4` is not `clip-11.mp4`, but `clip-1.mp4` may be `clip-01.mp4`.
   */
  async nearest(path: string): Promise<string | undefined> {
    const listing = await this.#list();
    return listing.nearest(this.#written(path), this.#work);
  }

  /** The files that a name such as `detail_1-3.jpg` or `look_04a-c.jpg` stands for: none unless all are there. Undefined for another name. */
  async range(path: string): Promise<readonly string[] | undefined> {
    const names = namesOfRange(path);
    if (names === undefined) return undefined;
    const listing = await this.#list();
    const found = names.map((name) => listing.same(this.#written(name)));
    return found.every((each) => each !== undefined) ? found : [];
  }

  async #list(): Promise<Listing> {
    this.#listing ??= listMedia(this.#root);
    const listing = await this.#listing;
    await turn.pause();
    return listing;
  }

  #written(path: string): string {
    return fold(isAbsolute(path) ? relative(this.#root, path) : path);
  }
}

/** Media under the root, by folded paths. */
class Listing {
  readonly #paths = new Map<string, string>();
  /** By the words of the name. */
  readonly #byBase = new Map<string, string[]>();
  /** By what their names may begin with. */
  readonly #byBeginning = new Map<string, string[]>();
  /** Names without ending, by the numbers in the path. */
  readonly #stems = new Map<string, NearestNames>();
  /** Paths by their numbers and the name without ending. */
  readonly #byStem = new Map<string, string[]>();

  add(path: string): void {
    const folded = fold(path);
    this.#paths.set(folded, path);
    const [numbers, stem] = [numbersOf(folded), stemOf(folded)];
    const name = readFileName(folded);
    put(this.#byBase, baseOf(name), folded);
    for (const beginning of beginningsOf(name)) put(this.#byBeginning, beginning, folded);
    if (put(this.#byStem, `${numbers}/${stem}`, folded)) return;
    const stems = this.#stems.get(numbers) ?? new NearestNames();
    this.#stems.set(numbers, stems);
    stems.add(stem);
  }

  /** The one file with the same name. @param wanted folded. */
  same(wanted: string): string | undefined {
    return this.#paths.get(
      this.#paths.has(wanted) ? wanted : (oneOf(this.#related(wanted).same, wanted) ?? ''),
    );
  }

  /** @param wanted folded. @param work of comparing names so far. */
  nearest(wanted: string, work: ComparingWork): string | undefined {
    if (this.#paths.has(wanted)) return this.same(wanted);
    const { same, later, version, longer } = this.#related(wanted);
    const { words, marks, copy } = readFileName(wanted);
    const isCopy = same.every((path) => readFileName(path).copy !== copy);
    // Where another file may be meant as well, a person chooses.
    const others = later.length + longer.length;
    if (same.length > 0) return isCopy && others > 0 ? undefined : this.same(wanted);
    if (later.length > 0) return others === 1 ? this.#paths.get(later[0] ?? '') : undefined;
    // Another version than the named one is never guessed, but the file without a version may be meant.
    const plain = version.filter((path) => readFileName(path).marks.every((each) => marks.includes(each)));
    if (version.length > 0) return plain.length === 1 ? this.#paths.get(plain[0] ?? '') : undefined;
    const numbers = numbersOf(wanted);
    // A common folder and extension would make different names similar: `videos/serum.mp4` is not `videos/cream.mp4`.
    const alike = this.#stems.get(numbers)?.findAll(stemOf(wanted), work) ?? [];
    const paths = alike
      .flatMap((stem) => this.#byStem.get(`${numbers}/${stem}`) ?? [])
      .filter((path) => areNear(words, readFileName(path).words, work));
    return this.#paths.get(nearest(wanted, paths, work) ?? '');
  }

  /** The files whose names have the same words, or begin with them. */
  #related(wanted: string): Readonly<Record<FileRelation, readonly string[]>> {
    const written = readFileName(wanted);
    const found: Record<FileRelation, string[]> = { same: [], later: [], version: [], longer: [] };
    const near = [
      ...(this.#byBase.get(baseOf(written)) ?? []),
      ...(this.#byBeginning.get(wholeOf(written)) ?? []),
    ];
    for (const path of ofKind(near, wanted)) {
      const relation = relationOf(written, readFileName(path));
      if (relation !== undefined) found[relation].push(path);
    }
    return found;
  }
}

/** A video may have its picture beside it. */
function ofKind(paths: readonly string[], wanted: string): readonly string[] {
  const alike = paths.filter((path) => kindOf(path) === kindOf(wanted));
  return alike.length > 0 ? alike : paths;
}

/** Chooses among files with the same name the one most like the wanted path; undefined if several are. */
function oneOf(paths: readonly string[], wanted: string): string | undefined {
  const { copy } = readFileName(wanted);
  const tests: readonly ((path: string) => boolean)[] = [
    (path) => baseName(path) === baseName(wanted),
    (path) => withoutEnding(path) === withoutEnding(wanted),
    (path) => readFileName(path).copy === copy,
  ];
  for (const test of tests) {
    const [first, ...others] = paths.filter(test);
    if (first !== undefined) return others.length === 0 ? first : undefined;
  }
  return paths.length === 1 ? paths[0] : undefined;
}

/** @returns whether there was one before. */
function put(paths: Map<string, string[]>, name: string, path: string): boolean {
  const same = paths.get(name);
  if (same === undefined) paths.set(name, [path]);
  else same.push(path);
  return same !== undefined;
}

/** Lists media under the root. Follows no symbolic links. Stops at a folder that cannot be read. */
async function listMedia(root: string): Promise<Listing> {
  const listing = new Listing();
  let entries = 0;
  try {
    for await (const entry of await opendir(root, { recursive: true })) {
      entries += 1;
      if (entries > mostEntries) break;
      if (!entry.isFile() || kindOf(entry.name) === null) continue;
      listing.add(relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
      await turn.pause();
    }
  } catch {
    // The files found so far are enough for a suggestion.
  }
  return listing;
}

function fold(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .normalize('NFC')
    .toLowerCase();
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function stemOf(path: string): string {
  return withoutEnding(baseName(path));
}

function withoutEnding(path: string): string {
  return path.replace(/\.\w+$/, '');
}

/** Whether a name ends as a range does, such as `detail_1-3.jpg` or `look_04a-c.jpg`. */
export function isRange(path: string): boolean {
  return namesOfRange(path) !== undefined;
}

/** The names that a range such as `detail_1-3.jpg` or `look_04a-c.jpg` stands for; undefined for another name. */
export function namesOfRange(path: string): readonly string[] | undefined {
  return numberedNames(path) ?? letteredNames(path);
}

/** With numbers: `detail_1-3.jpg`, `detail_1 à 3`. */
function numberedNames(path: string): readonly string[] | undefined {
  const stem = withoutEnding(path);
  const match = /(?<!\d)(\d{1,4})(?:[-–]| (?:-|–|à|a|to|bis) )(\d{1,4})$/.exec(stem);
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  const many = Number(last) - Number(first) + 1;
  if (many < 2 || many > maxPhotos) return undefined;
  return Array.from({ length: many }, (_, index) => {
    const number = String(Number(first) + index).padStart(first.length, '0');
    return `${stem.slice(0, match.index)}${number}${path.slice(stem.length)}`;
  });
}

/** The same of letters behind a number: `look_04a-c.jpg`. */
function letteredNames(path: string): readonly string[] | undefined {
  const stem = withoutEnding(path);
  const match = /(?<=\d)([a-z])[-–]([a-z])$/i.exec(stem);
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  if (to <= from || to - from >= maxPhotos) return undefined;
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const letter = String.fromCharCode(from + index);
    return `${stem.slice(0, match.index)}${letter}${path.slice(stem.length)}`;
  });
}

function numbersOf(path: string): string {
  const numbers = withoutEnding(path).match(/\d+/g) ?? [];
  return numbers.map((number) => number.replace(/^0+/, '') || '0').join(' ');
}
