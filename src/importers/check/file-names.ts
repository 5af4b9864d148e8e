/** Compares the names of media files: the same file, another version of it, or another file. Words that differ are another file. */

/**
 * `same`: the names differ only in extension, case, accents, separators, or the suffix of a copy. `later`: the found one also has a
 * version or format, such as `_v2` or `_9x16`. `version`: another version, maybe an earlier one. `longer`: the found one goes on with
 * words of its own, as in `_v2_for_lena`: nobody knows whether it is the same video.
 */
export type FileRelation = 'same' | 'later' | 'version' | 'longer';

interface FileName {
  /** Path of its folder; empty without one. */
  readonly folder: string;
  readonly words: readonly string[];
  /** Versions and formats behind the words. */
  readonly marks: readonly string[];
  /** `(1)`, `copy`; empty without one. */
  readonly copy: string;
}

const copySuffix = /[ _-](?:copy|kopie|copie|copia)(?:[ _-]\d{1,2})?$|[ _-]?\(\d{1,2}\)$/;
const mark =
  /^(?:v\d{1,3}|final\d?|edit|edited|ok|okay|approved|master|\d{1,2}x\d{1,2}|\d{3,4}x\d{3,4}|(?:480|720|1080|1440|2160)p|[48]k|u?hd)$/;

/** @param path of the file, or its name. */
export function readFileName(path: string): FileName {
  const plain = decoded(path)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '');
  const folded = plain.replaceAll('\\', '/').normalize('NFC').toLowerCase();
  const slash = folded.lastIndexOf('/');
  const stem = folded.slice(slash + 1).replace(/\.\w+$/, '');
  const copy = copySuffix.exec(stem);
  const isCopy = copy !== null && copy.index > 0;
  // Of names such as `clip.v2`.
  const name = (isCopy ? stem.slice(0, copy.index) : stem).replace(/\.(?=v\d)/g, ' ');
  const words = name.split(/[ _-]/).filter((word) => word !== '');
  const marks: string[] = [];
  while (words.length > 1 && mark.test(words.at(-1) ?? '')) marks.unshift(words.pop() ?? '');
  const folder = folded.slice(0, Math.max(0, slash)).replace(/^(?:\.\/)+/, '');
  return { folder, words, marks, copy: isCopy ? copy[0].replace(/[ _-]/g, '') : '' };
}

/** Notion and other programs export paths as addresses have them: `reel%20one.mp4`. */
function decoded(path: string): string {
  try {
    return path.includes('%') ? decodeURIComponent(path) : path;
  } catch {
    return path;
  }
}

/** The same for names that differ only in extension, case, accents, separators, copy, version and format. */
export function baseOf({ words }: FileName): string {
  return words.join(' ');
}

/** Most words that a longer name goes on with. */
const mostMore = 3;

/** What shorter names the file may be meant by, as `wholeOf` has them. */
export function beginningsOf({ words }: FileName): readonly string[] {
  const many = Math.min(mostMore, words.length - 1);
  return Array.from({ length: Math.max(0, many) }, (_, index) => words.slice(0, -1 - index).join(' '));
}

/** Its words, with version and format. */
export function wholeOf({ words, marks }: FileName): string {
  return [...words, ...marks].join(' ');
}

/** @returns undefined for another file. */
export function relationOf(written: FileName, found: FileName): FileRelation | undefined {
  if (baseOf(written) !== baseOf(found))
    return beginningsOf(found).includes(wholeOf(written)) ? 'longer' : undefined;
  // Photos are often numbered like copies.
  if (written.copy !== '' && found.copy !== '' && written.copy !== found.copy) return undefined;
  if (written.marks.join(' ') === found.marks.join(' ')) return 'same';
  return written.marks.every((each) => found.marks.includes(each)) ? 'later' : 'version';
}

/** Whether an existing file may be the written one: the same name, or a later version, in an agreeing folder. */
export function isSameFile(written: string, found: string): boolean {
  const [one, other] = [readFileName(written), readFileName(found)];
  const relation = relationOf(one, other);
  return (relation === 'same' || relation === 'later') && agreeInFolder(one.folder, other.folder);
}

/** Files that are dropped have no folder, or only a part of it. */
function agreeInFolder(one: string, other: string): boolean {
  return one === '' || other === '' || `/${one}`.endsWith(`/${other}`) || `/${other}`.endsWith(`/${one}`);
}

/** Orders versions, the newest first. */
export function compareVersions(one: FileName, other: FileName): number {
  return versionOf(other) - versionOf(one) || other.marks.length - one.marks.length;
}

function versionOf({ marks }: FileName): number {
  const version = marks.findLast((each) => /^v\d/.test(each));
  return version === undefined ? 0 : Number(version.slice(1));
}
