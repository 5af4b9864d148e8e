/** A manifest as it is named: a file, or a pipe whose bytes are kept in a file while they are needed, for a manifest is read more than once. */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UseCaseError } from '../../runtime/use-case-error.ts';

/** What is older was left behind by a process that was killed. */
const leftoverMs = 24 * 3600 * 1000;

/** What names standard input. */
export const standardInput = '-';

export interface ManifestFile {
  /** As it was named. */
  readonly file: string;
  /** Where its bytes are: `file`, unless they came by a pipe. */
  readonly path: string;
  /** Its file name without the ending: what names of campaigns and sheets are made of. */
  readonly name: string;
  /** Absolute path of the folder that media are relative to, unless another one is named: its own, for a pipe the current one. */
  readonly folder: string;
}

export interface OpenManifest extends ManifestFile, AsyncDisposable {}

/** @returns the file name without its ending; `stdin` for standard input. */
export function manifestName(file: string): string {
  return file === standardInput ? 'stdin' : basename(file, extname(file));
}

export interface OpenManifestOptions {
  readonly dataDir: string;
  /** What `-` stands for; undefined where nothing is piped in. */
  readonly input?: Readable | undefined;
  /** Takes what removes the kept bytes, to be called should a signal end the process; disposed of when they are gone. */
  readonly guard?: ((remove: () => void) => Disposable) | undefined;
}

/**
 * Finds the bytes of a manifest. Those of a pipe are written to a file in the folder `import` of the data directory, which is
 * removed when the value is disposed of.
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

/** @returns `null` for a file that can be read as often as one likes, or is not there. */
async function openPipe(file: string, input: Readable | undefined): Promise<Readable | null> {
  if (file === standardInput) {
    if (input) return input;
    throw new UseCaseError('manifest_unreadable', 'there is nothing on standard input', {
      cure: 'Pipe the manifest in, or name a file.',
    });
  }
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isFile() || found.isDirectory()) return null;
  if (found.isFIFO() || found.isSocket()) return createReadStream(file);
  throw new UseCaseError('manifest_unreadable', `${file}: this is a device; name a file`);
}

/** @throws {UseCaseError} */
async function spool(pipe: Readable, path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true });
    await removeLeftovers(folder);
    await pipeline(pipe, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    throw new UseCaseError(
      'manifest_unreadable',
      `the manifest cannot be kept in ${folder}: ${(error as Error).message}`,
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
