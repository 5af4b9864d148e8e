/** Moves complete uploads to their place, and lets only those become media whose bytes are what their name says. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, lstat, open, rename, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { MisplacedFileError, type OpenFolder, placeFile } from '../../../platform/files/place-file.ts';
import { readAll } from '../../../service/media/content-hash.ts';
import { decideType, signatureLength } from '../../../service/media/content-type.ts';
import { MediaError } from '../../../service/media/errors.ts';
import { draftNotStored, onDisk } from '../draft.ts';
import { changeFiles } from '../drafts.ts';
import { oneAtATime } from '../exclusive.ts';
import { type DraftRuntime, draftFiles, draftMediaFolder, draftMediaPlace } from '../folder.ts';
import { rememberedReadingOf } from '../remembered-columns.ts';
import { checkSize } from './admit.ts';
import { notTaken, openIncoming, type SentFile, sentFile } from './incoming.ts';
import { readFiles, recordFiles } from './record.ts';

/** A file of a draft, whose bytes are in an open folder under its id. */
export interface Arriving {
  readonly draft: string;
  readonly file: SentFile;
  readonly folder: OpenFolder;
  readonly by: string;
}

/** A complete one, open. */
interface Arrived extends Arriving {
  readonly handle: FileHandle;
}

/** Never follows a link, and never blocks on a pipe that somebody put in its place. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const hashedAtOnce = 1024 * 1024;

/** Refuses a medium whose first bytes do not match its name. @throws {UseCaseError} `upload_refused`, `draft_not_stored`. */
export async function checkStart({ file: { id, kind, path }, folder }: Arriving): Promise<void> {
  if (kind === 'sheet') return;
  const start = await onDisk(async () => {
    await using handle = await open(folder.at(id), flags);
    return await readAll(handle, signatureLength);
  });
  try {
    decideType(path, start, path);
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    const { message, fix } = error;
    throw notTaken(path, `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/\.$/, ''), fix);
  }
}

/** A sheet takes the place of the draft's. @returns the change, for the audit. @throws {UseCaseError} `draft_*`; `upload_refused`. */
export async function placeUpload(runtime: DraftRuntime, arriving: Arriving): Promise<string> {
  await checkStart(arriving);
  const { draft, file, folder } = arriving;
  await using handle = await onDisk(() => open(folder.at(file.id), flags));
  const sha256 = await onDisk(() => hashOf(handle, file.bytes));
  const isSheet = file.kind === 'sheet';
  const isOther = await (isSheet ? replaceSheet : storeMedium)(runtime, { ...arriving, handle }, sha256);
  const what = `the ${isSheet ? 'sheet' : 'file'} ${file.path}`;
  return isOther ? `Replaced ${what} of draft ${draft}.` : `Uploaded ${what} to draft ${draft}.`;
}

/** SHA-256 in lowercase hex. It reads the whole file, so there is one at a time. */
function hashOf(handle: FileHandle, bytes: number): Promise<string> {
  return oneAtATime('digest of an upload', async () => {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size !== bytes) throw new Error('its bytes have changed since they arrived');
    const hash = createHash('sha256');
    const read = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: hashedAtOnce });
    for await (const chunk of read) hash.update(chunk);
    return hash.digest('hex');
  });
}

/** From a file of the console, which stays. @throws {UseCaseError} `draft_not_found`, `draft_not_stored`, `upload_refused`. */
export async function takeSheet(
  runtime: DraftRuntime,
  { draft, path, by }: { readonly draft: string; readonly path: string; readonly by: string },
  from: string,
): Promise<void> {
  const { size: bytes } = await onDisk(() => stat(from));
  const file = sentFile({ path, bytes, modifiedAt: runtime.now() });
  checkSize(runtime, file);
  await using folder = await openIncoming(runtime, draft, file.id);
  await onDisk(() => copyFile(from, folder.at(file.id)));
  await placeUpload(runtime, { draft, file, folder, by });
}

/** Within a change of the draft: no start in between posts something unseen. @returns whether it replaced another. */
async function storeMedium(
  runtime: DraftRuntime,
  { draft, file, folder, handle, by }: Arrived,
  sha256: string,
): Promise<boolean> {
  let replaces = false;
  await changeFiles(runtime, draft, by, async () => {
    const { stored } = await readFiles(runtime, draft);
    replaces = stored.has(file.path);
    // People agree to a version of the draft. It must rise if a row would post other media than before.
    const isOther = stored.size === 0 || stored.has(file.path);
    await refuseTwin(runtime, draft, file.path);
    try {
      await placeFile({ handle, folder, name: file.id }, draftMediaPlace(runtime, draft), file.path);
    } catch (error) {
      if (!(error instanceof MisplacedFileError)) throw draftNotStored(error);
      throw notTaken(file.path, error.message, 'Give it another name, and drop it again.');
    }
    const { kind: _, ...rest } = file;
    await recordFiles(runtime, draft, { at: runtime.now(), by, stored: { ...rest, sha256 } });
    return isOther ? { what: `the file ${file.path}`.slice(0, 200), to: {} } : undefined;
  });
  return replaces;
}

/** On a case-insensitive disk it would replace the other, and be posted instead. @throws {UseCaseError} `upload_refused`. */
async function refuseTwin(runtime: DraftRuntime, draft: string, path: string): Promise<void> {
  const { stored } = await readFiles(runtime, draft);
  if (stored.has(path)) return;
  const there = await lstat(join(draftMediaFolder(runtime, draft), path)).catch(() => undefined);
  if (there === undefined) return;
  const folded = path.toLowerCase();
  const twin = [...stored.keys()].find((other) => other.toLowerCase() === folded);
  if (twin === undefined) return;
  const why = `this disk cannot tell it from ${twin}: the names differ only in capital letters`;
  throw notTaken(path, why, 'Rename the file, then drop it again.');
}

const longestName = 200;

/** Shortens a long name, but keeps its extension. */
function shortName(name: string): string {
  const ending = extname(name).slice(0, 20);
  const short = name.length <= longestName ? name : name.slice(0, longestName - ending.length) + ending;
  return short.toWellFormed();
}

/** Edits stay if its bytes are the same; the file is replaced all the same. @returns whether there was another one. */
async function replaceSheet(
  runtime: DraftRuntime,
  { draft, file, folder, handle, by }: Arrived,
  sha256: string,
): Promise<boolean> {
  const path = draftFiles(runtime, draft).sheet;
  let replaces = false;
  await changeFiles(runtime, draft, by, async ({ sheet, reading: { timezone } }) => {
    replaces = sheet !== undefined;
    await onDisk(() => handle.sync().then(() => rename(folder.at(file.id), path)));
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
  const { refused } = await readFiles(runtime, draft);
  if (refused.has(file.path))
    await recordFiles(runtime, draft, { at: runtime.now(), by, removed: file.path });
  return replaces;
}
