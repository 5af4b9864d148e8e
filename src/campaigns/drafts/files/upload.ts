/** Uploads of a draft's files: announced, received in parts, and put in their place when they are complete. */
import { createHash } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { MisplacedFileError, placeFile } from '../../../fs/place-file.ts';
import { UseCaseError } from '../../../runtime/use-case-error.ts';
import type { Draft } from '../draft.ts';
import { changeDraft } from '../drafts.ts';
import { type DraftRuntime, draftFiles, draftMediaFolder, draftNotStored, readDraft } from '../folder.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { refuseStarting } from '../refused.ts';
import { rememberedColumnsOf } from '../remembered-columns.ts';
import { kindOfFile, readDroppedPath } from './dropped-path.ts';
import { checkRoom, checkSize, checkTotal } from './limits.ts';
import { arrivedBytes, PartFile, partPath, removePart } from './part-file.ts';

import { type AnnouncedFile, readFiles, recordFiles } from './record.ts';

/** A file that somebody is about to send. */
export interface OfferedFile {
  /** Its name, with its folders. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** What becomes of an offered file. `here`: it is there already; nothing need be sent. */
export type OfferAnswer =
  | { readonly kind: 'here'; readonly id: string }
  | { readonly kind: 'upload'; readonly id: string; readonly arrived: number }
  | { readonly kind: 'refused'; readonly why: string; readonly cure: string | undefined };

/**
 * Announces files. Those of the same path, size and time of change as before go on where they stopped; others of the same path take their
 * place.
 * @returns an answer for each, in order.
 * @throws {UseCaseError} `draft_not_found`, `draft_not_stored`; `upload_refused` when they are too many for a draft.
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
  const read = offered.map((file): AnnouncedFile | Here | Refusal => {
    try {
      const one = announcementOf(file);
      checkSize(runtime, one);
      if (files.stored.get(one.path)?.id === one.id) return { kind: 'here', id: one.id };
      announced.push(one);
      return one;
    } catch (error) {
      if (!(error instanceof UseCaseError)) throw error;
      return { kind: 'refused', why: error.message, cure: error.cure };
    }
  });
  await announce(runtime, draft, announced, by);
  return Promise.all(
    read.map(async (one) => {
      if (!('path' in one)) return one;
      return {
        kind: 'upload',
        id: one.id,
        arrived: await arrivedBytes(partPath(runtime, { ...one, draft })),
      };
    }),
  );
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
  const files = await readFiles(runtime, draft);
  checkTotal(files, added);
  const fresh = added.filter(({ id }) => !files.announced.has(id));
  await makeRoom(runtime, draft, fresh, [...files.announced.values()]);
  const places = new Map(added.map((file) => [placeOf(file), file.id]));
  const replaced = [...files.announced.values()].filter(
    (file) => (places.get(placeOf(file)) ?? file.id) !== file.id,
  );
  for (const { id } of replaced) await recordFiles(runtime, draft, { at: runtime.now(), by, ended: id });
  for (const file of replaced) await removePart(partPath(runtime, { ...file, draft }));
  if (fresh.length > 0) await recordFiles(runtime, draft, { at: runtime.now(), by, announced: fresh });
}

/** Two files of one place cannot both come: a draft has one sheet. */
function placeOf({ kind, path }: AnnouncedFile): string {
  return kind === 'sheet' ? '' : path;
}

async function makeRoom(
  runtime: DraftRuntime,
  draft: string,
  fresh: readonly AnnouncedFile[],
  announced: readonly AnnouncedFile[],
): Promise<void> {
  const folder = draftMediaFolder(runtime, draft);
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw draftNotStored(error);
  }
  const arrived = await Promise.all(
    announced.map((file) => arrivedBytes(partPath(runtime, { ...file, draft }))),
  );
  const outstanding = announced.reduce((sum, { bytes }, index) => sum + bytes - (arrived[index] ?? 0), 0);
  await checkRoom(
    folder,
    fresh.reduce((sum, { bytes }) => sum + bytes, outstanding),
    runtime.freeBytes,
  );
}

function announcementOf({ path: given, bytes, modifiedAt }: OfferedFile): AnnouncedFile {
  const path = readDroppedPath(given);
  const kind = kindOfFile(path);
  const id = createHash('sha256')
    .update([kind, path, bytes, modifiedAt].join('\0'))
    .digest('hex')
    .slice(0, 32);
  return { id, kind, path, bytes, modifiedAt };
}

