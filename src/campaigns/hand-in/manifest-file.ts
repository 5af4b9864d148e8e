/** Opens a manifest: a file, or a pipe, whose bytes are stored in a file because a manifest is read more than once. */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UseCaseError } from '../../runtime/use-case-error.ts';

/** Older files were left behind by a killed process. */
const leftoverMs = 24 * 3600 * 1000;

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

export interface OpenManifestOptions {
  readonly dataDir: string;
  /** Standard input; undefined when nothing is piped in. */
  readonly input?: Readable | undefined;
  /** Receives a function that removes the stored bytes, to call if a signal ends the process. Disposed once they are removed. */
  readonly guard?: ((remove: () => void) => Disposable) | undefined;
}

/**
 * Opens a manifest. The bytes of a pipe are written to a file in the folder `import` of the data directory, which is removed when
 * the value is disposed.
 * @throws {UseCaseError} `manifest_unreadable` for a device, an empty terminal, or a pipe that cannot be kept.
 */
export async function openManifest(
  file: string,
  { dataDir, input, guard }: OpenManifestOptions,
): Promise<OpenManifest> {
  const name = manifestName(file);
  const pipe = await openPipe(file, input);
  if (pipe === null) {
    const folder = resolve(dirname(file));
    return { file, path: file, name, folder, [Symbol.asyncDispose]: async () => undefined };
  }
  const path = join(dataDir, 'import', randomBytes(12).toString('hex'));
  const remove = () => rmSync(path, { force: true });
  const guarded = guard?.(remove);
  const dispose = async () => {
    guarded?.[Symbol.dispose]();
    remove();
  };
  try {
    await spool(pipe, path);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { file, path, name, folder: resolve('.'), [Symbol.asyncDispose]: dispose };
}

/** @returns `null` for a regular file, which can be read repeatedly, or a missing one. */
async function openPipe(file: string, input: Readable | undefined): Promise<Readable | null> {
  if (file === standardInput) {
    if (input) return input;
    throw new UseCaseError('manifest_unreadable', 'there is nothing on standard input', {
      cure: 'Pipe the manifest in, or give a file.',
    });
  }
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isFile() || found.isDirectory()) return null;
  if (found.isFIFO() || found.isSocket()) return createReadStream(file);
  throw new UseCaseError('manifest_unreadable', `${file}: this is a device; give a file`);
}

/** Stores bytes in a file. @throws {UseCaseError} `manifest_unreadable` when they cannot be kept. */
export async function spool(pipe: Readable, path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true });
    await removeLeftovers(folder);
    await pipeline(pipe, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    throw new UseCaseError(
      'manifest_unreadable',
      `the manifest cannot be stored in ${folder}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > leftoverMs) await rm(path, { force: true });
  }
}
