/** A manifest as rows of cells under one header, whatever its format. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ColumnMap } from '../manifest/headers/column-map.ts';
import type { Cure } from '../manifest/problems/hint.ts';
import { type CellProblem, type Problem, showValue } from '../manifest/problems/problem.ts';
import type { Delimiter } from './csv/delimiter.ts';
import type { Encoding } from './text/encoding.ts';

/** Options for reading a manifest. They win over what its bytes suggest. */
export interface SheetOptions {
  /** Separator of CSV; default: detected from the header. */
  readonly delimiter?: Delimiter | undefined;
  /** Encoding of CSV and JSON; default: detected from the bytes. */
  readonly encoding?: Encoding | undefined;
  /** Name of a workbook's sheet; default: the first visible one. */
  readonly sheet?: string | undefined;
  /** Line of the headers, from 1; default: found. Lines above it are not read. */
  readonly headerLine?: number | undefined;
  /** The column for each header that has an unusual name. */
  readonly map?: ColumnMap | undefined;
  /** The same of an earlier sheet: `map` wins, and this sheet need not have its headers. */
  readonly rememberedMap?: ColumnMap | undefined;
}

/** The detected format of a manifest. */
export type SheetFormat =
  | { readonly kind: 'csv'; readonly encoding: Encoding; readonly delimiter: Delimiter }
  /** `json`: an array of rows, or an object with one; `jsonl`: JSON Lines. */
  | { readonly kind: 'json' | 'jsonl'; readonly encoding: Encoding }
  | { readonly kind: 'xlsx' };

/** What is wrong with a cell, before its column is known. */
export interface CellFault extends Omit<CellProblem, 'column'> {
  /** Position of the cell in its row, from 0. */
  readonly position: number;
}

/** A row of a sheet as it was read. */
export interface SheetRow {
  /** First line of the row in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** What could not be read in this row; later rows can still be read. `cells` is empty if the whole row is unreadable. */
  readonly faults?: readonly CellProblem[] | undefined;
  /** Cells whose text is not what the planner meant. The other cells of the row are reliable. */
  readonly cellFaults?: readonly CellFault[] | undefined;
}

/** Adds the name of the column to a fault: its header, or its letters if it has no header. */
export function problemOfCell(header: readonly string[], { position, ...fault }: CellFault): CellProblem {
  return { column: showValue(header[position] ?? '') || columnLetters(position), ...fault };
}

/** The header row; in JSON, the keys of all rows. */
export interface SheetHeader extends SheetRow {
  /** Line of each cell, if they are not all on one line. */
  readonly cellLines?: readonly number[] | undefined;
}

/** The file cannot be read beyond this line. */
export class UnreadableSheetError extends Error {
  override readonly name = 'UnreadableSheetError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`line ${problem.line}: ${problem.problem}`);
    this.problem = problem;
  }
}

/** Makes an error about the file itself. */
export function unreadable(line: number, code: string, problem: string, cure: Cure): UnreadableSheetError {
  return new UnreadableSheetError({ line, key: null, column: null, code, value: '', problem, cure });
}

export interface ManifestSource {
  /** Its name in messages. */
  readonly name: string;
  /** Needed for workbooks, which are not read from start to end. */
  readonly path?: string | undefined;
  /**
   * Reads the file in chunks, from its start at every call.
   * @param options.passing whether a chunk is used only until the next one is asked for: all may then be the same memory.
   */
  bytes(options?: { readonly passing?: boolean }): AsyncIterable<Buffer>;
}

/** @param name of the file in messages. */
export function fileSource(path: string, name = path): ManifestSource {
  return { name, path, bytes: ({ passing } = {}) => (passing ? readInPlace(path) : createReadStream(path)) };
}

const roomBytes = 64 * 1024;

/** Reads into one piece of memory: with a new one for each chunk, tens of megabytes would wait for the garbage collection. */
async function* readInPlace(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path);
  const room = Buffer.allocUnsafeSlow(roomBytes);
  for (;;) {
    const { bytesRead } = await file.read(room);
    if (bytesRead === 0) return;
    yield room.subarray(0, bytesRead);
  }
}

/** The name of a column in a spreadsheet program: `A` for position 0, `AB` for 27. */
export function columnLetters(position: number): string {
  const letter = String.fromCharCode(0x41 + (position % 26));
  return position < 26 ? letter : columnLetters(Math.floor(position / 26) - 1) + letter;
}
