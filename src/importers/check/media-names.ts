/** Finds the file that a missing path may mean, among the media under the root. */
import { opendir } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { kindOf } from '../../manifest/cells/media-source.ts';
import { ComparingWork, NearestNames, nearest } from '../../manifest/edit-distance.ts';
import { turn } from '../../manifest/event-loop.ts';

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
   * Finds a path that differs in case, Unicode form, folder or extension, or by a typo. Never changes numbers: `clip-12.mp4` is
   * not `clip-11.mp4`, but `clip-1.mp4` may be `clip-01.mp4`.
   */
  async nearest(path: string): Promise<string | undefined> {
    this.#listing ??= listMedia(this.#root);
    const listing = await this.#listing;
    await turn.pause();
    return listing.nearest(fold(isAbsolute(path) ? relative(this.#root, path) : path), this.#work);
  }
}

/** Media under the root, by folded paths. */
class Listing {
  readonly #paths = new Map<string, string>();
  readonly #byName = new Map<string, string[]>();
  readonly #withoutEnding = new Map<string, string[]>();
  /** By the name without ending and version. */
  readonly #withoutVersion = new Map<string, string[]>();
  /** Names without ending, by the numbers in the path. */
  readonly #stems = new Map<string, NearestNames>();
  /** Paths by their numbers and the name without ending. */
  readonly #byStem = new Map<string, string[]>();

  add(path: string): void {
    const folded = fold(path);
    this.#paths.set(folded, path);
    const [numbers, stem] = [numbersOf(folded), stemOf(folded)];
    put(this.#byName, baseName(folded), folded);
    put(this.#withoutEnding, withoutEnding(folded), folded);
    put(this.#withoutVersion, versionOf(stem).name, folded);
    if (put(this.#byStem, `${numbers}/${stem}`, folded)) return;
    const stems = this.#stems.get(numbers) ?? new NearestNames();
    this.#stems.set(numbers, stems);
    stems.add(stem);
  }

  /** @param wanted folded. @param work of comparing names so far. */
  nearest(wanted: string, work: ComparingWork): string | undefined {
    if (this.#paths.has(wanted)) return this.#paths.get(wanted);
    // A video may have its picture beside it.
    const ofKind = (found: readonly string[] | undefined) => {
      const alike = found?.filter((path) => kindOf(path) === kindOf(wanted)) ?? [];
      return alike.length > 0 ? alike : found;
    };
    for (const same of [
      this.#byName.get(baseName(wanted)),
      ofKind(this.#withoutEnding.get(withoutEnding(wanted))),
    ]) {
      const [only = '', ...others] = same ?? [];
      if (same !== undefined) return others.length === 0 ? this.#paths.get(only) : undefined;
    }
    const { name, number } = versionOf(stemOf(wanted));
    const versions = (ofKind(this.#withoutVersion.get(name)) ?? []).filter((path) =>
      ['', number].includes(number === '' ? '' : versionOf(stemOf(path)).number),
    );
    if (versions.length === 1) return this.#paths.get(versions[0] ?? '');
    const numbers = numbersOf(wanted);
    // A common folder and extension would make different names similar: `videos/serum.mp4` is not `videos/cream.mp4`.
    const alike = this.#stems.get(numbers)?.findAll(stemOf(wanted), work) ?? [];
    const paths = alike.flatMap((stem) => this.#byStem.get(`${numbers}/${stem}`) ?? []);
    return this.#paths.get(nearest(wanted, paths, work) ?? '');
  }
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

const version = /[ _.-](?:v(\d{1,3})|final|copy|edit|edited|approved)$|[ _.-]?\(\d{1,2}\)$/;
const mostMarks = 4;

/** A name without `_v2`, `-final`, ` (1)` at its end, and the number of the version; empty if it has none. */
function versionOf(stem: string): { readonly name: string; readonly number: string } {
  let [name, number] = [stem, ''];
  for (let marks = 0; marks < mostMarks; marks += 1) {
    const found = version.exec(name);
    if (found === null || found.index === 0) break;
    name = name.slice(0, found.index);
    number ||= found[1] ?? '';
  }
  return { name, number };
}

function numbersOf(path: string): string {
  const numbers = withoutEnding(path).match(/\d+/g) ?? [];
  return numbers.map((number) => number.replace(/^0+/, '') || '0').join(' ');
}
