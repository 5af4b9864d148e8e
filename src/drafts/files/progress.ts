/** What people see of a draft's files: upload progress, media in place, and faults in their bytes. */
import type { MediaFault } from '../../media/complete.ts';
import { MediaError } from '../../media/errors.ts';
import { describeLocalMedia } from '../../media/source.ts';
import { type DraftRuntime, draftMediaFolder } from '../folder.ts';
import { isArriving, paceOf } from './pace.ts';
import { arrivedOf } from './part-file.ts';
import { readFiles, type StoredFile } from './record.ts';

export interface FilesProgress {
  /** The sheet while it is uploaded. */
  readonly sheet: { readonly name: string; readonly bytes: number; readonly arrived: number } | undefined;
  readonly media: {
    /** Files in place, and all announced files. */
    readonly files: number;
    readonly ofFiles: number;
    /** Bytes received, in place or not, and all announced bytes. */
    readonly bytes: number;
    readonly ofBytes: number;
  };
  /** Reasons of refused files, by path. */
  readonly refused: ReadonlyMap<string, string>;
  /** Whether bytes have come in the last seconds. */
  readonly isArriving: boolean;
  /** Milliseconds left, at the fastest and the slowest pace of the last minute; undefined if unknown. */
  readonly left: { readonly least: number; readonly most: number } | undefined;
}

/** @throws {UseCaseError} `draft_not_found` for an invalid id, `draft_not_stored`. */
export async function readFilesProgress(runtime: DraftRuntime, draft: string): Promise<FilesProgress> {
  const { stored, announced, refused, bytes } = await readFiles(runtime, draft);
  const arrived = await arrivedOf(runtime, draft, announced.values());
  const arriving = [...announced.values()].map((file) => ({ ...file, arrived: arrived.get(file.id) ?? 0 }));
  const media = arriving.filter(({ kind }) => kind === 'media');
  const sheet = arriving.find(({ kind }) => kind === 'sheet');
  const sum = (of: (file: (typeof arriving)[number]) => number) =>
    media.reduce((total, file) => total + of(file), bytes);
  const outstanding = arriving.reduce((total, file) => total + file.bytes - file.arrived, 0);
  const pace = outstanding === 0 ? undefined : paceOf(draft, runtime.now());
  return {
    sheet: sheet && { name: sheet.path, bytes: sheet.bytes, arrived: sheet.arrived },
    media: {
      files: stored.size,
      ofFiles: stored.size + media.length,
      bytes: sum(({ arrived }) => arrived),
      ofBytes: sum((file) => file.bytes),
    },
    refused,
    isArriving: outstanding > 0 && isArriving(draft, runtime.now()),
    left: pace && { least: (outstanding / pace.most) * 1000, most: (outstanding / pace.least) * 1000 },
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
    if (error instanceof MediaError) return { problem: error.message, cure: error.cure };
    throw error;
  }
}
