/** Receives the files of a draft, in parts or whole, and moves complete ones to their place. */
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { readOpenDraft } from '../drafts.ts';
import type { DraftRuntime } from '../folder.ts';
import { checkSize, checkTotal } from './limits.ts';
import { announcementOf, makeRoom } from './offer.ts';
import { arrivedBytes, PartFile, partPath, removePart } from './part-file.ts';
import { type Finished, finish } from './place.ts';
import { type AnnouncedFile, readFiles, reasonOf, recordFiles } from './record.ts';

export interface UploadState {
  readonly file: AnnouncedFile;
  /** Bytes received. */
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
  // The process ended after the last byte, before the file was in its place.
  if (arrived === file.bytes) await receivePart(runtime, { draft, id, offset: arrived, by }, nothing());
  return { file, arrived };
}

async function* nothing(): AsyncGenerator<Buffer> {}

/**
 * Receives bytes of an upload. After the last byte, moves the file to its place.
 * @returns the number of bytes received.
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
  // A repeated first request begins again.
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
 * Receives a whole file of unknown size, such as a part of a form.
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
    await removePart(runtime, { ...expected, draft });
    if (error instanceof UseCaseError && error.code === 'upload_refused')
      await refuse(runtime, { draft, file: expected, by }, error);
    throw error;
  }
}

async function refuse(
  runtime: DraftRuntime,
  { draft, file: { id, path, kind }, by }: Omit<Finished, 'part'>,
  error: UseCaseError,
): Promise<void> {
  await removePart(runtime, { draft, id, kind });
  await recordFiles(runtime, draft, { at: runtime.now(), by, refused: { id, path, why: reasonOf(error) } });
}

/** Cancels an upload, and removes its bytes. @throws {UseCaseError} `draft_not_found`, `upload_not_found`, `draft_not_stored`. */
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
  await removePart(runtime, { ...file, draft });
}

function uploadNotFound(): UseCaseError {
  return new UseCaseError('upload_not_found', 'there is no such upload', { cure: 'Drop the file again.' });
}
