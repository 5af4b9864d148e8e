/** Writes a sheet as CSV: to a temporary name first, so that nobody ever finds half a file under the final one. */
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';

/** The sheet could not be written; nothing stands under its name. */
export class SheetWriteError extends Error {
  override readonly name = 'SheetWriteError';
}

/**
 * @param lines cells, the header first.
 * @returns the absolute path.
 * @throws {SheetWriteError} when the disk is full, the folder cannot be written, ...
 */
export async function writeSheet(file: string, lines: AsyncIterable<readonly string[]>): Promise<string> {
  const path = resolve(file);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    // The byte order mark lets Excel read it as UTF-8.
    const csv = stringify({ bom: true, record_delimiter: 'windows' });
    await pipeline(Readable.from(lines), csv, createWriteStream(temporary));
    const written = await open(temporary, 'r+');
    await written.sync().finally(() => written.close());
    await rename(temporary, path);
    return path;
  } catch (error) {
    await rm(temporary, { force: true });
    throw new SheetWriteError(`the results sheet ${path} could not be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
