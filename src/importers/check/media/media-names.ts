/** Finds the file that a missing path may be a misspelling of. */
import { opendir } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { kindOf } from '../../../manifest/cells/media-source.ts';
import { nearest } from '../../../manifest/headers/edit-distance.ts';

/** Most files to examine: a media root may be a home folder. */
const mostEntries = 20_000;
/** Most comparisons of paths, at some microseconds each. */
const mostComparisons = 200_000;

export class MediaNames {
  readonly #root: string;
  #listing: Promise<Listing> | undefined;
  #comparisons = 0;

  /** @param root absolute path. It is read at the first look-up. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Finds a path that differs in case, Unicode form, folder or extension, or by a typo. Never changes numbers: `clip-12.mp4` is
   * not `clip-11.mp4`.
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
    // A common folder and extension would make different names similar: `videos/serum.mp4` is not `videos/cream.mp4`.
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

/** Lists media under the root. Follows no symbolic links. Stops at a folder that cannot be read. */
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
    // The files found so far are enough for a suggestion.
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
