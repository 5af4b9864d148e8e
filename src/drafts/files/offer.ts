/**
 * Announces files of a draft before they are sent. The answers say which to send, which are there already, and which are refused.
 */
import { createHash } from 'node:crypto';
import { requireSheetTurn } from '../../campaigns/sheet-turns.ts';
import type { Cure } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { readOpenDraft } from '../drafts.ts';
import { type DraftRuntime, makeMediaFolder } from '../folder.ts';
import { kindOfFile, readDroppedPath } from './dropped-path.ts';
import { checkRoom, checkSize, checkTotal } from './limits.ts';
import { arrivingDrafts } from './pace.ts';
import { arrivedOf, removePart } from './part-file.ts';
import { type AnnouncedFile, longestPath, readFiles, reasonOf, recordFiles } from './record.ts';

/** A file that somebody is about to send. */
export interface OfferedFile {
  /** File name with its folders. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

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
  await readOpenDraft(runtime, draft);
  const files = await readFiles(runtime, draft);
  const announced: AnnouncedFile[] = [];
  const turnedDown = new Map<string, string>();
  const read = offered.map((file): AnnouncedFile | Here | Refusal => {
    try {
      const one = announcementOf(file);
      checkSize(runtime, one);
      if (files.stored.get(one.path)?.id === one.id) return { kind: 'here', id: one.id };
      announced.push(one);
      return one;
    } catch (error) {
      if (!(error instanceof UseCaseError)) throw error;
      turnedDown.set(file.path.slice(0, longestPath).toWellFormed(), reasonOf(error));
      return { kind: 'refused', why: error.message, cure: error.cure };
    }
  });
  await recordRefusals(runtime, draft, turnedDown, by);
  await announce(runtime, draft, announced, by);
  const arrived = await arrivedOf(runtime, draft, announced);
  return read.map((one) =>
    'path' in one ? { kind: 'upload', id: one.id, arrived: arrived.get(one.id) ?? 0 } : one,
  );
}

/** Records refusals, so that others who look at the draft see them. Repeated refusals are not recorded again. */
async function recordRefusals(
  runtime: DraftRuntime,
  draft: string,
  refused: ReadonlyMap<string, string>,
  by: string,
): Promise<void> {
  const { refused: known } = await readFiles(runtime, draft);
  for (const [path, why] of refused) {
    if (known.get(path) !== why)
      await recordFiles(runtime, draft, { at: runtime.now(), by, refused: { path, why } });
  }
}

type Here = Extract<OfferAnswer, { readonly kind: 'here' }>;
type Refusal = Extract<OfferAnswer, { readonly kind: 'refused' }>;

async function announce(
  runtime: DraftRuntime,
  draft: string,
  added: readonly AnnouncedFile[],
  by: string,
): Promise<void> {
  if (added.length === 0) return;
  if (added.some(({ kind }) => kind === 'sheet')) requireSheetTurn(by);
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
  let outstanding = await outstandingBytes(runtime, draft, announced);
  // Only drafts with files arriving count: abandoned uploads must not block others.
  for (const other of arrivingDrafts(runtime.now())) {
    if (other === draft) continue;
    const files = await readFiles(runtime, other);
    outstanding += await outstandingBytes(runtime, other, [...files.announced.values()]);
  }
  await checkRoom(
    folder,
    fresh.reduce((sum, { bytes }) => sum + bytes, outstanding),
    runtime.freeBytes,
  );
}

async function outstandingBytes(
  runtime: DraftRuntime,
  draft: string,
  announced: readonly AnnouncedFile[],
): Promise<number> {
  const arrived = await arrivedOf(runtime, draft, announced);
  return announced.reduce((sum, { id, bytes }) => sum + bytes - (arrived.get(id) ?? 0), 0);
}

/** Gives the same file the same id when it is offered again. */
export function announcementOf({ path: given, bytes, modifiedAt }: OfferedFile): AnnouncedFile {
  const path = readDroppedPath(given);
  const kind = kindOfFile(path);
  const id = createHash('sha256')
    .update([kind, path, bytes, modifiedAt].join('\0'))
    .digest('hex')
    .slice(0, 32);
  return { id, kind, path, bytes, modifiedAt };
}
