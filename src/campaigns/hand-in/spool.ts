/** A manifest that comes by a pipe: kept in a file while it is needed, for a manifest is read more than once. */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../../cli/exit.ts';

/** What is older was left behind by a process that was killed. */
const leftoverMs = 24 * 3600 * 1000;
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What names standard input on the command line. */
export const standardInput = '-';

interface SpooledManifest extends AsyncDisposable {
  readonly path: string;
}

/** Runs `use` with the place of a manifest's bytes: what comes by a pipe is kept in a file for as long. @throws {CommandError} */
export async function withManifest<T>(
  dataDir: string,
  file: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const pipe = await openPipe(file);
  if (pipe === null) return use(file);
  await using spooled = await spool(dataDir, pipe);
  // Awaited here: what comes after this line is the removal of the file.
  return await use(spooled.path);
}

/** @returns `null` for a file that can be read as often as one likes, or is not there. */
async function openPipe(file: string): Promise<Readable | null> {
  if (file === standardInput) {
    if (!process.stdin.isTTY) return process.stdin;
    throw new CommandError('there is nothing on standard input', {
      cure: 'Pipe the manifest in, or name a file.',
    });
  }
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isFile() || found.isDirectory()) return null;
  if (found.isFIFO() || found.isSocket()) return createReadStream(file);
  throw new CommandError(`${file}: this is a device; name a file`);
}

/**
 * Writes a manifest to a file of its own in the folder `import` of the data directory. The file is removed when the value is disposed of,
 * and when a signal ends the process before.
 * @throws {CommandError} when it cannot be written.
 */
async function spool(dataDir: string, pipe: Readable): Promise<SpooledManifest> {
  const folder = join(dataDir, 'import');
  const path = join(folder, randomBytes(12).toString('hex'));
  const remove = () => rmSync(path, { force: true });
  const endBy = (signal: NodeJS.Signals) => {
    remove();
    release();
    process.kill(process.pid, signal);
  };
  const release = () => {
    for (const signal of endings) process.off(signal, endBy);
  };
  for (const signal of endings) process.on(signal, endBy);
  try {
    await mkdir(folder, { recursive: true });
    await removeLeftovers(folder);
    await pipeline(pipe, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    remove();
    release();
    throw new CommandError(`the manifest cannot be kept in ${folder}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return {
    path,
    async [Symbol.asyncDispose]() {
      remove();
      release();
    },
  };
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > leftoverMs) await rm(path, { force: true });
  }
}
