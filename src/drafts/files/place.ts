/** Moves a complete file to its place: a medium below the media folder, a sheet in place of the draft's sheet. */
import { lstat, rename } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { MisplacedFileError, placeFile } from '../../fs/place-file.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { changeDraft, readOpenDraft } from '../drafts.ts';
import { exclusively } from '../exclusive.ts';
import {
  type DraftRuntime,
  draftFiles,
  draftMediaFolder,
  draftMediaPlace,
  draftNotStored,
} from '../folder.ts';
import { refuseStarting } from '../refused.ts';
import { rememberedColumnsOf } from '../remembered-columns.ts';
import type { PartFile } from './part-file.ts';
import { type AnnouncedFile, readFiles, recordFiles } from './record.ts';

export interface Finished {
  readonly draft: string;
  readonly file: AnnouncedFile;
  readonly part: PartFile;
  readonly by: string;
}

/** @throws {UseCaseError} `draft_not_found`, `draft_not_stored`; `upload_refused` for a file that is not what its name says. */
export async function finish(runtime: DraftRuntime, { draft, file, part, by }: Finished): Promise<void> {
  await part.checkType();
  const sha256 = part.digest();
  if (file.kind === 'sheet') await replaceSheet(runtime, { draft, file, part, by }, sha256);
  else await storeMedium(runtime, { draft, file, part, by }, sha256);
}

/** Stores a medium within a change of the draft, so that a start in between cannot post something that nobody has seen. */
async function storeMedium(
  runtime: DraftRuntime,
  { draft, file, part, by }: Finished,
  sha256: string,
): Promise<void> {
  const store = async () => {
    await refuseTwin(runtime, draft, file.path);
    try {
      await placeFile(part, draftMediaPlace(runtime, draft), file.path);
    } catch (error) {
      if (!(error instanceof MisplacedFileError)) throw draftNotStored(error);
      throw new UseCaseError('upload_refused', `the file ${file.path} was not taken: ${error.message}`, {
        cure: 'Give it another name, and drop it again.',
      });
    }
    const { kind: _, ...stored } = file;
    await recordFiles(runtime, draft, { at: runtime.now(), by, stored: { ...stored, sha256 } });
  };
  // People agree to a version of the draft. It must rise if a row would post other media than before.
  const isStored = await exclusively(runtime, draft, async () => {
    await readOpenDraft(runtime, draft);
    const { stored } = await readFiles(runtime, draft);
    if (stored.size === 0 || stored.has(file.path)) return false;
    await store();
    return true;
  });
  if (isStored) return;
  const what = `the file ${file.path}`.slice(0, 200);
  await changeDraft(runtime, draft, { by, version: undefined, what }, async (opened) => {
    refuseStarting(opened);
    await store();
    return {};
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
  const isThere = await lstat(join(draftMediaFolder(runtime, draft), path)).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  const folded = path.toLowerCase();
  const twin = [...stored.keys()].find((other) => other.toLowerCase() === folded);
  if (twin === undefined) return;
  throw new UseCaseError(
    'upload_refused',
    `the file ${path} was not taken: ${twin} has its place on this disk`,
    {
      cure: 'Names must differ in more than capitals. Give it another name, and drop it again.',
    },
  );
}

/** Shortens a long name, but keeps its extension. */
function shortName(name: string): string {
  const ending = extname(name).slice(0, 20);
  const short = name.length <= longestName ? name : name.slice(0, longestName - ending.length) + ending;
  return short.toWellFormed();
}

const longestName = 200;

/** Replaces the sheet. If its bytes are the same, the mends are kept. */
async function replaceSheet(
  runtime: DraftRuntime,
  { draft, file, part, by }: Finished,
  sha256: string,
): Promise<void> {
  const ended = { at: runtime.now(), by, ended: file.id };
  const isSame = await exclusively(runtime, draft, async () => {
    const { sheet } = await readOpenDraft(runtime, draft);
    if (sheet?.sha256 !== sha256) return false;
    // The stored file may have been changed, so it is replaced all the same.
    await putSheet(runtime, draft, part);
    return true;
  });
  if (isSame) {
    await recordFiles(runtime, draft, ended);
    return;
  }
  await changeDraft(runtime, draft, { by, version: undefined, what: 'the sheet' }, async (opened) => {
    refuseStarting(opened);
    const { reading } = opened;
    await putSheet(runtime, draft, part);
    const { timezone } = reading;
    const map = await rememberedColumnsOf(runtime, draftFiles(runtime, draft).sheet);
    return {
      sheet: { name: shortName(basename(file.path)), bytes: file.bytes, sha256 },
      reading: { ...(timezone !== undefined && { timezone }), ...(map !== undefined && { map }) },
    };
  });
  await recordFiles(runtime, draft, ended);
}

async function putSheet(
  runtime: DraftRuntime,
  draft: string,
  { handle, folder, name }: PartFile,
): Promise<void> {
  try {
    await handle.sync();
    await rename(folder.at(name), draftFiles(runtime, draft).sheet);
  } catch (error) {
    throw draftNotStored(error);
  }
}
