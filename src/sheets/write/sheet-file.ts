/** Writes a sheet: to a file, which is there as a whole or not at all, or to a stream. */
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeAtomically } from '../../fs/atomic-file.ts';
import type { SheetFormat } from './format.ts';
import { encodeCsv, encodeJson, encodeJsonLines, type SheetLines } from './text-sheets.ts';
import { encodeXlsx } from './xlsx-sheet.ts';

/** The sheet could not be written; nothing stands under its name. */
export class SheetWriteError extends Error {
  override readonly name = 'SheetWriteError';
}

/**
 * @param lines cells, the header first.
 * @returns the absolute path.
 * @throws {SheetWriteError} when the disk is full, the folder cannot be written, a cell is too long for a workbook, ...
 */
export async function writeSheet(file: string, lines: SheetLines, format: SheetFormat): Promise<string> {
  const path = resolve(file);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeAtomically(path, encode(lines, format, { withMark: true }));
    return path;
  } catch (error) {
    throw new SheetWriteError(`the results sheet ${path} could not be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Writes a sheet to a stream that stays open, such as standard output. CSV goes without a byte order mark: programs read it. A
 * reader that leaves early (`| head`) has what it wanted.
 * @throws {SheetWriteError} when a cell is too long for a workbook, ...
 */
export async function streamSheet(output: Writable, lines: SheetLines, format: SheetFormat): Promise<void> {
  try {
    await pipeline(encode(lines, format, { withMark: false }), output, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw new SheetWriteError(`the results sheet could not be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function encode(
  lines: SheetLines,
  format: SheetFormat,
  options: { readonly withMark: boolean },
): AsyncIterable<string | Buffer> {
  switch (format) {
    case 'csv':
      return encodeCsv(lines, options);
    case 'json':
      return encodeJson(lines);
    case 'jsonl':
      return encodeJsonLines(lines);
    case 'xlsx':
      return encodeXlsx(lines);
  }
}
