/** Decides whether a file may be sent: a draft has bounds, and the ledger may need room on the disk, too. */
import { LRUCache } from 'lru-cache';
import { describeExcess } from '../../../manifest/printable.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { plural } from '../../../manifest/wording.ts';
import { requireFreeDisk } from '../../../platform/files/disk.ts';
import { requireSheetPermit } from '../../campaigns/sheets-at-once.ts';
import { onDisk } from '../draft.ts';
import { findUnstartedDraft } from '../drafts.ts';
import { type DraftRuntime, makeMediaFolder } from '../folder.ts';
import {
  type BegunFile,
  type GivenFile,
  listBegun,
  removeBegun,
  type SentFile,
  sentFile,
} from './incoming.ts';
import { readFiles, recordRefusal } from './record.ts';

const mostFiles = 10_000;
const mostBytes = 500e9;
/** Most uploads of one draft that have begun and not ended. The page has three at once. */
const mostBegun = 200;

/** Bytes still to come of uploads, by data folder, draft and id. An abandoned one must not keep others out, so it is forgotten. */
const toCome = new LRUCache<string, number>({ max: 1000, ttl: 10 * 60_000 });

/** Notes how many bytes of an upload are still to come; 0 once it has ended. */
export function noteToCome(runtime: DraftRuntime, draft: string, id: string, bytes: number): void {
  const name = `${uploadsOf(runtime)}${draft}/${id}`;
  if (bytes > 0) toCome.set(name, bytes);
  else toCome.delete(name);
}

function uploadsOf({ environment }: DraftRuntime): string {
  return `${environment.dataDir}/`;
}

/** Ends an upload for the same place. @throws {UseCaseError} `draft_*`, `sheets_busy`; `upload_refused`, recorded if the file is at fault. */
export async function admitFile(
  runtime: DraftRuntime,
  draft: string,
  given: GivenFile,
  by: string,
): Promise<SentFile> {
  await findUnstartedDraft(runtime, draft);
  const file = await readGiven(runtime, draft, given, by);
  if (file.kind === 'sheet') requireSheetPermit(by);
  const begun = (await listBegun(runtime, draft)).filter(({ id }) => id !== file.id);
  const replaced = begun.filter((other) => isSamePlace(file, other));
  await checkTotal(
    runtime,
    draft,
    file,
    begun.filter((other) => !replaced.includes(other)),
  );
  for (const other of replaced) {
    await removeBegun(runtime, draft, other);
    noteToCome(runtime, draft, other.id, 0);
  }
  noteToCome(runtime, draft, file.id, 0);
  const folder = await makeMediaFolder(runtime, draft);
  const coming = [...toCome].filter(([name]) => name.startsWith(uploadsOf(runtime)));
  const bytes = coming.reduce((sum, [, each]) => sum + each, file.bytes);
  await onDisk(() => requireFreeDisk(folder, bytes, runtime.freeBytes));
  noteToCome(runtime, draft, file.id, file.bytes);
  return file;
}

async function readGiven(
  runtime: DraftRuntime,
  draft: string,
  given: GivenFile,
  by: string,
): Promise<SentFile> {
  try {
    const file = sentFile(given);
    checkSize(runtime, file);
    return file;
  } catch (error) {
    if (error instanceof UseCaseError) await recordRefusal(runtime, draft, { path: given.path, by }, error);
    throw error;
  }
}

/** A draft has one sheet. */
function isSamePlace(one: SentFile, other: SentFile): boolean {
  return one.kind === other.kind && (one.kind === 'sheet' || one.path === other.path);
}

/** @throws {UseCaseError} `upload_refused`. */
export function checkSize(
  { settings }: DraftRuntime,
  { kind, path, bytes }: Omit<SentFile, 'id' | 'modifiedAt'>,
): void {
  const limit = settings[kind === 'sheet' ? 'manifest' : 'media'].maxBytes;
  if (!Number.isSafeInteger(bytes) || bytes < 1)
    throw refused(`the file ${path} is empty`, 'Replace the file.');
  if (bytes > limit) {
    throw refused(
      describeExcess(path, bytes, limit),
      'Make the file smaller, or ask an operator to raise the limit.',
    );
  }
}

/** Refuses more files or bytes than a draft may have. @throws {UseCaseError} `upload_refused`. */
async function checkTotal(
  runtime: DraftRuntime,
  draft: string,
  file: SentFile,
  begun: readonly BegunFile[],
): Promise<void> {
  const { stored, bytes } = await readFiles(runtime, draft);
  const files = stored.size + begun.length + (stored.has(file.path) ? 0 : 1);
  const total = begun.reduce((sum, other) => sum + other.bytes, bytes + file.bytes);
  const fix = 'Split the sheet, or give the media as a folder of the server.';
  if (files > mostFiles)
    throw refused(`${plural(files, 'file')}; the limit is ${mostFiles.toLocaleString('en')}`, fix);
  if (total > mostBytes) throw refused(describeExcess('the draft', total, mostBytes), fix);
  if (begun.length >= mostBegun)
    throw refused(
      `${begun.length} files are only partly uploaded`,
      'Drop these files again, or discard the draft.',
    );
}

function refused(why: string, fix: string): UseCaseError {
  return new UseCaseError('upload_refused', why, { fix });
}
