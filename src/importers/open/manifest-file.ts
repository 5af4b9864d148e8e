/** Opens a manifest: a file, or a pipe or rows of a program, which are stored in a file because a manifest is read more than once. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Settings } from '../../../config/schema.ts';
import { asFileName } from '../../manifest/campaign-options.ts';
import { ColumnMapError } from '../../manifest/headers/column-map.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeFileError } from '../../platform/files/disk.ts';
import { digestOf } from '../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions, UnreadableSheetError } from '../../sheets/sheet.ts';
import { type PipeOptions, sheetTooLarge, storePipe } from './piped-manifest.ts';
import { type ManifestRows, RowsReading } from './program-rows.ts';

export const standardInput = '-';

/** Parts of a `Runtime` that opening a manifest needs. */
export interface OpenContext {
  readonly settings: Pick<Settings, 'manifest'>;
}

export interface ManifestFile {
  /** As given by the user; for rows of a program, their name. */
  readonly file: string;
  /** Where its bytes are: `file`, or the stored bytes of a pipe or of rows. */
  readonly path: string;
  /** File name without the extension, used for names of campaigns and sheets. */
  readonly name: string;
  /** Absolute path of its folder, for a pipe and for rows the current one: media are relative to it unless another folder is given. */
  readonly folder: string;
}

/** An open manifest. Dispose of it at the end (`await using`). */
export interface OpenManifest extends ManifestFile, AsyncDisposable {}

/** Size of its file; 0 if it is gone, which the check reports. */
export async function fileBytesOf({ path }: Pick<ManifestFile, 'path'>): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Folder that media paths are relative to. @throws {UseCaseError} `media_root_missing` for a folder that does not exist. */
export async function findMediaRoot(
  { settings }: { readonly settings: Pick<Settings, 'media'> },
  { folder }: ManifestFile,
  { mediaRoot }: { readonly mediaRoot?: string | undefined },
): Promise<string> {
  const root = resolve(mediaRoot ?? settings.media.root ?? folder);
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory()) return root;
  throw new UseCaseError('media_root_missing', `the media folder ${root} does not exist`, {
    fix: [
      'Ask an operator to set the folder that media paths are relative to.',
      hint('setting', { name: 'media.root' }),
      hint('mediaRoot'),
    ],
  });
}

/**
 * Digest that identifies an earlier import of the same manifest; undefined for a file that is no manifest, which the check reports.
 * @throws {UseCaseError} `manifest_unreadable` when the file cannot be read.
 */
export async function findDigest(
  { file, path }: Pick<ManifestFile, 'file' | 'path'>,
  sheet: SheetOptions | undefined,
): Promise<string | undefined> {
  try {
    return await digestOf(fileSource(path), sheet);
  } catch (error) {
    if (error instanceof UnreadableSheetError) return undefined;
    throw readingError(error, file);
  }
}

/** Turns the error of a file that could not be read or written into one for people; any other error stays as it is. */
export function readingError(error: unknown, file: string): unknown {
  if (error instanceof ColumnMapError) {
    return new UseCaseError('manifest_unreadable', error.message, { fix: error.fix, cause: error });
  }
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    const fix = error.code === 'ENOENT' ? { fix: 'Check its name, and the folder that you are in.' } : {};
    return new UseCaseError('manifest_unreadable', `${file}: ${describeFileError(error)}`, {
      ...fix,
      cause: error,
    });
  }
  return error;
}

/** @returns the file name without its extension; `stdin` for standard input. */
export function manifestName(file: string): string {
  return file === standardInput ? 'stdin' : basename(file, extname(file));
}

export interface OpenManifestOptions extends Partial<PipeOptions> {
  /** Name of rows of a program, and of their campaign unless another is given; default: `rows`. */
  readonly name?: string | undefined;
  /** Standard input; undefined when nothing is piped in. */
  readonly input?: Readable | undefined;
}

/**
 * Opens a manifest: a file, or rows of a program. The bytes of a pipe and rows are written to a file in the temporary folder, which
 * is removed when the value is disposed. The same rows are the same manifest.
 * @param source path of a file, `-` for `options.input`, or rows: objects with the names of columns.
 * @throws {UseCaseError} `manifest_unreadable` for a device, an empty terminal, a manifest that is too large or cannot be kept, or a
 *   value of a row that no cell can hold.
 */
export async function openManifest(
  { settings }: OpenContext,
  source: string | ManifestRows,
  { maxBytes = settings.manifest.maxBytes, name = 'rows', ...given }: OpenManifestOptions = {},
): Promise<OpenManifest> {
  const options = { ...given, maxBytes };
  if (typeof source !== 'string') {
    const rows = new RowsReading(source);
    const pipe = Readable.from(rows.bytes(), { objectMode: false });
    return storeBytes({ file: name, name: asFileName(name), called: name }, pipe, options).catch(
      (error: unknown) => rows.rethrow(error),
    );
  }
  const pipe = await openPipe(source, options);
  const file = { file: source, name: manifestName(source) };
  if (pipe !== null) {
    const called = source === standardInput ? 'standard input' : source;
    return storeBytes({ ...file, called }, pipe, options);
  }
  const folder = resolve(dirname(source));
  return {
    ...file,
    path: source,
    folder,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** @param called name of the bytes in messages. */
async function storeBytes(
  { called, ...names }: Pick<ManifestFile, 'file' | 'name'> & { readonly called: string },
  pipe: Readable,
  options: PipeOptions,
): Promise<OpenManifest> {
  const { path, remove } = await storePipe(pipe, { ...options, name: called });
  return { ...names, path, folder: resolve('.'), [Symbol.asyncDispose]: async () => remove() };
}

/** @returns `null` for a regular file, which can be read repeatedly, or a missing one. */
async function openPipe(
  file: string,
  { input, maxBytes }: PipeOptions & Pick<OpenManifestOptions, 'input'>,
): Promise<Readable | null> {
  if (file === standardInput) {
    if (input) return input;
    throw new UseCaseError('manifest_unreadable', 'there is nothing on standard input', {
      fix: 'Pipe the sheet in, or give a file.',
    });
  }
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() && found.size > maxBytes) throw sheetTooLarge(file, maxBytes);
  if (found === undefined || found.isFile() || found.isDirectory()) return null;
  if (found.isFIFO() || found.isSocket()) return createReadStream(file);
  throw new UseCaseError('manifest_unreadable', `${file}: this is a device; give a file`);
}
