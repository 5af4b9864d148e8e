/** Receives the files of a draft, in parts or whole, and moves complete ones to their place. */
import { lstat, rename } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { MisplacedFileError, placeFile } from '../../fs/place-file.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { draftNotStored, onDisk } from '../draft.ts';
import { changeFiles, findUnstartedDraft } from '../drafts.ts';
import { type DraftRuntime, draftFiles, draftMediaFolder, draftMediaPlace } from '../folder.ts';
import { rememberedReadingOf } from '../remembered-columns.ts';
import { notTaken } from './dropped-path.ts';
import { announcementOf, checkSize, checkTotal, makeRoom } from './offer.ts';
import { arrivedBytes, PartFile, partPath, removePart } from './part-file.ts';
import { type AnnouncedFile, readFiles, reasonOf, recordFiles } from './record.ts';

/** @returns the file, and how many bytes of it have arrived. @throws {UseCaseError} `draft_not_found`, `upload_not_found`. */
export async function findUpload(
  runtime: DraftRuntime,
  draft: string,
  id: string,
  by: string,
): Promise<{ readonly file: AnnouncedFile; readonly arrived: number }> {
  const { announced, stored } = await readFiles(runtime, draft);
  const file = announced.get(id);
  if (file === undefined) {
    const done = [...stored.values()].find((each) => each.id === id);
    if (done === undefined) throw uploadNotFound();
    return { file: { ...done, kind: 'media' }, arrived: done.bytes };
  }
  const arrived = await arrivedBytes(partPath(runtime, { ...file, draft }));
  // The process ended after the last byte, before the file was in its place.
  if (arrived === file.bytes) await receivePart(runtime, { draft, id, offset: arrived, by }, nothing());
  return { file, arrived };
}

async function* nothing(): AsyncGenerator<Buffer> {}

/** A piece of an upload, from a byte of the file on. */
export interface UploadPart {
  readonly draft: string;
  readonly id: string;
  readonly offset: number;
  /** Name of the person. */
  readonly by: string;
}

/**
 * Receives bytes of an upload. After the last byte, moves the file to its place.
 * @returns the number of bytes received.
 * @throws {UseCaseError} `draft_not_found`, `upload_not_found`, `draft_not_stored`; `upload_refused` for a file that is not what its name says.
 */
export async function receivePart(
  runtime: DraftRuntime,
  { draft, id, offset, by }: UploadPart,
  bytes: AsyncIterable<Buffer>,
): Promise<number> {
  const file = (await readFiles(runtime, draft)).announced.get(id);
  if (file === undefined) throw uploadNotFound();
  await using part = await PartFile.open(runtime, { ...file, draft });
  // A repeated first request begins again.
  if (offset === 0) await part.restart();
  if (part.bytes !== offset)
    throw new UseCaseError(
      'upload_refused',
      `the file ${file.path} continues at ${part.bytes}, not at ${offset}`,
    );
  try {
    await part.append(bytes, file.bytes);
    if (part.bytes === file.bytes) await finish(runtime, { draft, file, part, by });
  } catch (error) {
    if (isRefusal(error)) await refuse(runtime, { draft, file, by }, error);
    throw error;
  }
  return part.bytes;
}

/**
 * Receives a whole file of unknown size, such as a part of a form.
 * @throws {UseCaseError} as `offerFiles` and `receivePart`.
 */
export async function receiveWhole(
  runtime: DraftRuntime,
  { draft, path: given, by }: { readonly draft: string; readonly path: string; readonly by: string },
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  await findUnstartedDraft(runtime, draft);
  const expected = announcementOf({ path: given, bytes: 0, modifiedAt: runtime.now() });
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
    await removePart(runtime, { ...expected, draft });
    if (isRefusal(error)) await refuse(runtime, { draft, file: expected, by }, error);
    throw error;
  }
}

/** Cancels an upload, and removes its bytes. @throws {UseCaseError} `draft_not_found`, `upload_not_found`, `draft_not_stored`. */
export async function stopUpload(
  runtime: DraftRuntime,
  draft: string,
  id: string,
  by: string,
): Promise<void> {
  await findUnstartedDraft(runtime, draft);
  const file = (await readFiles(runtime, draft)).announced.get(id);
  if (file === undefined) throw uploadNotFound();
  await recordFiles(runtime, draft, { at: runtime.now(), by, ended: id });
  await removePart(runtime, { ...file, draft });
}

