/** Finds the file that a missing path may be a misspelling of. */
import { opendir } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { kindOf } from '../../../manifest/cells/media-source.ts';
import { nearest } from '../../../manifest/headers/edit-distance.ts';

/** A media root may be a home folder: more files are not looked at. */
const mostEntries = 20_000;
/** Comparing two paths takes some microseconds. */
const mostComparisons = 200_000;

export class MediaNames {
  readonly #root: string;
  #listing: Promise<Listing> | undefined;
  #comparisons = 0;

  /** @param root absolute path. It is read when a path is first asked for. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Finds a path that differs in case, Unicode form, folder or ending, or may be a typo. Numbers are never guessed: `clip-12.mp4` is not
   * `clip-11.mp4`.
   */
  async nearest(path: string): Promise<string | undefined> {
    this.#listing ??= listMedia(this.#root);
    const { paths, byName, byNumbers } = await this.#listing;
    const wanted = fold(isAbsolute(path) ? relative(this.#root, path) : path);
    const same = paths.get(wanted);
    if (same !== undefined) return same;
    const elsewhere = byName.get(baseName(wanted)) ?? [];
    if (elsewhere.length > 0) return elsewhere.length === 1 ? paths.get(elsewhere[0] ?? '') : undefined;
    const candidates = byNumbers.get(numbersOf(wanted)) ?? [];
    const converted = candidates.filter((each) => withoutEnding(each) === withoutEnding(wanted));
    if (converted.length > 0) return converted.length === 1 ? paths.get(converted[0] ?? '') : undefined;
    this.#comparisons += candidates.length;
    if (this.#comparisons > mostComparisons) return undefined;
    // A common folder and ending make other names look alike: `videos/serum.mp4` is not `videos/cream.mp4`.
    const alike = candidates.filter((each) => nearest(stemOf(wanted), [stemOf(each)]) !== undefined);
    return paths.get(nearest(wanted, alike) ?? '');
  }
}

/** The media under the root, by the folded form of their paths. */
interface Listing {
  readonly paths: ReadonlyMap<string, string>;
  /** Folded paths by the name of the file, and by the numbers in them. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly byNumbers: ReadonlyMap<string, readonly string[]>;
}

/** Symbolic links are not followed, so it stays under the root. Folders that cannot be read end it. */
async function listMedia(root: string): Promise<Listing> {
  const paths = new Map<string, string>();
  let entries = 0;
  try {
    for await (const entry of await opendir(root, { recursive: true })) {
      entries += 1;
      if (entries > mostEntries) break;
      if (!entry.isFile() || kindOf(entry.name) === null) continue;
      const path = relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
      paths.set(fold(path), path);
    }
  } catch {
    // What was found so far is good enough for a guess.
  }
  const folded = [...paths.keys()];
  return { paths, byName: Map.groupBy(folded, baseName), byNumbers: Map.groupBy(folded, numbersOf) };
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

function numbersOf(path: string): string {
  return (withoutEnding(path).match(/\d+/g) ?? []).join(' ');
}
