/** Names of uploaded files, as given by a browser or a script. They become paths below the folder of the draft's media. */
import { extname } from 'node:path';
import type { Cure } from '../../../manifest/problems/hint.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';

/** Most parts of a path: folders and the file itself. */
const deepest = 10;
/** Longest name of a folder or file, in bytes: file systems allow 255. */
const longestPart = 240;
/** Longest path, in characters. */
const longest = 1000;

const sheetEndings: ReadonlySet<string> = new Set(['.xlsx', '.csv', '.tsv', '.txt', '.json', '.jsonl']);

export type FileKind = 'sheet' | 'media';

/** Sheets are known by their file extension. Everything else must be a video or an image, which is checked by its bytes. */
export function kindOfFile(path: string): FileKind {
  return sheetEndings.has(extname(path).toLowerCase()) ? 'sheet' : 'media';
}

/** NFC, as people type it. @returns relative, with `/`. @throws {UseCaseError} `upload_refused` if hidden, outside, or no name somewhere. */
export function readDroppedPath(given: string): string {
  if (!given.isWellFormed()) throw refused(given, 'the name contains a broken character');
  if (given.length > longest) throw refused(given, `the path has more than ${longest} characters`);
  const path = given.normalize('NFC').replaceAll('\\', '/');
  // Control characters, and characters that change the direction of text.
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(path)) {
    throw refused(given, 'the name contains control characters');
  }
  const parts = path.split('/');
  if (parts.length > deepest) throw refused(given, `it is in more than ${deepest - 1} folders`);
  for (const part of parts) {
    if (part.trim() === '') throw refused(given, 'the path is absolute, or a name in it is empty');
    if (part.startsWith('.')) throw refused(given, 'hidden files and paths with .. are not allowed');
    if (/^[A-Za-z]:/.test(part)) throw refused(given, 'the path is absolute');
    if (Buffer.byteLength(part) > longestPart)
      throw refused(given, `a name in it is longer than ${longestPart} bytes`);
  }
  return path;
}

/** @param why as the end of a sentence. */
export function notTaken(path: string, why: string, cure: Cure | undefined): UseCaseError {
  return new UseCaseError('upload_refused', `the file ${path} was not accepted: ${why}`, { cure });
}

function refused(given: string, why: string): UseCaseError {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters.
  const shown = given.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '').slice(0, 100);
  return notTaken(shown.toWellFormed(), why, 'Give it a plain name, and drop it again.');
}