function uploadNotFound(): UseCaseError {
  return new UseCaseError('upload_not_found', 'there is no such upload', { cure: 'Drop the file again.' });
}

interface Received {
  readonly draft: string;
  readonly file: AnnouncedFile;
  readonly part: PartFile;
  readonly by: string;
}

function isRefusal(error: unknown): error is UseCaseError {
  return error instanceof UseCaseError && error.code === 'upload_refused';
}

async function refuse(
  runtime: DraftRuntime,
  { draft, file: { id, path, kind }, by }: Omit<Received, 'part'>,
  error: UseCaseError,
): Promise<void> {
  await removePart(runtime, { draft, id, kind });
  await recordFiles(runtime, draft, { at: runtime.now(), by, refused: { id, path, why: reasonOf(error) } });
}

/** Moves a complete file to its place: a medium below the media folder, a sheet in place of the draft's sheet. */
async function finish(runtime: DraftRuntime, received: Received): Promise<void> {
  await received.part.checkType();
  const sha256 = received.part.digest();
  if (received.file.kind === 'sheet') await replaceSheet(runtime, received, sha256);
  else await storeMedium(runtime, received, sha256);
}

/** Stores a medium within a change of the draft, so that a start in between cannot post something that nobody has seen. */
async function storeMedium(
  runtime: DraftRuntime,
  { draft, file, part, by }: Received,
  sha256: string,
): Promise<void> {
  await changeFiles(runtime, draft, by, async () => {
    const { stored } = await readFiles(runtime, draft);
    // People agree to a version of the draft. It must rise if a row would post other media than before.
    const isOther = stored.size === 0 || stored.has(file.path);
    await refuseTwin(runtime, draft, file.path);
    try {
      await placeFile(part, draftMediaPlace(runtime, draft), file.path);
    } catch (error) {
      if (!(error instanceof MisplacedFileError)) throw draftNotStored(error);
      throw notTaken(file.path, error.message, 'Give it another name, and drop it again.');
    }
    const { kind: _, ...rest } = file;
    await recordFiles(runtime, draft, { at: runtime.now(), by, stored: { ...rest, sha256 } });
    return isOther ? { what: `the file ${file.path}`.slice(0, 200), to: {} } : undefined;
  });
}

/**
 * Refuses a file whose name differs from another only in case: on a case-insensitive disk, it would replace the other and be
 * posted instead.
 * @throws {UseCaseError} `upload_refused`.
 */
async function refuseTwin(runtime: DraftRuntime, draft: string, path: string): Promise<void> {
  const { stored } = await readFiles(runtime, draft);
  if (stored.has(path)) return;
  const there = await lstat(join(draftMediaFolder(runtime, draft), path)).catch(() => undefined);
  if (there === undefined) return;
  const folded = path.toLowerCase();
  const twin = [...stored.keys()].find((other) => other.toLowerCase() === folded);
  if (twin === undefined) return;
  const cure = 'Names must differ in more than capitals. Give it another name, and drop it again.';
  throw notTaken(path, `${twin} has its place on this disk`, cure);
}

const longestName = 200;

/** Shortens a long name, but keeps its extension. */
function shortName(name: string): string {
  const ending = extname(name).slice(0, 20);
  const short = name.length <= longestName ? name : name.slice(0, longestName - ending.length) + ending;
  return short.toWellFormed();
}

/** Replaces the sheet. If its bytes are the same, the mends are kept. The stored file may have been changed, so it is replaced all the same. */
async function replaceSheet(
  runtime: DraftRuntime,
  { draft, file, part: { handle, folder, name }, by }: Received,
  sha256: string,
): Promise<void> {
  const path = draftFiles(runtime, draft).sheet;
  await changeFiles(runtime, draft, by, async ({ sheet, reading: { timezone } }) => {
    await onDisk(() => handle.sync().then(() => rename(folder.at(name), path)));
    if (sheet?.sha256 === sha256) return undefined;
    const remembered = await rememberedReadingOf(runtime, path, by);
    return {
      what: 'the sheet',
      to: {
        sheet: { name: shortName(basename(file.path)), bytes: file.bytes, sha256 },
        reading: { ...remembered, ...(timezone !== undefined && { timezone }) },
      },
    };
  });
  await recordFiles(runtime, draft, { at: runtime.now(), by, ended: file.id });
}