export interface UploadState {
  readonly file: AnnouncedFile;
  /** Bytes that have come. */
  readonly arrived: number;
}

/** @throws {UseCaseError} `draft_not_found`, `upload_not_found`. */
export async function findUpload(
  runtime: DraftRuntime,
  draft: string,
  id: string,
  by: string,
): Promise<UploadState> {
  const { announced, stored } = await readFiles(runtime, draft);
  const file = announced.get(id);
  if (file === undefined) {
    const done = [...stored.values()].find((one) => one.id === id);
    if (done === undefined) throw uploadNotFound();
    return { file: { ...done, kind: 'media' }, arrived: done.bytes };
  }
  const arrived = await arrivedBytes(partPath(runtime, { ...file, draft }));
  // The process ended between its last byte and its place.
  if (arrived === file.bytes) await receivePart(runtime, { draft, id, offset: arrived, by }, nothing());
  return { file, arrived };
}

async function* nothing(): AsyncGenerator<Buffer> {}

/**
 * Takes bytes of an upload. With its last byte the file is put in its place.
 * @returns the bytes that have come.
 * @throws {UseCaseError} `draft_not_found`, `upload_not_found`, `draft_not_stored`; `upload_refused` for a file that is not what its name says.
 */
export async function receivePart(
  runtime: DraftRuntime,
  {
    draft,
    id,
    offset,
    by,
  }: { readonly draft: string; readonly id: string; readonly offset: number; readonly by: string },
  bytes: AsyncIterable<Buffer>,
): Promise<number> {
  const file = (await readFiles(runtime, draft)).announced.get(id);
  if (file === undefined) throw uploadNotFound();
  await using part = await PartFile.open(runtime, { ...file, draft });
  // A first request that is sent once more begins anew.
  if (offset === 0) await part.restart();
  if (part.bytes !== offset)
    throw new UseCaseError(
      'upload_refused',
      `the file ${file.path} goes on at ${part.bytes}, not at ${offset}`,
    );
  try {
    await part.append(bytes, file.bytes);
    if (part.bytes === file.bytes) await finish(runtime, { draft, file, part, by });
  } catch (error) {
    if (!(error instanceof UseCaseError) || error.code !== 'upload_refused') throw error;
    await refuse(runtime, { draft, file, by }, error);
    throw error;
  }
  return part.bytes;
}

/**
 * Takes a whole file whose size nobody has told, such as a part of a form.
 * @throws {UseCaseError} as `offerFiles` and `receivePart`.
 */
export async function receiveWhole(
  runtime: DraftRuntime,
  { draft, path: given, by }: { readonly draft: string; readonly path: string; readonly by: string },
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  await readOpenDraft(runtime, draft);
  const modifiedAt = runtime.now();
  const expected = announcementOf({ path: given, bytes: 0, modifiedAt });
  const limit = runtime.settings[expected.kind === 'sheet' ? 'manifest' : 'media'].maxBytes;
  await makeRoom(runtime, draft, [], []);
  await using part = await PartFile.open(runtime, { ...expected, draft });
  try {
    await part.append(bytes, limit);
    const file = { ...expected, bytes: part.bytes };
    checkSize(runtime, file);
    checkTotal(await readFiles(runtime, draft), [file]);
    await finish(runtime, { draft, file, part, by });
  } catch (error) {
    await removePart(part.path);
    if (error instanceof UseCaseError && error.code === 'upload_refused')
      await refuse(runtime, { draft, file: expected, by }, error);
    throw error;
  }
}

interface Finished {
  readonly draft: string;
  readonly file: AnnouncedFile;
  readonly part: PartFile;
  readonly by: string;
}

async function finish(runtime: DraftRuntime, { draft, file, part, by }: Finished): Promise<void> {
  await part.checkType();
  const sha256 = part.digest();
  if (file.kind === 'sheet') await replaceSheet(runtime, { draft, file, part, by }, sha256);
  else await storeMedium(runtime, { draft, file, part, by }, sha256);
}

