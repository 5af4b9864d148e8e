/** Checks media before an import: local files by their first bytes, URLs by their text. Fetches nothing. */
import { opendir } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { maxPhotos } from '../../../api/contract/post-limits.ts';
import { isUrl, kindOf, type MediaKind, type SourceFault } from '../../../manifest/cells/media-source.ts';
import { listSeparator } from '../../../manifest/columns.ts';
import { nearest } from '../../../manifest/edit-distance.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { AddressPolicy, parseMediaUrl } from '../../../media/addresses.ts';
import { MediaError } from '../../../media/errors.ts';
import { describeLocalMedia } from '../../../media/source.ts';
import type { MediaCheck, MediaFinding } from './media-check.ts';

export interface LocalMediaOptions {
  /** Absolute path of the media root. Paths are relative to it and stay inside. */
  readonly mediaRoot: string;
  /** Absolute path of a folder that is looked in first: its files come to the media root later. */
  readonly newMedia?: string | undefined;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** Private addresses and CIDR ranges that URLs may name. */
  readonly allowPrivateAddresses: readonly string[];
}

/** Creates the check. It rejects only with file system errors that say nothing about the file. */
export function createMediaCheck(options: LocalMediaOptions): MediaCheck {
  const policy = new AddressPolicy(options.allowPrivateAddresses);
  const names = new MediaNames(options.mediaRoot);
  const exists = (path: string) =>
    describeLocalMedia(path, options).then(
      () => true,
      () => false,
    );
  return async (source, expected) => {
    try {
      if (!isUrl(source)) return await inspectNew(source, expected, options);
      policy.checkWritten(parseMediaUrl(source));
      return { bytes: null };
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      const meant = error.code === 'media_missing' ? await findMeantMedia(source, exists) : null;
      if (meant !== null) return { fault: meant };
      const near = error.code === 'media_missing' ? await names.nearest(source) : undefined;
      const isUsable = near !== undefined && (await fits(near, expected, options));
      const question = isUsable ? `; did you mean ${showValue(near)}?` : '';
      const problem = asPhrase(error.message) + question;
      return { fault: { code: error.code, problem, cure: error.cure, ...(isUsable ? { meant: near } : {}) } };
    }
  };
}

/** As `inspectFile`, in the folder of new media first. */
async function inspectNew(
  path: string,
  expected: MediaKind,
  options: LocalMediaOptions,
): Promise<MediaFinding> {
  const { newMedia: mediaRoot } = options;
  if (mediaRoot !== undefined) {
    const isNew = await describeLocalMedia(path, { ...options, mediaRoot }).then(
      () => true,
      (error: unknown) => !(error instanceof MediaError) || error.code !== 'media_missing',
    );
    if (isNew) return inspectFile(path, expected, { ...options, mediaRoot });
  }
  return inspectFile(path, expected, options);
}

async function inspectFile(
  path: string,
  expected: MediaKind,
  options: LocalMediaOptions,
): Promise<MediaFinding> {
  const { kind, size, contentType, cut, sample } = await describeLocalMedia(path, options);
  const wanted = expected === 'VIDEO' ? 'VIDEO' : 'PHOTO';
  if (kind === wanted) {
    const warning = cut && { code: 'media_cut_off', problem: asPhrase(cut.problem), cure: cut.cure };
    return { bytes: size, warning, content: sample };
  }
  return {
    fault: {
      code: 'media_kind_mismatch',
      problem: `this must be a ${expected === 'VIDEO' ? 'video' : 'picture'}, but the file is ${contentType}`,
      cure: 'Replace the file, or correct media_type.',
    },
  };
}

/** Whether a file would be valid here. */
async function fits(path: string, expected: MediaKind, options: LocalMediaOptions): Promise<boolean> {
  return inspectFile(path, expected, options).then(
    (finding) => 'bytes' in finding,
    () => false,
  );
}

/** Turns a sentence into the form of the other problems, which follow a place on the same line. */
function asPhrase(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/**
 * Checks whether another spelling of the path leads to files.
 * @param exists whether a file is under the media root.
 * @returns the fault with the right spelling; `null` if there is none.
 */
export async function findMeantMedia(
  path: string,
  exists: (path: string) => Promise<boolean>,
): Promise<SourceFault | null> {
  const slashed = path.replaceAll('\\', '/');
  if (slashed !== path && (await exists(slashed))) {
    return {
      code: 'media_backslash',
      problem: 'the file was not found, because the path uses \\ between folders',
      cure: `Write / between the folders: ${showValue(slashed)}`,
      meant: slashed,
    };
  }
  const parts = slashed
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length < 2 || parts.length > maxPhotos) return null;
  for (const part of parts) if (!(await exists(part))) return null;
  return {
    code: 'media_separator',
    problem: `the cell names ${parts.length} files, but does not separate them with ${listSeparator}`,
    cure: `Write ${listSeparator} between the files: ${showValue(parts.join(listSeparator))}`,
    meant: parts.join(listSeparator),
  };
}

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
   * not `clip-11.mp4`, but `clip-1.mp4` may be `clip-01.mp4`.
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
  const numbers = withoutEnding(path).match(/\d+/g) ?? [];
  return numbers.map((number) => number.replace(/^0+/, '') || '0').join(' ');
}
