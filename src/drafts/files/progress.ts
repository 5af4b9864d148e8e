/** Upload progress of a draft's files. */
import type { DraftRuntime } from '../folder.ts';
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
