/** What people see of a draft's files: upload progress, media in place, and faults in their bytes. */
import type { MediaFault } from '../../../service/media/complete.ts';
import { MediaError } from '../../../service/media/errors.ts';
import { describeLocalMedia } from '../../../service/media/source.ts';
import { type DraftRuntime, draftMediaFolder } from '../folder.ts';
import { listBegun } from './incoming.ts';
import { readFiles, type StoredFile } from './record.ts';

export interface FilesProgress {
  readonly sheet: { readonly name: string; readonly bytes: number; readonly arrived: number } | undefined;
  readonly media: {
    /** Files in place, and with those that are still to come. */
    readonly files: number;
    readonly ofFiles: number;
    /** Bytes that are here, and all of the files in place and those that have begun to come. */
    readonly bytes: number;
    readonly ofBytes: number;
    /** Files in place, and those that have begun to come. */
    readonly begunFiles: number;
  };
  /** Reasons of refused files, by path. */
  readonly refused: ReadonlyMap<string, string>;
  /** Whether bytes have come in the last seconds. */
  readonly isArriving: boolean;
}

/** Bytes that came longer ago have stopped coming. Milliseconds. */
const arrivingMs = 10_000;

/** @throws {UseCaseError} `draft_not_found` for an invalid id, `draft_not_stored`. */
export async function readFilesProgress(runtime: DraftRuntime, draft: string): Promise<FilesProgress> {
  const { stored, refused, bytes } = await readFiles(runtime, draft);
  const begun = await listBegun(runtime, draft);
  const media = begun.filter(({ kind }) => kind === 'media');
  const sheet = begun.find(({ kind }) => kind === 'sheet');
  const begunFiles = stored.size + media.length;
  return {
    sheet: sheet && { name: sheet.path, bytes: sheet.bytes, arrived: sheet.arrived },
    media: {
      files: stored.size,
      ofFiles: Math.max(begunFiles, ...media.map(({ ofFiles }) => ofFiles)),
      begunFiles,
      bytes: media.reduce((sum, file) => sum + file.arrived, bytes),
      ofBytes: media.reduce((sum, file) => sum + file.bytes, bytes),
    },
    refused,
    isArriving: begun.some(({ arrivedAt }) => Date.now() - arrivedAt < arrivingMs),
  };
}

export interface StoredPage {
  /** By path. */
  readonly files: readonly StoredFile[];
  readonly total: number;
}

/** Lists some of the media in place. @throws as `readFilesProgress`. */
export async function listStoredFiles(
  runtime: DraftRuntime,
  draft: string,
  { from, most }: { readonly from: number; readonly most: number },
): Promise<StoredPage> {
  const { stored } = await readFiles(runtime, draft);
  const files = [...stored.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  return { files: files.slice(from, from + most), total: files.length };
}

/** Files that are read at the same time. */
const atOnce = 8;

/** Finds faults of uploaded media by their bytes, before any row names them. @param paths of stored media. @returns the faults by path; files without one are left out. */
export async function findMediaFaults(
  runtime: DraftRuntime,
  draft: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, MediaFault>> {
  const faults = new Map<string, MediaFault>();
  const left = [...paths];
  const work = async () => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const fault = await findFault(runtime, draft, path);
      if (fault !== undefined) faults.set(path, fault);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return faults;
}

async function findFault(
  runtime: DraftRuntime,
  draft: string,
  path: string,
): Promise<MediaFault | undefined> {
  const options = { mediaRoot: draftMediaFolder(runtime, draft), maxBytes: runtime.settings.media.maxBytes };
  try {
    return (await describeLocalMedia(path, options)).cut;
  } catch (error) {
    if (error instanceof MediaError) return { problem: error.message, fix: error.fix };
    throw error;
  }
}
