/** Finds the file that a missing path may be a misspelling of. */
import { opendir } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { nearest } from '../../manifest/edit-distance.ts';
import { kindOf } from '../../manifest/media-source.ts';

/** A media root may be a home folder: more files are not looked at. */
const mostEntries = 20_000;
/** Comparing two paths takes some microseconds. */
const mostComparisons = 200_000;

export class MediaNames {
  readonly #root: string;
  /** Paths of the media under the root, by their folded form. */
  #paths: Promise<ReadonlyMap<string, string>> | undefined;
  #comparisons = 0;

  /** @param root absolute path. It is read when a path is first asked for. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Finds a path that differs in case, Unicode form or folder, or may be a typo. Numbers are never guessed: `clip-12.mp4` is not
   * `clip-11.mp4`.
   */
  async nearest(path: string): Promise<string | undefined> {
    this.#paths ??= listMedia(this.#root);
    const paths = await this.#paths;
    const wanted = fold(isAbsolute(path) ? relative(this.#root, path) : path);
    const same = paths.get(wanted);
    if (same !== undefined) return same;
    const name = baseName(wanted);
    const elsewhere = [...paths.keys()].filter((folded) => baseName(folded) === name);
    if (elsewhere.length > 0) return elsewhere.length === 1 ? paths.get(elsewhere[0] ?? '') : undefined;
    const numbers = numbersOf(wanted);
    const candidates = [...paths.keys()].filter((folded) => numbersOf(folded) === numbers);
    this.#comparisons += candidates.length;
    if (this.#comparisons > mostComparisons) return undefined;
    return paths.get(nearest(wanted, candidates) ?? '');
  }
}

/** Symbolic links are not followed, so it stays under the root. Folders that cannot be read end it. */
async function listMedia(root: string): Promise<ReadonlyMap<string, string>> {
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
  return paths;
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

function numbersOf(path: string): string {
  return (path.replace(/\.\w+$/, '').match(/\d+/g) ?? []).join(' ');
}