/** A start in between would post what nobody has seen, so it waits its turn. */
async function storeMedium(
  runtime: DraftRuntime,
  { draft, file, part, by }: Finished,
  sha256: string,
): Promise<void> {
  const store = async () => {
    try {
      await placeFile(part, draftMediaFolder(runtime, draft), file.path);
    } catch (error) {
      if (!(error instanceof MisplacedFileError)) throw draftNotStored(error);
      throw new UseCaseError('upload_refused', `the file ${file.path} was not taken: ${error.message}`, {
        cure: 'Give it another name, and drop it again.',
      });
    }
    const { kind: _, ...stored } = file;
    await recordFiles(runtime, draft, { at: runtime.now(), by, stored: { ...stored, sha256 } });
  };
  const { stored } = await readFiles(runtime, draft);
  // What is agreed to is a version: it must rise where a row would post other media than before.
  if (stored.size === 0 || stored.has(file.path)) {
    const what = `the file ${file.path}`.slice(0, 200);
    await readOpenDraft(runtime, draft);
    await changeDraft(runtime, draft, { by, version: undefined, what }, async (opened) => {
      refuseStarting(opened);
      await store();
      return {};
    });
    return;
  }
  await oneAtATime(draft, async () => {
    await readOpenDraft(runtime, draft);
    await store();
  });
}

/** Cuts a long name, but not its ending. */
function shortName(name: string): string {
  const ending = extname(name).slice(0, 20);
  return name.length <= longestName ? name : name.slice(0, longestName - ending.length) + ending;
}

const longestName = 200;

/** The same bytes change nothing: what was mended in them stays. */
async function replaceSheet(
  runtime: DraftRuntime,
  { draft, file, part, by }: Finished,
  sha256: string,
): Promise<void> {
  const ended = { at: runtime.now(), by, ended: file.id };
  const { sheet } = await readDraft(runtime, draft);
  if (sheet?.sha256 === sha256) {
    await removePart(part.path);
    await recordFiles(runtime, draft, ended);
    return;
  }
  await readOpenDraft(runtime, draft);
  await changeDraft(runtime, draft, { by, version: undefined, what: 'the sheet' }, async (opened) => {
    refuseStarting(opened);
    const { reading } = opened;
    try {
      await part.handle.sync();
      await rename(part.path, draftFiles(runtime, draft).sheet);
    } catch (error) {
      throw draftNotStored(error);
    }
    const { timezone } = reading;
    const map = await rememberedColumnsOf(runtime, draftFiles(runtime, draft).sheet);
    return {
      sheet: { name: shortName(basename(file.path)), bytes: file.bytes, sha256 },
      reading: { ...(timezone !== undefined && { timezone }), ...(map !== undefined && { map }) },
    };
  });
  await recordFiles(runtime, draft, ended);
}

async function refuse(
  runtime: DraftRuntime,
  { draft, file: { id, path, kind }, by }: Omit<Finished, 'part'>,
  { message, cure }: UseCaseError,
): Promise<void> {
  await removePart(partPath(runtime, { draft, id, kind }));
  const why = [message, cure].filter(Boolean).join('. ').slice(0, 500);
  await recordFiles(runtime, draft, { at: runtime.now(), by, refused: { id, path, why } });
}

/** Gives an upload up. What has come of it is removed. @throws {UseCaseError} `draft_not_found`, `upload_not_found`, `draft_not_stored`. */
export async function stopUpload(
  runtime: DraftRuntime,
  draft: string,
  id: string,
  by: string,
): Promise<void> {
  await readOpenDraft(runtime, draft);
  const file = (await readFiles(runtime, draft)).announced.get(id);
  if (file === undefined) throw uploadNotFound();
  await recordFiles(runtime, draft, { at: runtime.now(), by, ended: id });
  await removePart(partPath(runtime, { ...file, draft }));
}

/** A draft that files may still be added to. @throws {UseCaseError} `draft_not_found`, `upload_refused`. */
async function readOpenDraft(runtime: DraftRuntime, id: string): Promise<Draft> {
  const draft = await readDraft(runtime, id);
  refuseStarting(draft);
  if (draft.campaign === undefined) return draft;
  throw new UseCaseError(
    'upload_refused',
    `the draft has become campaign ${draft.campaign}: its files stay as they are`,
    {
      cure: 'Begin a new campaign, or hand a mended sheet in again on the page of the campaign.',
    },
  );
}

function uploadNotFound(): UseCaseError {
  return new UseCaseError('upload_not_found', 'there is no such upload', { cure: 'Drop the file again.' });
}
