/** Opens a manifest: a file, or a pipe, whose bytes are stored in a file because a manifest is read more than once. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { createPipedManifest, fill, manifestTooLarge, type PipeOptions } from './piped-manifest.ts';

/** The argument that stands for standard input. */
export const standardInput = '-';

export interface ManifestFile {
  /** As given by the user. */
  readonly file: string;
  /** Where its bytes are: `file`, or the stored bytes of a pipe. */
  readonly path: string;
  /** File name without the extension, used for names of campaigns and sheets. */
  readonly name: string;
  /** Absolute path of its folder, for a pipe the current one: media are relative to it unless another folder is given. */
  readonly folder: string;
}

export interface OpenManifest extends ManifestFile, AsyncDisposable {}

/** @returns the file name without its extension; `stdin` for standard input. */
export function manifestName(file: string): string {
  return file === standardInput ? 'stdin' : basename(file, extname(file));
}

export interface OpenManifestOptions extends PipeOptions {
  /** Standard input; undefined when nothing is piped in. */
  readonly input?: Readable | undefined;
  /** Receives a function that removes the stored bytes, to call if a signal ends the process. Disposed once they are removed. */
  readonly guard?: ((remove: () => void) => Disposable) | undefined;
}

/**
 * Opens a manifest. The bytes of a pipe are written to a file in the temporary folder, which is removed when the value is disposed.
 * @throws {UseCaseError} `manifest_unreadable` for a device, an empty terminal, a manifest that is too large, or a pipe that cannot
 *   be kept.
 */
export async function openManifest(file: string, options: OpenManifestOptions): Promise<OpenManifest> {
  const name = manifestName(file);
  const pipe = await openPipe(file, options);
  if (pipe === null) {
    const folder = resolve(dirname(file));
    return { file, path: file, name, folder, [Symbol.asyncDispose]: async () => undefined };
  }
  const { path, remove } = await createPipedManifest(options);
  const guarded = options.guard?.(remove);
  const dispose = async () => {
    guarded?.[Symbol.dispose]();
    remove();
  };
  try {
    await fill(path, pipe, options);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { file, path, name, folder: resolve('.'), [Symbol.asyncDispose]: dispose };
}

/** @returns `null` for a regular file, which can be read repeatedly, or a missing one. */
async function openPipe(file: string, { input, maxBytes }: OpenManifestOptions): Promise<Readable | null> {
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
