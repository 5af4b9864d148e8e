/** A manifest as rows of cells under one header, whatever its format. */
import { createReadStream } from 'node:fs';
import type { ColumnMap } from '../manifest/headers/column-map.ts';
import type { Fix } from '../manifest/problems/hint.ts';
import {
  type CellProblem,
  describePlace,
  type Problem,
  type RowPlace,
  showValue,
} from '../manifest/problems/problem.ts';
import type { Delimiter } from './csv/delimiter.ts';
import type { Encoding } from './text/encoding.ts';

/** Options for reading a manifest. They win over what its bytes suggest. */
export interface SheetOptions {
  /** Separator of CSV; default: detected from the header. */
  readonly delimiter?: Delimiter | undefined;
  /** Encoding of CSV and JSON; default: detected from the bytes. */
  readonly encoding?: Encoding | undefined;
  /** Names of the worksheets to read, as one table; default: the first visible one. */
  readonly sheets?: readonly string[] | undefined;
  /** Line of the headers, from 1; default: found. Lines above it are not read. */
  readonly headerLine?: number | undefined;
  /** What to do with rows that the spreadsheet program hides, or that are struck through: unless given, they have a problem. */
  readonly hidden?: RowChoice | undefined;
  /** Take ids as they are that end in zeros, or look like those of other products. */
  readonly trustIds?: boolean | undefined;
  /** The column for each header that has an unusual name; the sheet need not have all of them. */
  readonly map?: ColumnMap | undefined;
  /** What to do with rows that a column of the planner's own says are posted, cancelled, ...: unless given, they have a problem. */
  readonly ownStatus?: RowChoice | undefined;
  /** What to do with rows that have nothing of a post, such as headings: unless given, they are skipped. */
  readonly noPosts?: RowChoice | undefined;
}

export const mostWorksheets = 100;

export const rowChoices = ['skip', 'post'] as const;
/** What to do with rows that may not be meant to be posted. */
export type RowChoice = (typeof rowChoices)[number];

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

export interface SheetRow extends RowPlace {
  readonly cells: readonly string[];
  /** What could not be read in this row; later rows can still be read. `cells` is empty if the whole row is unreadable. */
  readonly faults?: readonly CellProblem[] | undefined;
  /** Cells whose text is not what the planner meant. The other cells of the row are reliable. */
  readonly cellFaults?: readonly CellFault[] | undefined;
  /** The spreadsheet program does not show the row: a filter or a person hides it. */
  readonly isHidden?: true | undefined;
  /** Positions of the cells whose text, or a part of it, is struck through. */
  readonly struck?: readonly number[] | undefined;
  /** Positions of the columns that the spreadsheet program does not show. */
  readonly hiddenColumns?: readonly number[] | undefined;
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

  constructor(problem: Problem, options?: ErrorOptions) {
    super(`${describePlace(problem)}: ${problem.problem}`, options);
    this.problem = problem;
  }
}

/** Makes an error about the file itself. */
export function unreadable(line: number, code: string, problem: string, fix: Fix): UnreadableSheetError {
  return new UnreadableSheetError({ line, key: null, column: null, code, value: '', problem, fix });
}

export interface ManifestSource {
  readonly name: string;
  /** Needed for workbooks, which are not read from start to end. */
  readonly path?: string | undefined;
  /** Reads the file in chunks, from its start at every call. */
  bytes(): AsyncIterable<Buffer>;
}

/** @param name of the file in messages. */
export function fileSource(path: string, name = path): ManifestSource {
  return { name, path, bytes: () => readPieces(path) };
}

async function* readPieces(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path);
}

/** The name of a column in a spreadsheet program: `A` for position 0, `AB` for 27. */
export function columnLetters(position: number): string {
  const letter = String.fromCharCode(0x41 + (position % 26));
  return position < 26 ? letter : columnLetters(Math.floor(position / 26) - 1) + letter;
}
