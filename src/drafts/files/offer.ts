/**
 * Announces files of a draft before they are sent. The answers say which to send, which are there already, and which are refused:
 * a draft has bounds, and the ledger may need room on the disk, too.
 */

import { createHash } from 'node:crypto';
import { requireSheetPermit } from '../../campaigns/sheet-permits.ts';
import { requireRoom } from '../../fs/disk.ts';
import { describeExcess } from '../../manifest/presentable.ts';
import type { Cure } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { plural } from '../../runtime/wording.ts';
import { onDisk } from '../draft.ts';
import { findUnstartedDraft } from '../drafts.ts';
import { type DraftRuntime, makeMediaFolder } from '../folder.ts';
import { kindOfFile, readDroppedPath } from './dropped-path.ts';
import { arrivingDrafts } from './pace.ts';
import { arrivedOf, openArrived, removePart } from './part-file.ts';
import {
  type AnnouncedFile,
  longestPath,
  type RecordedFiles,
  readFiles,
  reasonOf,
  recordFiles,
} from './record.ts';

/** Most files of one draft. */
export const mostFiles = 10_000;
/** Most bytes of one draft. */
const mostBytes = 500e9;

/** A file that somebody is about to send: its path with folders, its size and its modification time. */
export type OfferedFile = Pick<AnnouncedFile, 'path' | 'bytes' | 'modifiedAt'>;

/** Answer to an offered file. `here`: it is there already, and need not be sent. */
export type OfferAnswer =
  | { readonly kind: 'here'; readonly id: string }
  | { readonly kind: 'upload'; readonly id: string; readonly arrived: number }
  | { readonly kind: 'refused'; readonly why: string; readonly cure: Cure | undefined };

/**
 * Announces files. A file with the same path, size and modification time as an earlier one resumes its upload. With the same
 * path only, it replaces the earlier one.
 * @returns an answer for each file, in order.
 * @throws {UseCaseError} `draft_not_found`, `draft_not_stored`; `upload_refused` when they are too many for a draft,
 *   `sheets_busy` for a sheet.
 */
export async function offerFiles(
  runtime: DraftRuntime,
  draft: string,
  offered: readonly OfferedFile[],
  by: string,
): Promise<readonly OfferAnswer[]> {
  await findUnstartedDraft(runtime, draft);
  const files = await readFiles(runtime, draft);
  const known = new Map(files.refused);
  const announced: AnnouncedFile[] = [];
  const answers = offered.map((given): OfferAnswer => {
    try {
      const file = announcementOf(given);
      checkSize(runtime, file);
      const isHere = files.stored.get(file.path)?.id === file.id;
      if (!isHere) announced.push(file);
      return isHere ? { kind: 'here', id: file.id } : { kind: 'upload', id: file.id, arrived: 0 };
    } catch (error) {
      if (!(error instanceof UseCaseError)) throw error;
      return { kind: 'refused', why: error.message, cure: error.cure };
    }
  });
  for (const [index, answer] of answers.entries()) {
    if (answer.kind !== 'refused') continue;
    // Others who look at the draft see refusals, too. Repeated ones are not recorded again.
    const path = (offered[index]?.path ?? '').slice(0, longestPath).toWellFormed();
    const why = reasonOf({ message: answer.why, cure: answer.cure });
    if (known.get(path) !== why)
      await recordFiles(runtime, draft, { at: runtime.now(), by, refused: { path, why } });
    known.set(path, why);
  }
  await announce(runtime, draft, announced, by);
  const arrived = await arrivedOf(runtime, draft, announced);
  return answers.map((answer) =>
    answer.kind === 'upload' ? { ...answer, arrived: arrived.get(answer.id) ?? 0 } : answer,
  );
}

async function announce(
  runtime: DraftRuntime,
  draft: string,
  added: readonly AnnouncedFile[],
  by: string,
): Promise<void> {
  if (added.length === 0) return;
  if (added.some(({ kind }) => kind === 'sheet')) requireSheetPermit(by);
  const files = await readFiles(runtime, draft);
  checkTotal(files, added);
  const fresh = added.filter(({ id }) => !files.announced.has(id));
  await makeRoom(runtime, draft, fresh, [...files.announced.values()]);
  const places = new Map(added.map((file) => [placeOf(file), file.id]));
  const replaced = [...files.announced.values()].filter(
    (file) => (places.get(placeOf(file)) ?? file.id) !== file.id,
  );
  for (const { id } of replaced) await recordFiles(runtime, draft, { at: runtime.now(), by, ended: id });
  for (const file of replaced) await removePart(runtime, { ...file, draft });
  if (fresh.length > 0) await recordFiles(runtime, draft, { at: runtime.now(), by, announced: fresh });
}

