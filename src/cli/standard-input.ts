/** A manifest on standard input: kept in a file while it is needed, for a manifest is read more than once. */
import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './exit.ts';

/** What is older was left behind by a process that was killed. */
const leftoverMs = 24 * 3600 * 1000;
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface SpooledInput extends AsyncDisposable {
  readonly path: string;
}

/**
 * Writes standard input to a file of its own in the folder `import` of the data directory. The file is removed when the value is disposed of,
 * and when a signal ends the process before.
 * @throws {CommandError} when it cannot be written, or a terminal is all that there is to read from.
 */
export async function spoolStandardInput(dataDir: string): Promise<SpooledInput> {
  if (process.stdin.isTTY) {
    throw new CommandError('there is nothing on standard input', {
      cure: 'Pipe the manifest in, or name a file.',
    });
  }
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
    await pipeline(process.stdin, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    remove();
    release();
    throw new CommandError(`standard input cannot be kept in ${folder}: ${(error as Error).message}`, {
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
