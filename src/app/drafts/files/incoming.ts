/**
 * Uploads of a draft that have begun. Of each, `@tus/file-store` keeps the bytes and a JSON file with size and metadata, in a folder on
 * the disk of its final place: a complete one is moved, not copied. Their names, as given by a browser or a script, become paths below
 * the folder of the draft's media.
 */
import { createHash } from 'node:crypto';
import { lstat, readdir, unlink } from 'node:fs/promises';
import { extname } from 'node:path';
import { FileConfigstore } from '@tus/file-store';
import type { Upload } from '@tus/server';
import type { Fix } from '../../../manifest/problems/hint.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import {
  type FolderBelow,
  findFolderBelow,
  makeFolderBelow,
  type OpenFolder,
  removeEmptyFolder,
} from '../../../platform/files/place-file.ts';
import { onDisk } from '../draft.ts';
import { findUnstartedDraft } from '../drafts.ts';
import { type DraftRuntime, draftFolder, draftMediaPlace } from '../folder.ts';

const folderName = '.incoming';
const kinds = ['sheet', 'media'] as const;
const idForm = /^(?:sheet|media)-[0-9a-f]{32}$/;
const nameForm = /^(?:sheet|media)-[0-9a-f]{32}(?:\.json)?$/;

export interface SentFile {
  /** Derived from the other fields, so that the same file has the same upload when it is sent again. Begins with the kind. */
  readonly id: string;
  readonly kind: FileKind;
  /** Below the folder of the draft's media, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** Modification time on the owner's machine: milliseconds since the epoch; 0 if unknown. */
  readonly modifiedAt: number;
}

export type GivenFile = Pick<SentFile, 'path' | 'bytes' | 'modifiedAt'>;

/** @throws {UseCaseError} `upload_refused` for a path that cannot be taken. */
export function sentFile({ path: given, bytes, modifiedAt }: GivenFile): SentFile {
  const path = readDroppedPath(given);
  const kind = kindOfFile(path);
  const digest = createHash('sha256').update([path, bytes, modifiedAt].join('\0')).digest('hex');
  return { id: `${kind}-${digest.slice(0, 32)}`, kind, path, bytes, modifiedAt };
}

/** What size and metadata of an upload say of its file. */
export function givenBy({ size, metadata }: Pick<Upload, 'size' | 'metadata'>): GivenFile {
  const modifiedAt = Number(metadata?.modified ?? 0);
  return {
    path: metadata?.path ?? metadata?.filename ?? '',
    bytes: size ?? 0,
    modifiedAt: Number.isSafeInteger(modifiedAt) ? modifiedAt : 0,
  };
}

/** @throws {UseCaseError} `upload_not_found` for what is no id of an upload. */
function kindOfUpload(id: string): FileKind {
  if (idForm.test(id)) return id.startsWith('sheet') ? 'sheet' : 'media';
  throw new UseCaseError('upload_not_found', 'there is no such upload', { fix: 'Drop the file again.' });
}

/** Creates it if missing. @throws {UseCaseError} `draft_not_found`, `upload_not_found`, `draft_not_stored`; `upload_refused` if started. */
export async function openIncoming(runtime: DraftRuntime, draft: string, id: string): Promise<OpenFolder> {
  const kind = kindOfUpload(id);
  await findUnstartedDraft(runtime, draft);
  return onDisk(() => makeFolderBelow(placeOf(runtime, draft, kind)));
}

function placeOf(runtime: DraftRuntime, draft: string, kind: FileKind): FolderBelow {
  if (kind === 'sheet') return { root: draftFolder(runtime, draft), below: folderName };
  const { root, below } = draftMediaPlace(runtime, draft);
  return { root, below: `${below}/${folderName}` };
}

export interface BegunFile extends SentFile {
  /** How many media the draft has once all that were dropped with it have come; 0 if its sender does not say. */
  readonly ofFiles: number;
  readonly arrived: number;
  /** When its last bytes came, and when it was begun: milliseconds since the epoch. */
  readonly arrivedAt: number;
  readonly begunAt: number;
}

/** @throws {UseCaseError} `draft_not_found` for an invalid id of a draft. */
export async function listBegun(runtime: DraftRuntime, draft: string): Promise<readonly BegunFile[]> {
  const begun: BegunFile[] = [];
  for (const kind of kinds) {
    await using folder = await findFolderBelow(placeOf(runtime, draft, kind));
    if (folder === undefined) continue;
    const kept = new FileConfigstore(folder.at(''));
    for (const id of (await kept.list()).filter((name) => idForm.test(name))) {
      const found = await readBegun(folder, id, await kept.get(id));
      if (found !== undefined) begun.push(found);
    }
  }
  return begun;
}

/** As many as the page sends. */
const mostFiles = 10_000;

async function readBegun(
  folder: OpenFolder,
  id: string,
  upload: Upload | undefined,
): Promise<BegunFile | undefined> {
  try {
    if (upload === undefined) return undefined;
    const { size, mtimeMs } = await lstat(folder.at(id));
    const begunAt = Date.parse(upload.creation_date ?? '') || mtimeMs;
    const of = Number(upload.metadata?.of ?? 0);
    const ofFiles = Number.isSafeInteger(of) ? Math.min(of, mostFiles) : 0;
    return { ...sentFile(givenBy(upload)), id, ofFiles, arrived: size, arrivedAt: mtimeMs, begunAt };
  } catch {
    // It has ended meanwhile, or is no upload of ours.
    return undefined;
  }
}

export async function removeBegun(
  runtime: DraftRuntime,
  draft: string,
  { id, kind }: Pick<SentFile, 'id' | 'kind'>,
): Promise<void> {
  await using folder = await findFolderBelow(placeOf(runtime, draft, kind));
  if (folder !== undefined) await removeFrom(folder, [id, `${id}.json`]);
}

/** Removes all uploads of a draft, including what a crash left behind. Removes only files with our names. */
export async function removeAllBegun(runtime: DraftRuntime, draft: string): Promise<void> {
  for (const kind of kinds) {
    const place = placeOf(runtime, draft, kind);
    await using folder = await findFolderBelow(place);
    if (folder === undefined) continue;
    await removeFrom(
      folder,
      (await readdir(folder.at(''))).filter((name) => nameForm.test(name)),
    );
    await removeEmptyFolder(place);
  }
}

async function removeFrom(folder: OpenFolder, names: readonly string[]): Promise<void> {
  for (const name of names) await unlink(folder.at(name)).catch(() => undefined);
}

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
export function notTaken(path: string, why: string, fix: Fix | undefined): UseCaseError {
  return new UseCaseError('upload_refused', `the file ${path} was not accepted: ${why}`, { fix });
}

function refused(given: string, why: string): UseCaseError {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters.
  const shown = given.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '').slice(0, 100);
  return notTaken(shown.toWellFormed(), why, 'Give it a plain name, and drop it again.');
}
