/** Writes a sheet to a stream, or to a file that exists as a whole or not at all. */
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolders, writeAtomically } from '../../platform/files/write-file.ts';
import type { Delimiter } from '../csv/delimiter.ts';
import { endingsOf, formatOfFile, type SheetFormat, sheetFormats } from './format.ts';
import { encodeCsv, encodeJson, encodeJsonLines, type SheetLines } from './text-sheets.ts';
import { encodeWorkbook } from './xlsx-sheet.ts';

/** The sheet could not be written; no partial file remains. */
export class SheetWriteError extends Error {
  override readonly name = 'SheetWriteError';

  constructor(sheet: string, cause: unknown) {
    super(`${sheet} could not be written: ${(cause as Error).message}`, { cause });
  }
}

export interface SheetStyle {
  /** By the ending of the file unless given; CSV for a stream. */
  readonly format?: SheetFormat | undefined;
  /** Separator of CSV; default: a comma. */
  readonly delimiter?: Delimiter | undefined;
  /** Columns whose cells are numbers: in JSON and in a workbook they are numbers, not texts; in CSV they get no mark. */
  readonly numbers?: ReadonlySet<string> | undefined;
  /** Columns in which dates and times are real ones in a workbook. */
  readonly dates?: ReadonlySet<string> | undefined;
  /** CSV begins with the byte order mark, by which spreadsheet programs know UTF-8. Files always have it; streams have it only so. */
  readonly withMark?: boolean | undefined;
}

/** Path of a file, or a stream such as standard output. */
export type SheetPlace = string | Writable;

/**
 * @param to a stream gets no byte order mark unless asked for: programs read it. Its reader may close early (`| head`).
 * @param lines cells, header first.
 * @returns the absolute path; undefined for a stream.
 * @throws {SheetWriteError} if the ending of the file names no format, the disk is full, the folder cannot be written, a cell is too
 *   long for a workbook, ...
 */
export async function writeSheet(
  to: SheetPlace,
  lines: SheetLines,
  style: SheetStyle,
): Promise<string | undefined> {
  if (typeof to !== 'string') return stream(to, encode(lines, style));
  const path = resolve(to);
  try {
    const format = style.format ?? formatOfFile(path);
    if (format === undefined) throw new Error(`its ending is none of ${endingsOf(sheetFormats)}`);
    return await writePieces(path, encode(lines, { ...style, format, withMark: true }));
  } catch (error) {
    throw error instanceof SheetWriteError ? error : new SheetWriteError(`the results sheet ${path}`, error);
  }
}

/** As `writeSheet`, of a sheet that is encoded. @throws {SheetWriteError} */
export async function writePieces(
  to: SheetPlace,
  pieces: AsyncIterable<string | Buffer>,
): Promise<string | undefined> {
  if (typeof to !== 'string') return stream(to, pieces);
  const path = resolve(to);
  try {
    await makeFolders(dirname(path));
    await writeAtomically(path, inLargePieces(pieces));
    return path;
  } catch (error) {
    throw new SheetWriteError(`the results sheet ${path}`, error);
  }
}

async function stream(output: Writable, pieces: AsyncIterable<string | Buffer>): Promise<undefined> {
  try {
    await pipeline(pieces, output, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw new SheetWriteError('the results sheet', error);
  }
}

/** Each write costs about as much as some hundred lines. Bytes. */
const largePiece = 256 * 1024;
/** Bytes of UTF-8 that a UTF-16 unit takes at most. */
const bytesPerUnit = 3;

/** All pieces use the same memory: write one before asking for the next. New strings would stay until a full collection. */
async function* inLargePieces(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  const joined = Buffer.allocUnsafe(largePiece);
  let size = 0;
  for await (const piece of pieces) {
    const most = piece.length * (typeof piece === 'string' ? bytesPerUnit : 1);
    if (size > 0 && size + most > largePiece) {
      yield joined.subarray(0, size);
      size = 0;
    }
    if (most > largePiece) yield piece;
    else size += typeof piece === 'string' ? joined.write(piece, size) : piece.copy(joined, size);
  }
  if (size > 0) yield joined.subarray(0, size);
}

function encode(
  lines: SheetLines,
  { format = 'csv', delimiter, numbers, dates, withMark = false }: SheetStyle,
): AsyncIterable<string | Buffer> {
  switch (format) {
    case 'csv':
      return encodeCsv(lines, { withMark, delimiter, numbers });
    case 'json':
      return encodeJson(lines, numbers);
    case 'jsonl':
      return encodeJsonLines(lines, numbers);
    case 'xlsx':
      return encodeWorkbook([{ name: 'Results', lines, numbers, dates }]);
  }
}
