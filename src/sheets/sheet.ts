/**
 * A manifest as rows of cells under one header, whatever format it is kept in.
 */
import { columnLetters } from '../manifest/column-letters.ts';
import type { ColumnMap } from '../manifest/column-map.ts';
import { type CellProblem, type Problem, showValue } from '../manifest/problem.ts';
import type { Delimiter } from './csv/delimiter.ts';
import type { Encoding } from './text/encoding.ts';

/** How a manifest is to be read, where its bytes do not tell or tell wrongly. */
export interface SheetOptions {
  /** Between the cells of CSV; found by the header unless given. */
  readonly delimiter?: Delimiter | undefined;
  /** Of CSV and JSON; found by the bytes unless given. */
  readonly encoding?: Encoding | undefined;
  /** Name of a workbook's sheet; the first unless given. */
  readonly sheet?: string | undefined;
  /** Columns that headers stand for. */
  readonly map?: ColumnMap | undefined;
}

/** What a manifest was taken for. */
export type SheetFormat =
  | { readonly kind: 'csv'; readonly encoding: Encoding; readonly delimiter: Delimiter }
  | {
      /** `json`: an array of rows, or an object that holds one; `jsonl`: JSON Lines. */
      readonly kind: 'json' | 'jsonl';
      readonly encoding: Encoding;
    }
  | { readonly kind: 'xlsx' };

/** What is wrong with one cell, before it is known what its column means. */
export interface CellFault extends Omit<CellProblem, 'column'> {
  /** Position of the cell in its row, from 0. */
  readonly position: number;
}

export interface SheetRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /**
   * What the format could not make out of this row, while it can read those after it. `cells` is empty where the row as a whole is meant.
   */
  readonly faults?: readonly CellProblem[] | undefined;
  /** Cells whose text is not what the planner meant, while the others of the row can be relied on. */
  readonly cellFaults?: readonly CellFault[] | undefined;
}

/** A fault of a cell under the name of its column; under what the spreadsheet program calls it where the header does not name it. */
export function problemOfCell(header: readonly string[], { position, ...fault }: CellFault): CellProblem {
  return { column: showValue(header[position] ?? '') || columnLetters(position), ...fault };
}

/** The header, or what stands for one. */
export interface SheetHeader extends SheetRow {
  /** Lines of the single cells, where they are not all on the same. */
  readonly cellLines?: readonly number[] | undefined;
}

/** From here on the file cannot be read; everything before was. */
export class UnreadableSheetError extends Error {
  override readonly name = 'UnreadableSheetError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`line ${problem.line}: ${problem.problem}`);
    this.problem = problem;
  }
}

/** An error about the file itself, at a line of it. */
export function unreadable(line: number, code: string, problem: string, cure: string): UnreadableSheetError {
  return new UnreadableSheetError({ line, key: null, column: null, code, value: '', problem, cure });
}
