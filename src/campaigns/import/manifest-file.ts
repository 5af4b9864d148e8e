/** Opens a manifest: a file, or a pipe or rows of a program, which are stored in a file because a manifest is read more than once. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { asFileName } from '../../manifest/campaign-name.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { type ManifestRows, RowsReading } from './manifest-rows.ts';
import { createPipedManifest, fill, manifestTooLarge, type PipeOptions } from './piped-manifest.ts';

/** The argument that stands for standard input. */
export const standardInput = '-';

/** A manifest whose bytes are in a file. */
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

/** @returns the file name without its extension; `stdin` for standard input. */
export function manifestName(file: string): string {
  return file === standardInput ? 'stdin' : basename(file, extname(file));
}

/** Options of `openManifest`. */
export interface OpenManifestOptions extends Partial<PipeOptions> {
  /** Name of rows of a program, and of their campaign unless another is given; default: `rows`. */
  readonly name?: string | undefined;
  /** Standard input; undefined when nothing is piped in. */
  readonly input?: Readable | undefined;
  /** Receives a function that removes the stored bytes, to call if a signal ends the process. Disposed once they are removed. */
  readonly guard?: ((remove: () => void) => Disposable) | undefined;
}

/**
 * Opens a manifest: a file, or rows of a program. The bytes of a pipe and rows are written to a file in the temporary folder, which
 * is removed when the value is disposed. The same rows are the same manifest.
 * @param source path of a file, `-` for `options.input`, or rows: objects with the names of columns.
 * @throws {UseCaseError} `manifest_unreadable` for a device, an empty terminal, a manifest that is too large or cannot be kept, or a
 *   value of a row that no cell can hold.
 */
export async function openManifest(
  { settings }: Pick<Runtime, 'settings'>,
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
  options: PipeOptions & Pick<OpenManifestOptions, 'guard'>,
): Promise<OpenManifest> {
  const { path, remove } = await createPipedManifest(options);
  const guarded = options.guard?.(remove);
  const dispose = async () => {
    guarded?.[Symbol.dispose]();
    remove();
  };
  try {
    await fill(path, pipe, { ...options, name: called });
  } catch (error) {
    await dispose();
    throw error;
  }
  return { ...names, path, folder: resolve('.'), [Symbol.asyncDispose]: dispose };
}

/** @returns `null` for a regular file, which can be read repeatedly, or a missing one. */
async function openPipe(
  file: string,
  { input, maxBytes }: PipeOptions & Pick<OpenManifestOptions, 'input'>,
): Promise<Readable | null> {
  if (file === standardInput) {
    if (input) return input;
    throw new UseCaseError('manifest_unreadable', 'there is nothing on standard input', {
      cure: 'Pipe the manifest in, or give a file.',
    });
  }
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() && found.size > maxBytes) throw manifestTooLarge(file, maxBytes);
  if (found === undefined || found.isFile() || found.isDirectory()) return null;
  if (found.isFIFO() || found.isSocket()) return createReadStream(file);
  throw new UseCaseError('manifest_unreadable', `${file}: this is a device; give a file`);
}