/** Identifies the place of a file. Two files cannot have the same place: a draft has one sheet. */
function placeOf({ kind, path }: AnnouncedFile): string {
  return kind === 'sheet' ? '' : path;
}

/** Gives the same file the same id when it is offered again. @throws {UseCaseError} `upload_refused`. */
export function announcementOf({ path: given, bytes, modifiedAt }: OfferedFile): AnnouncedFile {
  const path = readDroppedPath(given);
  const kind = kindOfFile(path);
  const id = createHash('sha256')
    .update([kind, path, bytes, modifiedAt].join('\0'))
    .digest('hex')
    .slice(0, 32);
  return { id, kind, path, bytes, modifiedAt };
}

/** @throws {UseCaseError} `upload_refused`. */
export function checkSize(
  { settings }: DraftRuntime,
  { kind, path, bytes }: Pick<AnnouncedFile, 'kind' | 'path' | 'bytes'>,
): void {
  const part = kind === 'sheet' ? 'manifest' : 'media';
  const limit = settings[part].maxBytes;
  if (bytes === 0) throw refused(`the file ${path} is empty`, 'Replace the file: it has no bytes.');
  if (bytes > limit) {
    throw refused(
      describeExcess(path, bytes, limit),
      'Make the file smaller, or ask an operator to raise the limit.',
    );
  }
}

/** Refuses more files or bytes than a draft may have. @throws {UseCaseError} `upload_refused`. */
export function checkTotal(
  { stored, announced, bytes }: RecordedFiles,
  added: readonly AnnouncedFile[],
): void {
  const fresh = added.filter(({ id }) => !announced.has(id));
  const files = stored.size + announced.size + fresh.length;
  const total = [...announced.values(), ...fresh].reduce((sum, file) => sum + file.bytes, bytes);
  const cure = 'Split the sheet, or give the media as a folder of the server.';
  if (files > mostFiles)
    throw refused(`${plural(files, 'file')}; the limit is ${mostFiles.toLocaleString('en')}`, cure);
  if (total > mostBytes) throw refused(describeExcess('the draft', total, mostBytes), cure);
}

function refused(why: string, cure: string): UseCaseError {
  return new UseCaseError('upload_refused', why, { cure });
}

/**
 * @throws {UseCaseError} `draft_not_stored` if the disk has no room for these files besides announced ones and those arriving
 *   for other drafts.
 */
export async function makeRoom(
  runtime: DraftRuntime,
  draft: string,
  fresh: readonly AnnouncedFile[],
  announced: readonly AnnouncedFile[],
): Promise<void> {
  const folder = await makeMediaFolder(runtime, draft);
  let bytes = fresh.reduce((sum, file) => sum + file.bytes, 0);
  bytes += await outstandingBytes(runtime, draft, announced);
  // Only drafts with files arriving count: abandoned uploads must not block others.
  for (const arriving of arrivingDrafts(runtime.now())) {
    if (arriving === draft) continue;
    const files = await readFiles(runtime, arriving);
    bytes += await outstandingBytes(runtime, arriving, [...files.announced.values()]);
  }
  await onDisk(() => requireRoom(folder, bytes, runtime.freeBytes));
}

async function outstandingBytes(
  runtime: DraftRuntime,
  draft: string,
  announced: readonly AnnouncedFile[],
): Promise<number> {
  const arrived = await arrivedOf(runtime, draft, announced);
  return announced.reduce((sum, { id, bytes }) => sum + bytes - (arrived.get(id) ?? 0), 0);
}

/** Browsers can hash only bytes that they hold in memory. */
const pieceBytes = 16 * 1024 * 1024;
const readAtOnce = 1024 * 1024;

/**
 * Digest by which a sender checks whether it may resume an upload: a file with the same name, size and modification time may have
 * other bytes, so the sender compares the bytes received with the start of its file.
 * @param bytes received so far.
 * @returns lowercase hex of SHA-256 over the SHA-256 of each 16 MiB of the first `bytes` bytes; undefined if they are not there.
 */
export async function startDigest(
  runtime: DraftRuntime,
  draft: string,
  id: string,
  bytes: number,
): Promise<string | undefined> {
  const file = (await readFiles(runtime, draft)).announced.get(id);
  if (file === undefined || bytes === 0) return undefined;
  await using handle = await openArrived(runtime, { ...file, draft });
  if (handle === undefined) return undefined;
  const digest = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(readAtOnce, bytes));
  for (let start = 0; start < bytes; start += pieceBytes) {
    const end = Math.min(start + pieceBytes, bytes);
    const piece = createHash('sha256');
    for (let at = start; at < end; ) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - at), at);
      if (bytesRead === 0) return undefined;
      piece.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    digest.update(piece.digest());
  }
  return digest.digest('hex');
}
